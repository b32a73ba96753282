using MagicOnion;
using MagicOnion.Server;
using MagicOnion.Server.Hubs;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>What is called, by unary calls.</summary>
public sealed class Calls : ServiceBase<ICalls>, ICalls
{
    public UnaryResult<int> SumAsync(int a, int b) => UnaryResult.FromResult(Service.Sum(a, b));
    public UnaryResult<User?> GetUserAsync(long id) => UnaryResult.FromResult(Service.GetUser(id));
    public UnaryResult<HelloReply> SayHelloAsync(HelloRequest call) => UnaryResult.FromResult(new HelloReply(Service.SayHello(call.Request)));
}

/// <summary>The same over a client's one stream.</summary>
public sealed class CallsHub : StreamingHubBase<ICallsHub, INothing>, ICallsHub
{
    public ValueTask<int> SumAsync(int a, int b) => new(Service.Sum(a, b));
    public ValueTask<User?> GetUserAsync(long id) => new(Service.GetUser(id));
    public ValueTask<HelloReply> SayHelloAsync(HelloRequest call) => new(new HelloReply(Service.SayHello(call.Request)));
}

/// <summary>Kestrel with MagicOnion's services.</summary>
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
        var builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddMagicOnion();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            if (settings.Profile == "tuned") kestrel.AddServerHeader = false;
            kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listen =>
            {
                listen.Protocols = HttpProtocols.Http2;
                if (settings.Security == "tls") listen.UseHttps(Tls.OfServer());
            });
        });
        var app = builder.Build();
        app.MapMagicOnionService();
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    public static void Stop() => stopping.Set();
}
