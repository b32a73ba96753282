using System.Net.Sockets;
using System.Reflection;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;

/// <summary>Kestrel, ASP.NET's server, without HTTP: its connection handlers on pipelines.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "kestrel";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(KestrelServer).Assembly;
    /// <summary>Its version, as loaded: that of ASP.NET, whose assemblies say the commit behind it.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split('+')[0];

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>Its ways, the first by default, with the serializer of each. It has no way of its own to send to many,
    /// which is a loop over connections.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes" };

    /// <summary>How this side waits for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note =
        "The server is Kestrel's ConnectionHandler; the clients are plain sockets with pipelines. What one "
        + "read brings is answered by one flush, on both sides; Kestrel receives 4 KiB at a time.";

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;

    /// <summary>The knobs of the profile tuned and their values: the runtime's for its sockets, which calls back on the
    /// thread that waits for them, and properties of Kestrel's SocketTransportOptions.</summary>
    public static readonly Dictionary<string, object>? Tuned = new()
    {
        ["DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS"] = "1",
        ["UnsafePreferInlineScheduling"] = true,
        ["WaitForDataBeforeAllocatingBuffer"] = false,
    };

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        return settings.Profile == "tuned" && settings.Work == Settings.Stream
            ? "kestrel's knobs are for messages that are answered: streams lose by them."
            : Exchange.Limit(settings);
    }

    /// <summary>Sets the server's sockets: buffers as every bench has them, and the knobs that the profile asks for.
    /// </summary>
    public static void Tune(SocketTransportOptions options, Settings settings)
    {
        options.CreateBoundListenSocket = endpoint =>
        {
            Socket listener = SocketTransportOptions.CreateDefaultBoundListenSocket(endpoint);
            SetBuffers(listener, settings);
            return listener;
        };
        if (settings.Profile != "tuned")
        {
            return;
        }
        foreach ((string knob, object value) in Tuned!)
        {
            if (!knob.StartsWith("DOTNET_", StringComparison.Ordinal))
            {
                typeof(SocketTransportOptions).GetProperty(knob)!.SetValue(options, value);
            }
        }
    }

    /// <summary>Asks for the socket buffers of every bench, and reads them back; one that listens has those of what it
    /// accepts. Those of a stream are left to the system, which sizes them to the link.</summary>
    public static void SetBuffers(Socket socket, Settings settings)
    {
        if (settings.Work != Settings.Stream)
        {
            socket.ReceiveBufferSize = SocketBufferBytes;
            socket.SendBufferSize = SocketBufferBytes;
        }
        Records.SocketBuffers = (socket.ReceiveBufferSize, socket.SendBufferSize);
    }
}
