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
    /// <summary>Where the hub is, over HTTP.</summary>
    public const string Path = "/calls";

    /// <summary>The connections that are in rooms, by their names.</summary>
    public static Service<string> Rooms { get; private set; } = null!;
    /// <summary>Whether a room's messages are sent to each connection in turn.</summary>
    public static bool SendsInTurn { get; private set; }

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        Rooms = new Service<string>(settings);
        SendsInTurn = settings.Variant == Library.Loop;
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        ISignalRServerBuilder signalR = builder.Services.AddSignalR(hub => Set(hub, settings));
        if (settings.Variant == Library.MessagePack)
        {
            signalR.AddMessagePackProtocol();
        }
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        if (settings.Variant != Library.Tcp)
        {
            app.MapHub<CallsHub>(Path);
        }
        app.Start();
        Records.WriteReady(settings);
    }

    static void Set(HubOptions hub, Settings settings)
    {
        // JSON makes four characters of three bytes. By default a message has at most 32 KiB.
        hub.MaximumReceiveMessageSize += 2 * settings.PayloadBytes;
        if (settings.Profile == "tuned")
        {
            hub.MaximumParallelInvocationsPerClient = (int)Library.Tuned!["MaximumParallelInvocationsPerClient"];
        }
    }

    static void Listen(KestrelServerOptions kestrel, Settings settings)
    {
        kestrel.Listen(settings.Endpoint, listening =>
        {
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
            if (settings.Variant == Library.Tcp)
            {
                listening.UseHub<CallsHub>();
            }
        });
    }
}
