using ActualLab.Rpc;
using ActualLab.Rpc.Server;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>What answers.</summary>
sealed class Calls : ICalls
{
    public Task<int> Sum(int a, int b, CancellationToken cancelled) => Task.FromResult(Service.Sum(a, b));
    public Task<User?> GetUser(long id, CancellationToken cancelled) => Task.FromResult(Service.GetUser(id));
    public Task<HelloReply> SayHello(HelloRequest call, CancellationToken cancelled) => Task.FromResult(new HelloReply(Service.SayHello(call.Request)));
}

/// <summary>Kestrel with the endpoint of the library's WebSockets.</summary>
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
        Library.Set(settings);
        var builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        var rpc = builder.Services.AddRpc();
        rpc.AddWebSocketServer();
        rpc.AddServer<ICalls, Calls>();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listen =>
        {
            if (settings.Security == "tls") listen.UseHttps(Tls.OfServer());
        }));
        var app = builder.Build();
        app.UseWebSockets();
        app.MapRpcWebSocketServer();
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    public static void Stop() => stopping.Set();
}
