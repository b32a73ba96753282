using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Kestrel with a WebSocket for each client: what came together is answered together.</summary>
static class Server
{
    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        var rooms = new Service<Wire>(settings);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        app.UseWebSockets();
        app.Run(context => Serve(context, rooms));
        app.Start();
        Records.WriteReady(settings);
    }

    static void Listen(KestrelServerOptions kestrel, Settings settings)
    {
        kestrel.Listen(settings.Endpoint, listening =>
        {
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
        });
    }

    // Kestrel takes what is thrown where a client has left, or is none of this bench.
    static async Task Serve(HttpContext context, Service<Wire> rooms)
    {
        using var wire = new Wire(await context.WebSockets.AcceptWebSocketAsync());
        try
        {
            while (await wire.Receive())
            {
                while (wire.HasMore)
                {
                    Answer(wire, rooms);
                }
            }
        }
        finally
        {
            rooms.OnClosed(wire);
        }
    }

    static void Answer(Wire wire, Service<Wire> rooms)
    {
        BinaryReader call = wire.Reader;
        int number = call.ReadInt32();
        var operation = (Operation)call.ReadByte();
        if (operation == Operation.Broadcast)
        {
            ReadOnlySpan<byte> message = wire.ReadBytes(number);
            foreach (Wire receiver in rooms.Take(ref wire, message))
            {
                receiver.Write(message);
            }
            return;
        }
        if (wire.IsPastEnd || !Enum.IsDefined(operation))
        {
            throw new InvalidDataException("This is no call.");
        }
        using Wire.Entry answer = wire.Write(number, operation);
        switch (operation)
        {
            case Operation.Sum:
                answer.To.Write(Service.Sum(call.ReadInt32(), call.ReadInt32()));
                break;
            case Operation.GetUser:
                Binary.Write(answer.To, Service.GetUser(call.ReadInt64()));
                break;
            default:
                Binary.Write(answer.To, Service.SayHello(Binary.ReadHello(call)));
                break;
        }
    }
}
