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
    /// <summary>What Kestrel calls for each connection, which ends when the call returns.</summary>
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

    const int MostSleepMicroseconds = 500_000;

    static Service<Session> service = null!;
    static bool hasRooms;
    static int messageBytes;

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        service = new Service<Session>(settings);
        hasRooms = settings.HasRooms;
        messageBytes = Message.MostBytes(settings);
        HttpsConnectionAdapterOptions? tls = settings.Security == "tls" ? TlsOptions.OfServer(settings) : null;
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.Configure<SocketTransportOptions>(options => Library.Tune(options, settings));
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings, tls));
        WebApplication app = builder.Build();
        app.Start();
        Records.WriteReady(settings);
        while (settings.Work == Settings.Game)
        {
            Delay.Sleep(Math.Min(service.MicrosecondsToTick, MostSleepMicroseconds));
            foreach (Service<Session>.Member player in service.Tick())
            {
                Send(player.Connection, player.Snapshot);
            }
        }
    }

    static void Listen(KestrelServerOptions kestrel, Settings settings, HttpsConnectionAdapterOptions? tls)
    {
        kestrel.Listen(settings.Endpoint, listening =>
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
            service.OnClosed(session);
            session.Pipe.End();
        }
    }

    // Returns how far whole messages go.
    static SequencePosition TakeAll(Session session, ReadOnlySequence<byte> rest)
    {
        while (session.Pipe.TryTake(ref rest, out ReadOnlySpan<byte> message))
        {
            foreach (Session receiver in service.Take(ref session, message))
            {
                Send(receiver, message);
            }
        }
        return rest.Start;
    }

    // An echo goes with the flush of all that came with it. A room does not wait for one who does not read: it is put
    // out.
    static void Send(Session receiver, ReadOnlySpan<byte> message)
    {
        bool isWritten = receiver.Pipe.Write(message);
        if (!isWritten)
        {
            Window.Now[Count.Sent]--;
        }
        if (hasRooms && isWritten)
        {
            _ = receiver.Pipe.Flush();
        }
        else if (hasRooms)
        {
            receiver.Abort();
        }
    }
}
