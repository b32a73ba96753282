using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Kestrel with a minimal API.</summary>
static class Server
{
    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.ConfigureHttpJsonOptions(json =>
            json.SerializerOptions.TypeInfoResolverChain.Insert(0, Json.Default));
        if (settings.Variant == Http3.Variant)
        {
            // What the slim builder leaves out.
            builder.WebHost.UseQuic();
            builder.WebHost.UseKestrelHttpsConfiguration();
        }
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        app.MapGet("/sum", (int a, int b) => Service.Sum(a, b));
        app.MapGet("/user", (long id) => Service.GetUser(id) is { } user ? Results.Ok(user) : Results.NotFound());
        app.MapPost("/hello", (HelloRequest call) => new HelloReply(Service.SayHello(call.Request)));
        app.Start();
        Records.WriteReady(settings);
    }

    static void Listen(KestrelServerOptions kestrel, Settings settings)
    {
        kestrel.Listen(settings.Endpoint, listening =>
        {
            listening.Protocols = settings.Variant switch
            {
                "h2" => HttpProtocols.Http2,
                Http3.Variant => HttpProtocols.Http3,
                _ => HttpProtocols.Http1,
            };
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
        });
    }
}
