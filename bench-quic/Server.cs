using System.Collections.Concurrent;
using System.Net.Quic;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

/// <summary>The server: it answers on the stream on which a message came, or in the variant streams on one of its own.
/// </summary>
static class Server
{
    readonly struct Taker(Service<Channel> service) : ITaker
    {
        public void Take(Channel channel, ReadOnlySpan<byte> message)
        {
            foreach (Channel receiver in service.Take(ref channel, message))
            {
                Send(receiver, message);
            }
        }
    }

    // For a client that does not read.
    const int MostWaitingBytes = 16 << 20;
    const int MostSleepMicroseconds = 500_000;
    const int MostCloseMilliseconds = 1_000;

    // Those that are there; the value says nothing.
    static readonly ConcurrentDictionary<QuicConnection, bool> connections = new();

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        var service = new Service<Channel>(settings);
        // Else clients would notice only after 16 s that this process has ended.
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Task.WhenAll(connections.Keys.Select(
            connection => connection.CloseAsync(0).AsTask())).Wait(MostCloseMilliseconds);
        _ = Accept(Listen(settings), service, settings);
        Records.WriteReady(settings);
        while (settings.Work == Settings.Game)
        {
            Delay.Sleep(Math.Min(service.MicrosecondsToTick, MostSleepMicroseconds));
            foreach (Service<Channel>.Member player in service.Tick())
            {
                Send(player.Connection, player.Snapshot);
            }
        }
    }

    // libmsquic shares a port with others that share it, as another of these servers; so it is asked for alone first.
    static QuicListener Listen(Settings settings)
    {
        using (var alone = new Socket(settings.Endpoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp))
        {
            alone.Bind(settings.Endpoint);
        }
        var tls = new SslServerAuthenticationOptions { ServerCertificate = NewCertificate() };
        return QuicListener.ListenAsync(Library.ListenerOptions(settings, tls)).AsTask().GetAwaiter().GetResult();
    }

    // Of the kind that the runner makes for others. Windows takes only a key that was stored, so it goes by way of a
    // file's content.
    static X509Certificate2 NewCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        DateTimeOffset now = DateTimeOffset.UtcNow;
        using X509Certificate2 made = request.CreateSelfSigned(now.AddDays(-1), now.AddDays(30));
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), password: null);
    }

    static async Task Accept(QuicListener listener, Service<Channel> service, Settings settings)
    {
        while (true)
        {
            try
            {
                QuicConnection connection = await listener.AcceptConnectionAsync();
                _ = Serve(connection, service, settings);
            }
            catch (Exception fault)
                when (fault is QuicException or AuthenticationException or OperationCanceledException)
            {
                // Who asked has left, or does not shake hands.
            }
        }
    }

    static async Task Serve(QuicConnection connection, Service<Channel> service, Settings settings)
    {
        await using QuicConnection ends = connection;
        connections.TryAdd(connection, true);
        Channel? channel = null;
        try
        {
            channel = await Channel.Accept(connection, settings, MostWaitingBytes);
            await channel.Receive(new Taker(service));
        }
        catch (Exception fault) when (fault is QuicException or OperationCanceledException
            or ObjectDisposedException or InvalidDataException)
        {
            // The client is gone, or sends what is no message of these settings.
        }
        if (channel != null)
        {
            service.OnClosed(channel);
        }
        connections.TryRemove(connection, out _);
    }

    // A client that has left too much unread is put out.
    static void Send(Channel receiver, ReadOnlySpan<byte> message)
    {
        if (!receiver.Write(message))
        {
            Window.Now[Count.Sent]--;
            _ = receiver.DisposeAsync().AsTask();
        }
    }
}
