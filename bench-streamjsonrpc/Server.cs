using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using StreamJsonRpc;

/// <summary>Kestrel with a JsonRpc for each connection.</summary>
static class Server
{
    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        app.UseWebSockets();
        app.Map("/calls", (HttpContext context) => ServeWebSocket(context, settings));
        app.Start();
        Records.WriteReady(settings);
    }

    static void Listen(KestrelServerOptions kestrel, Settings settings)
    {
        kestrel.Listen(settings.Endpoint, listening =>
        {
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
            if (settings.Variant == "tcp")
            {
                listening.Run(connection => ServeTcp(connection, settings));
            }
        });
    }

    static Task ServeTcp(ConnectionContext connection, Settings settings)
    {
        return Serve(new LengthHeaderMessageHandler(connection.Transport, Formatters.New(settings)), settings);
    }

    static async Task ServeWebSocket(HttpContext context, Settings settings)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            return;
        }
        using WebSocket socket = await context.WebSockets.AcceptWebSocketAsync();
        await Serve(new WebSocketMessageHandler(socket, Formatters.New(settings)), settings);
    }

    static async Task Serve(IJsonRpcMessageHandler handler, Settings settings)
    {
        using var rpc = new JsonRpc(handler, new CallsTarget());
        if (settings.Profile == "tuned")
        {
            rpc.SynchronizationContext = null;
        }
        rpc.StartListening();
        await rpc.Completion;
    }
}
