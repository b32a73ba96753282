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

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
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
