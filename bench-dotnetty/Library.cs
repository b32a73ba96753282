using System.Net.Security;
using System.Reflection;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using DotNetty.Buffers;
using DotNetty.Codecs;
using DotNetty.Handlers.Tls;
using DotNetty.Transport.Channels;

/// <summary>DotNetty: Netty's event loops, pipelines of handlers and pooled buffers in C#, over TCP.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "dotnetty";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(IChannel).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetName().Version!.ToString(fieldCount: 3);

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "stream", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default.</summary>
    public static readonly string[] Deliveries = ["reliable-ordered"];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes" };

    /// <summary>How its sides wait for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note =
        "What one read brings is answered by one flush, on both sides. TLS is 1.2, of all others 1.3.";

    // Socket buffers that every bench asks for, in bytes.
    const int SocketBufferBytes = 1 << 20;

    // Of TLS 1.3 the library's handler loses what comes in one read with the end of the handshake.
    const SslProtocols Tls = SslProtocols.Tls12;

    // Whoever leaves so much unread in a room is put out.
    const int MostUnreadBytes = 16 << 20;

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static Dictionary<string, object>? Tuned => null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => Exchange.Limit(settings);

    /// <summary>Adds the handlers of a channel: the length before each message, and the one that takes what came.
    /// </summary>
    public static void AddHandlers(IChannel channel, Settings settings, TlsHandler? tls, IChannelHandler last)
    {
        Set(channel, settings);
        if (tls != null)
        {
            channel.Pipeline.AddLast(tls);
        }
        channel.Pipeline.AddLast(
            new LengthFieldPrepender(sizeof(int)),
            new LengthFieldBasedFrameDecoder(
                sizeof(int) + Message.MostBytes(settings), 0, sizeof(int), 0, sizeof(int)),
            last);
    }

    /// <summary>The handler that encrypts what a client sends.</summary>
    public static TlsHandler NewTls(Settings settings)
    {
        var client = new ClientTlsSettings(Tls, checkCertificateRevocation: false, [], targetHost: Name);
        bool IsTrusted(X509Certificate? shown) => Certificates.IsTrusted(shown, settings);
        return new TlsHandler(channel => new SslStream(channel, true, (_, shown, _, _) => IsTrusted(shown)), client);
    }

    /// <summary>The handler that encrypts what a server sends, with a certificate.</summary>
    public static TlsHandler NewTls(X509Certificate2 certificate)
    {
        return new TlsHandler(new ServerTlsSettings(certificate, false, false, Tls));
    }

    /// <summary>A buffer of the channel's pool with these bytes.</summary>
    public static IByteBuffer NewMessage(IChannel channel, byte[] bytes)
    {
        return channel.Allocator.Buffer(bytes.Length).WriteBytes(bytes);
    }

    /// <summary>The bytes of a message that came.</summary>
    public static ReadOnlySpan<byte> BytesOf(IByteBuffer message)
    {
        return message.Array.AsSpan(message.ArrayOffset + message.ReaderIndex, message.ReadableBytes);
    }

    // Buffers of a stream's sockets are left to the system, which sizes them to the link.
    static void Set(IChannel channel, Settings settings)
    {
        IChannelConfiguration options = channel.Configuration;
        options.SetOption(ChannelOption.TcpNodelay, true);
        if (settings.Work != Settings.Stream)
        {
            options.SetOption(ChannelOption.SoRcvbuf, SocketBufferBytes);
            options.SetOption(ChannelOption.SoSndbuf, SocketBufferBytes);
        }
        if (settings.HasRooms)
        {
            options.SetOption(ChannelOption.WriteBufferHighWaterMark, MostUnreadBytes);
        }
    }
}
