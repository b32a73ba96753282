using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>The echo server: Kestrel with a connection handler, which answers what one read brought by one flush. A
/// game ticks on a thread of its own.</summary>
static class Server
{
    /// <summary>What Kestrel calls for each connection, until which it ends.</summary>
    sealed class Handler : ConnectionHandler
    {
        public override Task OnConnectedAsync(ConnectionContext connection) => Serve(connection);
    }

    /// <summary>A client, as rooms know it.</summary>
    sealed class Session(ConnectionContext connection)
    {
        public readonly FramedPipe Pipe =
            new(connection.Transport.Input, connection.Transport.Output, messageBytes, MostWaitingBytes);

        /// <summary>Ends the connection; its reader sees that.</summary>
        public void Abort() => connection.Abort();
    }

    // Of a client in a room.
    const int MostWaitingBytes = 16 << 20;

    static readonly ManualResetEventSlim stopped = new();
    static Rooms<Session>? rooms;
    static World? world;
    static int messageBytes;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        rooms = settings.HasRooms ? new Rooms<Session>(settings) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        messageBytes = Message.BufferBytes(settings);
        HttpsConnectionAdapterOptions? tls = settings.Security == "tls" ? TlsOptions.OfServer(settings) : null;
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.Configure<SocketTransportOptions>(options => Library.Tune(options, settings));
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings, tls));
        WebApplication app = builder.Build();
        app.Start();
        Records.WriteReady(settings);
        if (world != null)
        {
            Play(world, new byte[messageBytes]);
        }
        stopped.Wait();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => stopped.Set();

    static void Listen(KestrelServerOptions kestrel, Settings settings, HttpsConnectionAdapterOptions? tls)
    {
        kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listening =>
        {
            if (tls != null)
            {
                listening.UseHttps(tls);
            }
            listening.UseConnectionHandler<Handler>();
        });
    }

    static async Task Serve(ConnectionContext connection)
    {
        var session = new Session(connection);
        PipeReader input = session.Pipe.Input;
        try
        {
            bool isThere = true;
            while (isThere)
            {
                ReadResult read = await input.ReadAsync();
                input.AdvanceTo(TakeAll(session, read.Buffer), read.Buffer.End);
                // Who does not read is not read from.
                isThere = await session.Pipe.Flush() && !read.IsCompleted;
            }
        }
        catch (Exception fault) when (fault is IOException or OperationCanceledException or InvalidDataException)
        {
            // The client is gone, or sends what is no message of these settings.
            session.Abort();
        }
        finally
        {
            rooms?.End(session);
            session.Pipe.End();
        }
    }

    // Returns how far whole messages go.
    static SequencePosition TakeAll(Session session, ReadOnlySequence<byte> rest)
    {
        while (session.Pipe.TryTake(ref rest, out ReadOnlySpan<byte> message))
        {
            if (rooms != null && !Greeting.IsRequest(message))
            {
                OnMessageInRoom(session, message);
                continue;
            }
            ReadOnlySpan<byte> echo = Echo.Answer(message);
            if (!echo.IsEmpty && !session.Pipe.Write(echo))
            {
                Echo.CountUnsent(echo);
            }
        }
        return rest.Start;
    }

    static void OnMessageInRoom(Session session, ReadOnlySpan<byte> message)
    {
        if (world != null && !Message.IsAboutRoom(message))
        {
            world.Take(message);
            return;
        }
        foreach (Session member in rooms!.Take(session, message))
        {
            Send(member, message);
        }
    }

    // A room does not wait for one who does not read: it is put out.
    static void Send(Session member, ReadOnlySpan<byte> message)
    {
        if (member.Pipe.Write(message))
        {
            _ = member.Pipe.Flush();
            return;
        }
        Echo.CountUnsent(message);
        rooms!.End(member);
        member.Abort();
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
                if (rooms.TryGet(client, out Session player))
                {
                    int length = world.Write(client, snapshot);
                    Send(player, snapshot.AsSpan(0, length));
                }
            }
        }
    }
}
