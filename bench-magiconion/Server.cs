using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Kestrel with MagicOnion's services.</summary>
static class Server
{
    static readonly ManualResetEventSlim stopping = new();
    // Of each client, by its number, the name of its room's group.
    static string[] groups = [];

    /// <summary>The clients that are in rooms; null: there are no rooms.</summary>
    public static Rooms<IHears>? Rooms { get; private set; }

    /// <summary>Whether a room's messages are sent to each client in turn.</summary>
    public static bool SendsInTurn { get; private set; }

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        if (settings.HasRooms)
        {
            var plan = new RoomPlan(settings);
            groups = [.. Enumerable.Range(0, settings.Clients).Select(client => $"{plan.FirstOf(client)}")];
            Rooms = new Rooms<IHears>(settings);
            SendsInTurn = settings.Variant == Library.Loop;
        }
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddMagicOnion();
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        app.MapMagicOnionService();
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    /// <summary>The group of the room of a message's sender.</summary>
    public static string GroupOf(byte[] message) => groups[Message.Peek(message).Client];

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => stopping.Set();

    static void Listen(KestrelServerOptions kestrel, Settings settings)
    {
        if (settings.Profile == "tuned")
        {
            kestrel.AddServerHeader = false;
        }
        kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listening =>
        {
            listening.Protocols = HttpProtocols.Http2;
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
        });
    }
}
