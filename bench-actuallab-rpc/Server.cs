using System.Threading.Channels;
using ActualLab.Rpc;
using ActualLab.Rpc.Infrastructure;
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
    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        Library.Set(settings);
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddSingleton(new Service<Channel<byte[]>>(settings));
        RpcBuilder rpc = builder.Services.AddRpc();
        rpc.AddWebSocketServer();
        rpc.AddServer<ICalls, AnsweredCalls>();
        builder.WebHost.ConfigureKestrel(kestrel => Listen(kestrel, settings));
        WebApplication app = builder.Build();
        app.UseWebSockets();
        app.MapRpcWebSocketServer();
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
        });
    }
}

/// <summary>What answers. In rooms each client has a stream of the library's. It reads from a channel, into which any
/// thread may write without waiting: a client that does not read holds no others up.</summary>
sealed class AnsweredCalls(Service<Channel<byte[]>> rooms) : ICalls
{
    // In place of whoever says something, of whom only what he says is asked.
    static readonly Channel<byte[]> nobody = Channel.CreateBounded<byte[]>(1);

    public Task<int> Sum(int a, int b, CancellationToken cancelled) => Task.FromResult(Service.Sum(a, b));

    public Task<User?> GetUser(long id, CancellationToken cancelled) => Task.FromResult(Service.GetUser(id));

    public Task<HelloReply> SayHello(HelloRequest request, CancellationToken cancelled)
    {
        return Task.FromResult(new HelloReply(Service.SayHello(request.Request)));
    }

    public Task<RpcStream<byte[]>> Listen(byte[] message, CancellationToken cancelled)
    {
        var heard = Channel.CreateUnbounded<byte[]>(new UnboundedChannelOptions { SingleReader = true });
        Send(heard, message);
        // The library waits minutes for a client to connect again; here it has left.
        _ = RpcInboundContext.GetCurrent().Peer.WhenDisconnected(CancellationToken.None)
            .ContinueWith(_ => rooms.OnClosed(heard), TaskScheduler.Default);
        return Task.FromResult(RpcStream.New(heard.Reader.ReadAllAsync(CancellationToken.None), allowReconnect: false));
    }

    public Task<RpcNoWait> Say(byte[] message)
    {
        Send(nobody, message);
        return RpcNoWait.Tasks.Completed;
    }

    void Send(Channel<byte[]> sender, byte[] message)
    {
        foreach (Channel<byte[]> receiver in rooms.Take(ref sender, message))
        {
            receiver.Writer.TryWrite(message);
        }
    }
}
