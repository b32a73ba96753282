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
    /// <summary>Where streams are in rooms.</summary>
    public static Service<Outbox> Service { get; private set; } = null!;

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        Service = new Service<Outbox>(settings);
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
    }

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
        kestrel.Listen(settings.Endpoint, listening =>
        {
            listening.Protocols = settings.Variant == Http3.Variant ? HttpProtocols.Http3 : HttpProtocols.Http2;
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
        });
    }
}
