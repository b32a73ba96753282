using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.SignalR;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Kestrel with a hub.</summary>
static class Server
{
    static readonly ManualResetEventSlim stopping = new();
    // Of each client, by its number, the name of its room's group.
    static string[] groups = [];

    /// <summary>The connections that are in rooms; null: there are no rooms.</summary>
    public static Rooms<string>? Rooms { get; private set; }

    /// <summary>Whether a room's messages are sent to each connection in turn.</summary>
    public static bool SendsInTurn { get; private set; }

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        if (settings.HasRooms)
        {
            var plan = new RoomPlan(settings);
            groups = [.. Enumerable.Range(0, settings.Clients).Select(client => $"{plan.FirstOf(client)}")];
            Rooms = new Rooms<string>(settings);
            SendsInTurn = settings.Variant == Library.Loop;
        }
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        ISignalRServerBuilder signalR = builder.Services.AddSignalR(hub =>
        {
            if (settings.Profile == "tuned")
            {
                hub.MaximumParallelInvocationsPerClient = (int)Library.Tuned!["MaximumParallelInvocationsPerClient"];
            }
        });
        if (settings.Variant == "messagepack")
        {
            signalR.AddMessagePackProtocol();
        }
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        if (settings.Variant != "tcp")
        {
            app.MapHub<CallsHub>("/calls");
        }
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
        kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listening =>
        {
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
            if (settings.Variant == "tcp")
            {
                listening.UseHub<CallsHub>();
            }
        });
    }
}
