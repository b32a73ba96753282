using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Kestrel with MagicOnion's services.</summary>
static class Server
{
    /// <summary>Where clients are in rooms.</summary>
    public static Service<IHears> Service { get; private set; } = null!;

    /// <summary>Whether a room's messages are sent to each client in turn.</summary>
    public static bool SendsInTurn { get; private set; }

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        Service = new Service<IHears>(settings);
        SendsInTurn = settings.Variant == Library.Loop;
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddMagicOnion();
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        app.MapMagicOnionService();
        app.Start();
        Records.WriteReady(settings);
    }

    static void Listen(KestrelServerOptions kestrel, Settings settings)
    {
        if (settings.Profile == "tuned")
        {
            kestrel.AddServerHeader = false;
        }
        kestrel.Listen(settings.Endpoint, listening =>
        {
            listening.Protocols = HttpProtocols.Http2;
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
        });
    }
}
