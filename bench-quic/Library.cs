using System.Net.Quic;
using System.Net.Security;
using System.Net.Sockets;
using System.Reflection;
using System.Runtime.Versioning;
using System.Security.Authentication;

// Where System.Net.Quic is; elsewhere it says that it is not supported.
[assembly: SupportedOSPlatform("linux")]
[assembly: SupportedOSPlatform("macos")]
[assembly: SupportedOSPlatform("windows")]

/// <summary>System.Net.Quic: QUIC by .NET's own API over libmsquic.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "quic";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(QuicConnection).Assembly;
    /// <summary>Its version, as loaded: that of .NET and, as it does the work, that of libmsquic.</summary>
    public static readonly string Version = $"{Environment.Version} with libmsquic {NativeVersion()}";

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered", "reliable-unordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none"];

    /// <summary>The variant with a stream of QUIC for each message.</summary>
    public const string Streams = "streams";

    /// <summary>Its ways, the first by default, with the serializer of each: by default a client's messages share one
    /// stream of QUIC.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes", [Streams] = "bytes" };

    /// <summary>How its sides wait for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "Always encrypted (TLS 1.3), by a certificate that the server makes and clients take "
        + "unseen. libmsquic works on threads of its own and allocates natively: see RSS, not bytes.";

    /// <summary>The knobs of the profile tuned and their values, each a property of QuicReceiveWindowSizes, in bytes.
    /// </summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["LocallyInitiatedBidirectionalStream"] = 1 << 20,
        ["RemotelyInitiatedBidirectionalStream"] = 1 << 20,
        ["UnidirectionalStream"] = 1 << 20,
    };

    // Of one message each, that may be open at a time.
    const int MostStreams = 1_000;

    static readonly List<SslApplicationProtocol> protocols = [new("bench")];

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        if (!Socket.OSSupportsIPv6)
        {
            return "quic needs IPv6, which is off here: .NET opens sockets of both kinds for it.";
        }
        if (!IsSupported())
        {
            return "quic is unavailable without libmsquic 2.2.2 or newer: on Debian install the package libmsquic of "
                + "Microsoft's repository (packages.microsoft.com), on Alpine call `apk add libmsquic`; Windows has it "
                + "from Windows 11 and Server 2022 on.";
        }
        bool hasStreams = settings.Variant == Streams;
        if (hasStreams && settings.Delivery == "reliable-ordered")
        {
            return $"Messages that have a stream each keep no order: --variant {Streams} is of --delivery "
                + "reliable-unordered.";
        }
        if (!hasStreams && settings.Delivery == "reliable-unordered")
        {
            return $"Messages that share a stream keep their order: --delivery reliable-unordered is of --variant "
                + $"{Streams}.";
        }
        return Exchange.Limit(settings);
    }

    /// <summary>How a server listens, and what all its connections are.</summary>
    public static QuicListenerOptions ListenerOptions(Settings settings, SslServerAuthenticationOptions tls)
    {
        tls.ApplicationProtocols = protocols;
        tls.EnabledSslProtocols = SslProtocols.Tls13;
        var options = new QuicServerConnectionOptions { ServerAuthenticationOptions = tls };
        Set(options, settings);
        options.MaxInboundBidirectionalStreams = settings.Variant == Streams ? 0 : 1;
        return new QuicListenerOptions
        {
            ListenEndPoint = settings.Endpoint,
            ApplicationProtocols = protocols,
            ConnectionOptionsCallback = (_, _, _) => ValueTask.FromResult(options),
        };
    }

    /// <summary>How a client connects.</summary>
    public static QuicClientConnectionOptions ClientOptions(Settings settings)
    {
        var options = new QuicClientConnectionOptions
        {
            RemoteEndPoint = settings.Endpoint,
            ClientAuthenticationOptions = new SslClientAuthenticationOptions
            {
                ApplicationProtocols = protocols,
                EnabledSslProtocols = SslProtocols.Tls13,
                TargetHost = "localhost",
                RemoteCertificateValidationCallback = (_, shown, _, _) => shown != null,
            },
        };
        Set(options, settings);
        return options;
    }

    // A connection that is idle stays: clients may wait for long until they are to send. One whose other side is gone
    // ends when that has acknowledged nothing for 16 s.
    static void Set(QuicConnectionOptions options, Settings settings)
    {
        options.DefaultCloseErrorCode = 0;
        options.DefaultStreamErrorCode = 0;
        options.IdleTimeout = Timeout.InfiniteTimeSpan;
        options.MaxInboundUnidirectionalStreams = settings.Variant == Streams ? MostStreams : 0;
        if (settings.Profile != "tuned")
        {
            return;
        }
        foreach ((string knob, object value) in Tuned!)
        {
            typeof(QuicReceiveWindowSizes).GetProperty(knob)!.SetValue(options.InitialReceiveWindowSizes, value);
        }
    }

    // A libmsquic that is too old to be asked throws.
    static bool IsSupported()
    {
        try
        {
            return QuicListener.IsSupported;
        }
        catch (TypeInitializationException)
        {
            return false;
        }
    }

    // .NET knows it and does not show it.
    static string NativeVersion()
    {
        try
        {
            Type? api = Assembly.GetType("System.Net.Quic.MsQuicApi");
            PropertyInfo? version = api?.GetProperty("Version", BindingFlags.Static | BindingFlags.NonPublic);
            return (version?.GetValue(null) as Version)?.ToString(3) ?? "of unknown version";
        }
        catch (TargetInvocationException)
        {
            return "of unknown version";
        }
    }
}
