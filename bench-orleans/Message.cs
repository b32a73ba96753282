using System.Numerics;
using System.Runtime.InteropServices;

/// <summary>What each message begins with, little endian.</summary>
struct Header
{
    /// <summary>CRC-32C of all that follows.</summary>
    public uint Checksum;
    /// <summary>The number of its client, counted over all client processes.</summary>
    public int Client;
    /// <summary>Its sequence number at its client, above 0.</summary>
    public int Sequence;
    /// <summary>0: a message that is to be answered; n + 1: its client joins room n by it; or one of Message's kinds.
    /// </summary>
    public int Kind;
    /// <summary>When it was due, in ticks of the client's Stopwatch.</summary>
    public long DueAt;
}

/// <summary>Writes and checks messages: a header and a payload.</summary>
static class Message
{
    /// <summary>Bytes of the header, and so the least that a message has.</summary>
    public const int HeaderBytes = 24;

    /// <summary>The kind of a message by which a client leaves its room.</summary>
    public const int Leaving = -1;
    /// <summary>The kind of a message of a stream.</summary>
    public const int OfStream = -2;
    /// <summary>The kind of a game's snapshot.</summary>
    public const int OfSnapshot = -3;

    /// <summary>A message with the payload that the settings ask for. Headers are written over its start.</summary>
    public static byte[] NewBuffer(Settings settings, int bytes)
    {
        var buffer = new byte[bytes];
        if (settings.Payload == "random")
        {
            new Random(settings.Seed).NextBytes(buffer);
        }
        if (settings.Payload == "ones")
        {
            Array.Fill(buffer, byte.MaxValue);
        }
        return buffer;
    }

    /// <summary>The bytes of the longest message of these settings.</summary>
    public static int MostBytes(Settings settings)
    {
        return settings.Work == Settings.Game
            ? Math.Max(settings.PayloadBytes, settings.SnapshotBytes)
            : settings.PayloadBytes;
    }

    /// <summary>Writes a header over the start of a message, with the checksum of all that follows it.</summary>
    public static void Write(Span<byte> message, Header header)
    {
        MemoryMarshal.Write(message, header);
        header.Checksum = Checksum(message);
        MemoryMarshal.Write(message, header.Checksum);
    }

    /// <summary>Reads the header of a message of at least HeaderBytes, and whether all bytes are as they were written.
    /// </summary>
    public static Header Read(ReadOnlySpan<byte> message, out bool isIntact)
    {
        Header header = MemoryMarshal.Read<Header>(message);
        isIntact = header.Checksum == Checksum(message);
        return header;
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
