using System.Collections.Concurrent;
using System.Net;
using System.Net.Quic;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

/// <summary>The echo server: it answers on the stream on which a message came, or in the variant streams on one of its
/// own. A game ticks on a thread of its own.</summary>
static class Server
{
    // Of a client in a room.
    const int MostWaitingBytes = 16 << 20;

    const int MostCloseMilliseconds = 1_000;

    static readonly ManualResetEventSlim stopped = new();
    // Those that are there; the value says nothing.
    static readonly ConcurrentDictionary<Channel, bool> channels = new();
    static Rooms<Channel>? rooms;
    static World? world;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        rooms = settings.HasRooms ? new Rooms<Channel>(settings) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        var tls = new SslServerAuthenticationOptions { ServerCertificate = NewCertificate() };
        QuicListener listener = Listen(settings, tls);
        _ = Accept(listener, settings);
        Records.WriteReady(settings);
        if (world != null)
        {
            Play(world, new byte[Message.BufferBytes(settings)]);
        }
        stopped.Wait();
        Task closing = Task.WhenAll(channels.Keys.Select(channel => channel.Close()));
        closing.Wait(MostCloseMilliseconds);
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => stopped.Set();

    // libmsquic shares a port with others that share it, as another of these servers; so it is asked for alone first.
    static QuicListener Listen(Settings settings, SslServerAuthenticationOptions tls)
    {
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        using (var alone = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp))
        {
            alone.Bind(address);
        }
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

    static async Task Accept(QuicListener listener, Settings settings)
    {
        while (true)
        {
            try
            {
                QuicConnection connection = await listener.AcceptConnectionAsync();
                _ = Serve(connection, settings);
            }
            catch (Exception fault)
                when (fault is QuicException or AuthenticationException or OperationCanceledException)
            {
                // Who asked has left, or does not shake hands.
            }
        }
    }

    static async Task Serve(QuicConnection connection, Settings settings)
    {
        Channel? channel = null;
        try
        {
            channel = await Channel.Accept(connection, settings, MostWaitingBytes);
            channels.TryAdd(channel, true);
            await channel.Receive(OnMessage, isStalled: () => false, awaitsFlush: true);
        }
        catch (Exception fault) when (fault is IOException or OperationCanceledException
            or ObjectDisposedException or InvalidDataException)
        {
            // The client is gone, or sends what is no message of these settings.
        }
        if (channel == null)
        {
            await connection.DisposeAsync();
            return;
        }
        rooms?.End(channel);
        await channel.Close();
        channels.TryRemove(channel, out _);
    }

    static void OnMessage(Channel channel, ReadOnlySpan<byte> message)
    {
        if (rooms != null && !Greeting.IsRequest(message))
        {
            OnMessageInRoom(channel, message);
            return;
        }
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (!echo.IsEmpty && !channel.Write(echo))
        {
            Echo.CountUnsent(echo);
        }
    }

    static void OnMessageInRoom(Channel channel, ReadOnlySpan<byte> message)
    {
        if (world != null && !Message.IsAboutRoom(message))
        {
            world.Take(message);
            return;
        }
        foreach (Channel member in rooms!.Take(channel, message))
        {
            Send(member, message);
        }
    }

    // A room does not wait for one who does not read: it is put out.
    static void Send(Channel member, ReadOnlySpan<byte> message)
    {
        if (member.Write(message))
        {
            _ = member.Flush();
            return;
        }
        Echo.CountUnsent(message);
        rooms!.End(member);
        _ = member.Close();
    }

    // Sends each player its snapshot at each tick.
    static void Play(World world, byte[] snapshot)
    {
        while (world.WaitForTick(stopped))
        {
            if (!world.TryBeginTick())
            {
                continue;
            }
            for (int client = 0; client < rooms!.Clients; client++)
            {
                if (rooms.TryGet(client, out Channel player))
                {
                    int length = world.Write(client, snapshot);
                    Send(player, snapshot.AsSpan(0, length));
                }
            }
        }
    }
}
