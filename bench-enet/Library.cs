using System.Reflection;
using System.Runtime.InteropServices;
using ENet;

/// <summary>ENet-CSharp: reliable UDP in C, behind a C# binding.</summary>
static class Library
{
    public const string Name = "enet";
    public static readonly Assembly Assembly = typeof(Host).Assembly;
    public static readonly string Version =
        $"{ENet.Library.version >> 16}.{ENet.Library.version >> 8 & 255}.{ENet.Library.version & 255}";
    public static readonly string[] Deliveries = ["reliable-ordered", "unreliable"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = "Unreliable packets are sequenced and sent Unthrottled: ENet would " +
        "drop them at the sender once the round trip grows. Clients poll a host each and, idle, " +
        "wait in the one whose answer is due first. ENet allocates natively: see RSS, not bytes.";

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;
    // MTU 1280 less ENet's headers: above it ENet sends unreliable packets as reliable fragments.
    const int MostUnreliableBytes = 1244;

    /// <summary>The knobs of the profile `tuned` and their values; null: there is nothing to turn.</summary>
    public static readonly Dictionary<string, object>? Tuned = null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickS(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) =>
        RuntimeInformation.ProcessArchitecture != Architecture.X64
            ? "ENet-CSharp has a native library for x64 alone."
        : settings.Clients > ENet.Library.maxPeers
            ? $"A host of enet takes at most {ENet.Library.maxPeers} peers."
        : settings.Delivery == "unreliable" && settings.PayloadBytes > MostUnreliableBytes
            ? $"enet takes at most {MostUnreliableBytes} unreliable bytes in one datagram."
        : null;

    /// <summary>How a message of these settings is sent.</summary>
    public static PacketFlags Flags(Settings settings) =>
        settings.Delivery == "unreliable" ? PacketFlags.Unthrottled : PacketFlags.Reliable;
}
