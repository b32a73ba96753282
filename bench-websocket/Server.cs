using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Kestrel with a WebSocket for each client: what came together is answered together.</summary>
static class Server
{
    static readonly ManualResetEventSlim stopping = new();
    // What the calling thread has read of a broadcast.
    [ThreadStatic] static byte[]? ownMessage;
    static Rooms<Wire>? rooms;
    static int messageBytes;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        rooms = settings.HasRooms ? new Rooms<Wire>(settings) : null;
        messageBytes = Message.BufferBytes(settings);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        app.UseWebSockets();
        app.Run(Serve);
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => stopping.Set();

    static void Listen(KestrelServerOptions kestrel, Settings settings)
    {
        kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listening =>
        {
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
        });
    }

    static async Task Serve(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            return;
        }
        using WebSocket socket = await context.WebSockets.AcceptWebSocketAsync();
        var wire = new Wire(socket);
        Action<BinaryReader> answer = call => Answer(call, wire);
        try
        {
            bool continues = true;
            while (continues)
            {
                continues = await wire.Receive(answer);
            }
        }
        catch (Exception fault) when (fault is WebSocketException or IOException or ConnectionAbortedException)
        {
            // The client has left, or is none of this bench.
        }
        rooms?.End(wire);
    }

    static void Answer(BinaryReader call, Wire wire)
    {
        int slot = call.ReadInt32();
        var operation = (Operation)call.ReadByte();
        switch (operation)
        {
            case Operation.Sum:
                int a = call.ReadInt32();
                int b = call.ReadInt32();
                wire.Write(slot, operation, Service.Sum(a, b), Binary.Write);
                break;
            case Operation.GetUser:
                wire.Write(slot, operation, Service.GetUser(call.ReadInt64()), Binary.Write);
                break;
            case Operation.SayHello:
                wire.Write(slot, operation, Service.SayHello(Binary.ReadHello(call)), Binary.Write);
                break;
            case Operation.Broadcast when rooms != null:
                ReadOnlySpan<byte> message = ReadMessage(call, slot);
                foreach (Wire member in rooms.Take(wire, message))
                {
                    member.Write(message);
                }
                break;
            default:
                throw new IOException("There is no such operation.");
        }
    }

    static ReadOnlySpan<byte> ReadMessage(BinaryReader call, int length)
    {
        if (length < 0 || length > messageBytes)
        {
            throw new IOException("A message has a length that none has.");
        }
        ownMessage ??= new byte[messageBytes];
        Span<byte> message = ownMessage.AsSpan(0, length);
        call.BaseStream.ReadExactly(message);
        return message;
    }
}
