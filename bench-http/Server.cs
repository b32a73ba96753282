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
    // Signals are the bench's own.
    sealed class NoSignals : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancelled) => Task.CompletedTask;
        public Task StopAsync(CancellationToken cancelled) => Task.CompletedTask;
    }

    static readonly ManualResetEventSlim stopping = new();

    public static void Run(Settings settings)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.ConfigureHttpJsonOptions(json => json.SerializerOptions.TypeInfoResolverChain.Insert(0, Json.Default));
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listen =>
        {
            listen.Protocols = settings.Variant == "h2" ? HttpProtocols.Http2 : HttpProtocols.Http1;
            if (settings.Security == "tls") listen.UseHttps(Tls.OfServer());
        }));
        var app = builder.Build();
        app.MapGet("/sum", (int a, int b) => Service.Sum(a, b));
        app.MapGet("/user", (long id) => Service.GetUser(id) is { } user ? Results.Ok(user) : Results.NotFound());
        app.MapPost("/hello", (HelloRequest call) => new HelloReply(Service.SayHello(call.Request)));
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    public static void Stop() => stopping.Set();
}
