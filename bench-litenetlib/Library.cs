using System.Reflection;
using LiteNetLib;

/// <summary>LiteNetLib: reliable UDP in C#.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "litenetlib";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(NetManager).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetName().Version!.ToString(3);

    /// <summary>Of --work those that it does, the first by default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>Of --delivery those that it has, the first by default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered", "reliable-unordered", "unreliable"];
    /// <summary>Of --security those that it has, the first by default.</summary>
    public static readonly string[] Securities = ["none"];

    /// <summary>Its ways, the first by default, with the serializer of each.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes", [Loop] = "bytes" };

    /// <summary>The variant that sends to each of a room in turn, rather than by SendToAll. That knows no rooms: where
    /// there are several the variant default does the same.</summary>
    public const string Loop = "loop";

    /// <summary>How its sides wait for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "polls";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "Both sides run in manual mode, which its author advises for many managers: a thread "
        + "polls without pause, so an idle side still takes a core. But for the profile tuned each manager polls a "
        + "second socket, for IPv6. Its socket buffers are 1 MiB by constant and cannot be read back. One empty "
        + "datagram, from anybody, stops a manager in manual mode for good.";

    /// <summary>Key of a connection request; versions and settings are compared by the greeting.</summary>
    public const string Key = "bench";

    /// <summary>Packets of a channel that are on the way at most.</summary>
    public const int ReliableWindow = 64;

    // NetConstants: the MTU that every connection starts with, without the header of a packet.
    const int MostUnreliableBytes = 1023;

    /// <summary>The knobs of the profile tuned and their values, each a field of NetManager; null: there is nothing to
    /// turn. UseNativeSockets is none of them: manual mode receives without them and, as their peers are hashed in
    /// another way, allocates an endpoint for each datagram.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["IPv6Enabled"] = false,
        ["PacketPoolSize"] = 10_000,
    };

    /// <summary>What the library logged last as an error, without its stack trace.</summary>
    public static string? LastFault { get; private set; }

    /// <summary>The period with which the library itself acts, in seconds; null: none. Its UpdateTime is that of its
    /// own thread, which manual mode does not have.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        bool isReliable = settings.Delivery != "unreliable";
        if (!isReliable && Message.MostBytes(settings) > MostUnreliableBytes)
        {
            return $"litenetlib takes at most {MostUnreliableBytes} unreliable bytes per message.";
        }
        if (isReliable && settings.Parallel > ReliableWindow)
        {
            return $"litenetlib has a reliable window of {ReliableWindow} packets; "
                + "more messages in flight would wait in it.";
        }
        if (settings.Variant == Loop && settings.Work != Settings.Broadcast)
        {
            return "The variant loop of litenetlib is one of the work broadcast alone.";
        }
        return Exchange.Limit(settings);
    }

    /// <summary>The library's name for a delivery mode.</summary>
    public static DeliveryMethod Method(Settings settings) => settings.Delivery switch
    {
        "reliable-ordered" => DeliveryMethod.ReliableOrdered,
        "reliable-unordered" => DeliveryMethod.ReliableUnordered,
        _ => DeliveryMethod.Unreliable,
    };

    /// <summary>Makes a manager as both sides use it.</summary>
    public static NetManager NewManager(INetEventListener listener, Settings settings)
    {
        NetDebug.Logger = new Faults();
        var manager = new NetManager(listener) { AutoRecycle = true };
        if (settings.Profile == "tuned")
        {
            foreach ((string knob, object value) in Tuned!)
            {
                typeof(NetManager).GetField(knob)!.SetValue(manager, value);
            }
        }
        return manager;
    }

    // The library's own logger writes to stdout, where only records belong. Clients end with what it says.
    sealed class Faults : INetLogger
    {
        public void WriteNet(NetLogLevel level, string text, params object[] arguments)
        {
            if (level != NetLogLevel.Error)
            {
                return;
            }
            LastFault = string.Format(text, arguments).Split('\n')[0].Trim();
            if (Program.Side == "client")
            {
                Program.Exit(new Failure(LastFault));
            }
        }
    }
}
