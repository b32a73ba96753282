using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.SignalR;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>What is called.</summary>
public sealed class Calls : Hub
{
    public int Sum(int a, int b) => Service.Sum(a, b);
    public User? GetUser(long id) => Service.GetUser(id);
    public HelloReply SayHello(HelloRequest call) => new(Service.SayHello(call.Request));
}

/// <summary>Kestrel with a hub.</summary>
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
        var signalR = builder.Services.AddSignalR(hub =>
        {
            if (settings.Profile == "tuned") hub.MaximumParallelInvocationsPerClient = (int)Library.Tuned!["MaximumParallelInvocationsPerClient"];
        });
#if FULL
        if (settings.Variant == "messagepack") signalR.AddMessagePackProtocol();
#endif
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listen =>
        {
            if (settings.Security == "tls") listen.UseHttps(Tls.OfServer());
            if (settings.Variant == "tcp") listen.UseHub<Calls>();
        }));
        var app = builder.Build();
        if (settings.Variant != "tcp") app.MapHub<Calls>("/calls");
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    public static void Stop() => stopping.Set();
}
