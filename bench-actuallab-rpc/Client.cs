using System.Diagnostics;
using System.Net.WebSockets;
using ActualLab.Rpc;
using ActualLab.Rpc.Clients;
using ActualLab.Rpc.WebSockets;
using Microsoft.Extensions.DependencyInjection;

/// <summary>The clients: services of their own, and so a peer and its connection, each.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly ServiceProvider[] services = new ServiceProvider[settings.OwnClients];
    readonly ICalls[] clients = new ICalls[settings.OwnClients];
    volatile bool closing;

    public void Run()
    {
        Library.Set(settings);
        Connect().GetAwaiter().GetResult();
        while (load.Continues())
            while (load.TryNext(out var lane)) _ = Call(lane);
        closing = true;
        Task.WaitAll(Array.ConvertAll(services, all => all.DisposeAsync().AsTask()));
    }

    async Task Connect()
    {
        for (var client = 0; client < clients.Length; client++)
        {
            services[client] = New();
            clients[client] = services[client].GetRequiredService<ICalls>();
            try
            {
                var connection = await services[client].GetRequiredService<RpcHub>().DefaultPeer.WhenConnected();
                // The library would connect again, and send again what was in flight, for as long as it takes.
                _ = connection.WhenDisconnected.ContinueWith(_ => { if (!closing) Program.Exit(new Failure("The server closed the connection.")); });
            }
            catch (WebSocketException fault)
            {
                throw fault.GetBaseException();
            }
            load.Connected++;
        }
        var calledAt = Stopwatch.GetTimestamp();
        var hello = await clients[0].SayHello(new(Load.First));
        Load.OnFirst(hello.Response.Name, calledAt);
    }

    ServiceProvider New()
    {
        var all = new ServiceCollection();
        var rpc = all.AddRpc();
        var server = $"{(settings.Security == "tls" ? "https" : "http")}://{Program.Resolve(settings.Address)}:{settings.Port}/";
        if (settings.Security == "none") rpc.AddWebSocketClient(server);
        else rpc.AddWebSocketClient(_ => RpcWebSocketClientOptions.Default with
        {
            HostUrlResolver = _ => server,
            WebSocketOwnerFactory = peer =>
            {
                var socket = new ClientWebSocket();
                socket.Options.RemoteCertificateValidationCallback = Tls.OfClient(settings).RemoteCertificateValidationCallback;
                return new(peer.Route.ToString(), socket, peer.Hub.Services);
            },
        });
        rpc.AddClient<ICalls>();
        // A connection that cannot be made is told, not tried again.
        all.AddSingleton(_ => RpcPeerOptions.Default with { TerminalErrorDetector = (_, _) => true });
        return all.BuildServiceProvider();
    }

    async Task Call(int lane)
    {
        var (client, again) = (clients[load.ClientOf(lane)], true);
        while (again)
            try
            {
                if (settings.Work == "sum")
                {
                    var (a, b) = load.Terms(lane);
                    again = load.OnSum(lane, await client.Sum(a, b));
                }
                else if (settings.Work == "get-user") again = load.OnUser(lane, await client.GetUser(Load.User.Id));
                else again = load.OnHello(lane, (await client.SayHello(new(Load.Hello))).Response);
            }
            catch (Exception fault)
            {
                again = load.OnFailure(lane, fault.GetType().Name);
            }
    }
}
