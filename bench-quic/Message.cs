using System.Numerics;
using System.Runtime.InteropServices;

/// <summary>What each message begins with, little endian. The server echoes all bytes; the clients check
/// them.</summary>
struct Header
{
    /// <summary>CRC-32C of all that follows.</summary>
    public uint Checksum;
    /// <summary>The client that sent it, from 0 over all client machines.</summary>
    public int Client;
    /// <summary>The in-flight slot that it occupies at its client; Message.OfStream of a stream.</summary>
    public int Slot;
    /// <summary>Its number in the slot, or in its client's stream, from 1.</summary>
    public int Sequence;
    /// <summary>When it was due, in ticks of the clients' Stopwatch.</summary>
    public long DueAt;
}

/// <summary>Writes and checks messages: a header and a payload.</summary>
static class Message
{
    /// <summary>The least that a message may have.</summary>
    public const int HeaderBytes = 24;

    /// <summary>In place of a slot: the message is part of a stream, which is not answered.</summary>
    public const int OfStream = -1;
    /// <summary>In place of a slot: by the message a client joins its room.</summary>
    public const int Joining = -2;
    /// <summary>In place of a slot: by the message a client leaves its room.</summary>
    public const int Leaving = -3;
    /// <summary>In place of a slot: the message is a snapshot of a game.</summary>
    public const int OfSnapshot = -4;

    /// <summary>The content of a message that is a header alone.</summary>
    public static readonly byte[] HeaderAlone = new byte[HeaderBytes];

    /// <summary>A buffer of so many bytes takes every message of these settings, greetings included.</summary>
    public static int BufferBytes(Settings settings) => Math.Max(MostBytes(settings), Greeting.MostBytes);

    /// <summary>The bytes of the longest message of these settings but for greetings.</summary>
    public static int MostBytes(Settings settings)
    {
        return settings.Work == Settings.Game
            ? Math.Max(settings.PayloadBytes, settings.SnapshotBytes)
            : settings.PayloadBytes;
    }

    /// <summary>The content of all messages of these settings, header included, which is written over it.</summary>
    public static byte[] Content(Settings settings) => Content(settings, settings.PayloadBytes);

    /// <summary>The same of so many bytes.</summary>
    public static byte[] Content(Settings settings, int bytes)
    {
        var content = new byte[bytes];
        switch (settings.Payload)
        {
            case "random":
                new Random(settings.Seed).NextBytes(content);
                break;
            case "ones":
                Array.Fill(content, byte.MaxValue);
                break;
            case "zeros":
                break;
            default:
                throw new Failure($"--payload is random, zeros or ones, not '{settings.Payload}'.", Program.WrongUsage);
        }
        return content;
    }

    /// <summary>Writes a message of the content's length; its checksum comes last.</summary>
    public static void Write(Span<byte> message, ReadOnlySpan<byte> content, Header header)
    {
        content.CopyTo(message);
        message = message[..content.Length];
        MemoryMarshal.Write(message, header);
        header.Checksum = Checksum(message);
        MemoryMarshal.Write(message, header.Checksum);
    }

    /// <summary>Reads the header of a message of at least HeaderBytes, and whether the bytes are those that were
    /// written. </summary>
    public static Header Read(ReadOnlySpan<byte> message, out bool isIntact)
    {
        Header header = MemoryMarshal.Read<Header>(message);
        isIntact = header.Checksum == Checksum(message);
        return header;
    }

    /// <summary>The header of a message of at least HeaderBytes, whatever became of it.</summary>
    public static Header Peek(ReadOnlySpan<byte> message) => MemoryMarshal.Read<Header>(message);

    /// <summary>Whether by a message a client joins its room or leaves it.</summary>
    public static bool IsAboutRoom(ReadOnlySpan<byte> message)
    {
        return message.Length == HeaderBytes && Peek(message) is { Slot: Joining or Leaving };
    }

    static uint Checksum(ReadOnlySpan<byte> message)
    {
        ReadOnlySpan<byte> covered = message[sizeof(uint)..];
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(covered);
        uint crc = uint.MaxValue;
        foreach (ulong word in words)
        {
            crc = BitOperations.Crc32C(crc, word);
        }
        foreach (byte rest in covered[(words.Length * sizeof(ulong))..])
        {
            crc = BitOperations.Crc32C(crc, rest);
        }
        return crc;
    }
}
