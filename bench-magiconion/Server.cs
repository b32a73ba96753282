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

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
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
