using Grpc.AspNetCore.Server;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Kestrel with a gRPC service.</summary>
static class Server
{
    static readonly ManualResetEventSlim stopping = new();

    /// <summary>The streams that are in rooms; null: there are no rooms.</summary>
    public static Rooms<Outbox>? Rooms { get; private set; }

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Rooms = settings.HasRooms ? new Rooms<Outbox>(settings) : null;
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddGrpc();
        if (settings.Profile == "tuned")
        {
            Tune(builder.Services);
        }
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        if (settings.Profile == "tuned")
        {
            var noScope = new NoScope(app.Services);
            app.Use((context, next) =>
            {
                context.Features.Set<IServiceProvidersFeature>(noScope);
                return next(context);
            });
        }
        app.MapGrpcService<GrpcService>();
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => stopping.Set();

    static void Tune(IServiceCollection services)
    {
        services.Configure<GrpcServiceOptions>(grpc => grpc.IgnoreUnknownServices = true);
        services.Configure<RouteOptions>(routes => routes.SuppressCheckForUnhandledSecurityMetadata = true);
        services.Configure<KestrelServerOptions>(kestrel => kestrel.AddServerHeader = false);
        services.Configure<SocketTransportOptions>(sockets => sockets.WaitForDataBeforeAllocatingBuffer = false);
        services.AddSingleton<GrpcService>();
    }

    static void Listen(KestrelServerOptions kestrel, Settings settings)
    {
        kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listening =>
        {
            listening.Protocols = settings.Variant == Http3.Variant ? HttpProtocols.Http3 : HttpProtocols.Http2;
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
        });
    }
}
