using System.Buffers.Binary;
using System.Reflection;
using NetCoreServer;

/// <summary>NetCoreServer: asynchronous TCP and UDP sockets in C#.</summary>
static class Library
{
    public const string Name = "netcoreserver";
    public static readonly Assembly Assembly = typeof(TcpServer).Assembly;
    public static readonly string Version = Assembly.GetName().Version!.ToString(3);
    public static readonly string[] Deliveries = ["reliable-ordered", "unreliable"];
    /// <summary>Its variants, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes" };
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = "reliable-ordered is its TCP, unreliable its UDP. Callbacks come on pool threads, so clients of a thread share a lock. UDP goes out with Send, because SendAsync " +
        "refuses while a datagram is on its way; its UDP server has one datagram in hand at a time. Clients of UDP ask for exclusive ports; the server ends a client of TCP that leaves 16 MiB unread. It is the faster the more threads the pool has.";

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;

    const int MostDatagramBytes = 65_507; // that UDP itself allows over IPv4
    /// <summary>The knobs of the profile `tuned` and their values: the runtime's for its sockets, which calls back on the
    /// thread that waits for them, and properties of its servers and clients, in bytes; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS"] = "1",
        ["OptionReceiveBufferSize"] = 65_536, ["OptionSendBufferSize"] = 65_536,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) =>
        settings.TickHz > 0 ? "netcoreserver calls back as messages arrive and has no poll that --tick-hz could pace."
        : settings is { Delivery: "unreliable", Security: "tls" } ? "netcoreserver has TLS over TCP alone: --security tls is of --delivery reliable-ordered."
        : settings.Delivery == "unreliable" && settings.PayloadBytes > MostDatagramBytes ? $"A datagram of netcoreserver takes at most {MostDatagramBytes} bytes."
        : null;

    /// <summary>A server or client with the knobs turned that the profile asks for.</summary>
    public static T Tune<T>(T side, Settings settings) where T : notnull
    {
        if (settings.Profile == "tuned")
            foreach (var (knob, value) in Tuned!.Where(knob => !knob.Key.StartsWith("DOTNET_"))) typeof(T).GetProperty(knob)!.SetValue(side, value);
        return side;
    }
}

/// <summary>What is alike in the library's TCP, TLS and UDP, which have no base of their own.</summary>
interface IServer { bool Start(); bool Stop(); }
interface IConnection { bool SendAsync(ReadOnlySpan<byte> bytes); bool Disconnect(); }
interface IClient : IConnection { bool ConnectAsync(); bool OptionNoDelay { set; } long BytesPending { get; } long BytesSending { get; } }
interface IReceiver { void ReceiveAsync(); }

/// <summary>The messages in a stream of TCP or TLS: each stands behind its length.</summary>
sealed class Frames(int mostBytes)
{
    public const int LengthBytes = 4;
    byte[] kept = [];
    int filled;

    /// <summary>What was kept of the last message and what came now.</summary>
    public ReadOnlySpan<byte> Append(byte[] buffer, long offset, long size)
    {
        var received = buffer.AsSpan((int)offset, (int)size);
        if (filled == 0) return received;
        if (kept.Length < filled + received.Length) Array.Resize(ref kept, filled + received.Length);
        received.CopyTo(kept.AsSpan(filled));
        return kept.AsSpan(0, filled + received.Length);
    }

    /// <summary>Takes the next whole message off the front, with its length; false: none is whole, what is left was kept. Throws at
    /// a length that no message has.</summary>
    public bool TryTake(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> frame)
    {
        var length = rest.Length < LengthBytes ? 0 : BinaryPrimitives.ReadInt32LittleEndian(rest);
        if (length < 0 || length > mostBytes) throw new InvalidDataException("What answers there is no server of this bench.");
        var isWhole = rest.Length >= LengthBytes + length;
        frame = isWhole ? rest[..(LengthBytes + length)] : default;
        rest = rest[frame.Length..];
        if (isWhole) return true;
        if (kept.Length < rest.Length) kept = new byte[LengthBytes + mostBytes];
        rest.CopyTo(kept);
        filled = rest.Length;
        return false;
    }
}
