using System.Reflection;
using System.Runtime.InteropServices;
using DataChannelDotnet.Bindings;

/// <summary>WebRTC data channels (SCTP over DTLS over UDP) by libdatachannel in C++, by the bindings of
/// DataChannelDotnet: its managed layer does not tell the buffered amount.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "datachannel";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(Rtc).Assembly;
    /// <summary>The version of its package: the assembly says 0.0.0.</summary>
    public static readonly string Version =
        typeof(Library).Assembly.GetCustomAttribute<AssemblyMetadataAttribute>()!.Value!;

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered", "reliable-unordered", Settings.Unreliable];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none"];

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes" };

    /// <summary>How its sides wait for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note =
        "Always encrypted (DTLS), and allocates natively: see RSS, not bytes. Its libjuice ends a connection "
        + "that has 1,000 datagrams to receive at once, by which a fast stream may fail.";

    // The library's own limit, by default.
    const int MostMessageBytes = 262_144;

    /// <summary>The knobs of the profile tuned and their values, each a field of rtcSctpSettings, in bytes (by default
    /// 1 MiB each). What may be on the way is kept below the datagrams that libjuice bears at once (see Note), the more
    /// of which a larger sendBufferSize sends: 2 MiB and more fail at once. The receiver's also holds what it spends on
    /// each chunk.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["recvBufferSize"] = 4 << 20,
        ["sendBufferSize"] = 3 << 18,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        if (RuntimeInformation.ProcessArchitecture != Architecture.X64)
        {
            return "DataChannelDotnet has a native library for x64 alone.";
        }
        return Message.MostBytes(settings) > MostMessageBytes
            ? $"datachannel takes at most {MostMessageBytes} bytes per message."
            : Exchange.Limit(settings);
    }

    /// <summary>Turns the knobs that the profile asks for, of all peers made from now on.</summary>
    public static unsafe void Tune(Settings settings)
    {
        // Boxed, so that its fields can be set by name.
        object knobs = new rtcSctpSettings();
        if (settings.Profile == "tuned")
        {
            foreach ((string knob, object value) in Tuned!)
            {
                typeof(rtcSctpSettings).GetField(knob)!.SetValue(knobs, value);
            }
        }
        var sctp = (rtcSctpSettings)knobs;
        Check(Rtc.rtcSetSctpSettings(&sctp));
    }

    /// <summary>What the library returned, unless that is an error.</summary>
    public static int Check(int result)
    {
        return result >= 0 ? result : throw new Failure($"libdatachannel refuses a call (error {result}).");
    }

    /// <summary>Hands a message to the library, which copies it. False: the channel is closed.</summary>
    public static unsafe bool Send(int channel, ReadOnlySpan<byte> message)
    {
        fixed (byte* bytes = message)
        {
            return Rtc.rtcSendMessage(channel, (sbyte*)bytes, message.Length) >= 0;
        }
    }

    /// <summary>Ends the process from a callback, on another thread: the library waits for its own.</summary>
    public static void Fail(Exception fault) => ThreadPool.UnsafeQueueUserWorkItem(_ => Program.Exit(fault), null);

    /// <summary>How a channel of a delivery mode delivers.</summary>
    public static rtcReliability Reliability(string delivery) => new()
    {
        unordered = (byte)(delivery == "reliable-ordered" ? 0 : 1),
        unreliable = (byte)(delivery == Settings.Unreliable ? 1 : 0),
        maxRetransmits = 0,
    };
}
