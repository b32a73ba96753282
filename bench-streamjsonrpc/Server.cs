using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using StreamJsonRpc;

/// <summary>What is called.</summary>
sealed class Calls : ICalls
{
    public Task<int> Sum(int a, int b) => Task.FromResult(Service.Sum(a, b));
    public Task<User?> GetUser(long id) => Task.FromResult(Service.GetUser(id));
    public Task<HelloReply> SayHello(HelloRequest call) => Task.FromResult(new HelloReply(Service.SayHello(call.Request)));
    public void Dispose() { }
}

/// <summary>Kestrel with a JsonRpc a connection.</summary>
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
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(Program.Resolve(settings.Address), settings.Port, listen =>
        {
            if (settings.Security == "tls") listen.UseHttps(Tls.OfServer());
            if (settings.Variant == "tcp")
                listen.Run(connection => Serve(new LengthHeaderMessageHandler(connection.Transport, Library.Formatter(settings)), settings));
        }));
        var app = builder.Build();
        app.UseWebSockets();
        app.Map("/calls", async (HttpContext context) =>
        {
            if (!context.WebSockets.IsWebSocketRequest)
            {
                context.Response.StatusCode = StatusCodes.Status400BadRequest;
                return;
            }
            using var socket = await context.WebSockets.AcceptWebSocketAsync();
            await Serve(new WebSocketMessageHandler(socket, Library.Formatter(settings)), settings);
        });
        app.Start();
        Records.WriteReady(settings);
        stopping.Wait();
    }

    public static void Stop() => stopping.Set();

    static async Task Serve(IJsonRpcMessageHandler handler, Settings settings)
    {
        using var rpc = new JsonRpc(handler, new Calls());
        if (settings.Profile == "tuned") rpc.SynchronizationContext = null;
        rpc.StartListening();
        await rpc.Completion;
    }
}
