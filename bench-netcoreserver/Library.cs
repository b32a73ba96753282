using System.Net.Sockets;
using System.Reflection;
using NetCoreServer;

/// <summary>NetCoreServer: asynchronous TCP and UDP sockets in C#.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "netcoreserver";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(TcpServer).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetName().Version!.ToString(3);

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered", Settings.Unreliable];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The variant that sends to each connection of a room in turn.</summary>
    public const string Loop = "loop";

    /// <summary>Its ways, the first by default, with the serializer of each. By default its TCP server sends to a room
    /// that has all clients by its own multicast.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes", [Loop] = "bytes" };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note =
        "reliable-ordered is its TCP, unreliable its UDP, whose server has one datagram in hand at a time. It "
        + "calls back on threads of the pool, and is the faster the more of them there are.";

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;

    // That UDP itself allows over IPv4.
    const int MostDatagramBytes = 65_507;

    /// <summary>The knobs of the profile tuned and their values: the runtime's for its sockets, which calls back on the
    /// thread that waits for them, and properties of its servers and clients, in bytes.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS"] = "1",
        ["OptionReceiveBufferSize"] = 65_536,
        ["OptionSendBufferSize"] = 65_536,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        if (settings is { Delivery: Settings.Unreliable, Security: "tls" })
        {
            return "netcoreserver has TLS over TCP alone: --security tls is of --delivery reliable-ordered.";
        }
        if (settings.Variant == Loop && !HasMulticast(settings))
        {
            return $"The variant {Loop} is of broadcasts over TCP to a room of all clients: else the default does so.";
        }
        return settings.Delivery == Settings.Unreliable && Message.MostBytes(settings) > MostDatagramBytes
            ? $"A datagram of netcoreserver takes at most {MostDatagramBytes} bytes."
            : Exchange.Limit(settings);
    }

    /// <summary>Whether the library has a way of its own to send to a room of these settings: its multicast goes to all
    /// connections.</summary>
    public static bool HasMulticast(Settings settings)
    {
        return settings.Work == Settings.Broadcast && settings.Delivery != Settings.Unreliable
            && (settings.Room == 0 || settings.Room >= settings.Clients);
    }

    /// <summary>A server or client with the knobs turned that the profile asks for.</summary>
    public static T Tune<T>(T side, Settings settings) where T : notnull
    {
        if (settings.Profile != "tuned")
        {
            return side;
        }
        foreach ((string knob, object value) in Tuned!)
        {
            if (!knob.StartsWith("DOTNET_", StringComparison.Ordinal))
            {
                typeof(T).GetProperty(knob)!.SetValue(side, value);
            }
        }
        return side;
    }

    /// <summary>Asks for the socket buffers of every bench, and reads them back. Those of a TCP stream are left to the
    /// system, which sizes them to the link.</summary>
    public static void SetBuffers(Socket socket, Settings settings)
    {
        if (settings.Work != Settings.Stream || settings.Delivery == Settings.Unreliable)
        {
            socket.ReceiveBufferSize = SocketBufferBytes;
            socket.SendBufferSize = SocketBufferBytes;
        }
        Records.SocketBuffers = (socket.ReceiveBufferSize, socket.SendBufferSize);
    }
}
