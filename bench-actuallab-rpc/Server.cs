using System.Threading.Channels;
using ActualLab.Rpc;
using ActualLab.Rpc.Server;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Kestrel with the endpoint of the library's WebSockets.</summary>
static class Server
{
    static readonly ManualResetEventSlim stopping = new();

    /// <summary>The streams that are in rooms; null: there are no rooms.</summary>
    public static Rooms<Channel<byte[]>>? Rooms { get; private set; }

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Library.Set(settings);
        Rooms = settings.HasRooms ? new Rooms<Channel<byte[]>>(settings) : null;
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        RpcBuilder rpc = builder.Services.AddRpc();
        rpc.AddWebSocketServer();
        rpc.AddServer<ICalls, AnsweredCalls>();
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        app.UseWebSockets();
        app.MapRpcWebSocketServer();
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
        });
    }
}
