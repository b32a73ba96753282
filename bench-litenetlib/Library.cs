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

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered", "reliable-unordered", Settings.Unreliable];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none"];

    /// <summary>The variant that sends to each of a room in turn, rather than by SendToAll. That knows no rooms: where
    /// there are several the variant default does the same.</summary>
    public const string Loop = "loop";
    /// <summary>The variant whose server takes what came every 15 ms, as in the library's README.</summary>
    public const string Poll15 = "poll15";
    /// <summary>The variant whose sides are in manual mode and poll without pause.</summary>
    public const string Spin = "spin";

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants =
        new() { ["default"] = "bytes", [Loop] = "bytes", [Poll15] = "bytes", [Spin] = "bytes" };

    /// <summary>How this side waits for what comes: "blocks" in the system, "sleeps" between looks, or "polls" without
    /// pause.</summary>
    public static string Waits(Settings settings)
    {
        return settings.Variant switch
        {
            Spin => "polls",
            Poll15 when Program.Side == "server" => "sleeps",
            _ => "blocks",
        };
    }

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "The server has the library's own threads and answers in its callback; the clients run "
        + "in manual mode, which its author advises for many managers, on one thread that blocks until any of their "
        + "sockets has something. A reliable message that the library forgets is put in line again within 15 ms.";

    /// <summary>Key of a connection request.</summary>
    public const string Key = "bench";

    /// <summary>Packets of a channel that are on the way at most.</summary>
    public const int ReliableWindow = 64;

    // The library's 5 s may pass while a busy machine rests, and its connections then end.
    const int TimeoutMs = 15_000;

    // NetConstants: the MTU that every connection starts with, without the header of a packet.
    const int MostUnreliableBytes = 1023;

    /// <summary>The knobs of the profile tuned and their values, each a field of NetManager; null: there is nothing to
    /// turn. UseNativeSockets is of the server alone: manual mode receives without them.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["UseNativeSockets"] = true,
        ["IPv6Enabled"] = false,
        ["PacketPoolSize"] = 10_000,
    };

    /// <summary>What the library logged last as an error, without its stack trace.</summary>
    public static string? LastFault { get; private set; }

    /// <summary>The period with which the library itself acts, in seconds; null: none. What is sent wakes it.</summary>
    public static double? TickSeconds(Settings settings) => settings.Variant == Poll15 ? 0.015 : null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        bool isReliable = settings.Delivery != Settings.Unreliable;
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
    public static Manager NewManager(INetEventListener listener, Settings settings)
    {
        NetDebug.Logger = new Faults();
        var manager = new Manager(listener) { AutoRecycle = true, DisconnectTimeout = TimeoutMs };
        if (settings.Profile == "tuned")
        {
            manager.IPv6Enabled = (bool)Tuned!["IPv6Enabled"];
            manager.PacketPoolSize = (int)Tuned["PacketPoolSize"];
        }
        return manager;
    }

    // The library's own logger writes to stdout, where only records belong. Clients end with what it says, but for
    // datagrams that are none of LiteNetLib's: its sockets take what anybody sends to their ports, which others had
    // before.
    sealed class Faults : INetLogger
    {
        public void WriteNet(NetLogLevel level, string text, params object[] arguments)
        {
            if (level != NetLogLevel.Error)
            {
                return;
            }
            if (text.StartsWith("[NM] DataReceived", StringComparison.Ordinal))
            {
                Window.Now[Count.Foreign]++;
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
