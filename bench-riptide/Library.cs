using System.Net.Sockets;
using System.Reflection;
using Riptide;
using Riptide.Transports.Udp;

/// <summary>Riptide: a small library for games, on UDP, that does all of its work in Update.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "riptide";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(Riptide.Server).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split('+')[0];

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-unordered", Settings.Unreliable];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none"];

    /// <summary>The variant whose server sleeps for 1 ms, not 10, between its updates.</summary>
    public const string Sleep1 = "sleep1";

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes", [Sleep1] = "bytes" };

    /// <summary>How its sides wait for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "Its server sleeps for 10 ms between two updates, as in the library's samples, and "
        + "answers when it wakes: its closed loop is bound by that, so read the CPU per message. After a gap of 32 or "
        + "more reliable messages of a client it takes some for repeated ones (Bitfield.ShiftBy): they are lost, and "
        + "the run fails.";

    /// <summary>The most clients of a server.</summary>
    public const ushort MostClients = ushort.MaxValue - 1;

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;

    // The id of the messages, which the library writes as one byte, is part of its payload.
    const int IdBytes = 1;

    // Without progress for so long a connection has ended; the library's 5 s may pass while a busy machine rests.
    const int TimeoutMs = 15_000;

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static Dictionary<string, object>? Tuned => null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => SleepMs(settings) / 1_000.0;

    /// <summary>For how long its server sleeps between two updates.</summary>
    public static int SleepMs(Settings settings) => settings.Variant == Sleep1 ? 1 : 10;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        int mostBytes = Riptide.Message.MaxPayloadSize - IdBytes;
        if (Message.MostBytes(settings) > mostBytes)
        {
            return $"riptide takes at most {mostBytes} bytes per message.";
        }
        return settings.Clients > MostClients
            ? $"A server of riptide takes at most {MostClients} clients."
            : Exchange.Limit(settings);
    }

    /// <summary>How a message of these settings is sent.</summary>
    public static MessageSendMode Mode(Settings settings)
    {
        return settings.Delivery == Settings.Unreliable ? MessageSendMode.Unreliable : MessageSendMode.Reliable;
    }

    /// <summary>A message with these bytes; it returns to the library's pool when it is sent.</summary>
    public static Riptide.Message NewMessage(byte[] bytes, int length, MessageSendMode mode)
    {
        return Riptide.Message.Create(mode, 0).AddBytes(bytes, 0, length, includeLength: false);
    }

    /// <summary>Reads what is left of a message into a buffer, and returns its length; what is longer than any message
    /// of these settings is read as far as there is room, which makes it foreign.</summary>
    public static int Read(Riptide.Message message, byte[] buffer)
    {
        int length = Math.Min(message.UnreadBits / 8, buffer.Length);
        message.GetBytes(length, buffer);
        return length;
    }

    /// <summary>A connection is not ended because much is lost or because the machine is busy.</summary>
    public static void Keep(Connection connection)
    {
        connection.CanQualityDisconnect = false;
        connection.TimeoutTime = TimeoutMs;
    }

    /// <summary>The way of the library over UDP, of the family of the address.</summary>
    public static SocketMode ModeOfSocket(Settings settings)
    {
        return settings.Endpoint.AddressFamily == AddressFamily.InterNetwork ? SocketMode.IPv4Only : SocketMode.Both;
    }

    /// <summary>The socket of a side, which the library keeps to itself.</summary>
    public static Socket SocketOf(UdpPeer peer)
    {
        FieldInfo field = typeof(UdpPeer).GetField("socket", BindingFlags.NonPublic | BindingFlags.Instance)!;
        return (Socket)field.GetValue(peer)!;
    }
}
