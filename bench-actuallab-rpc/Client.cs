using System.Diagnostics;
using System.Net.WebSockets;
using ActualLab.Rpc;
using ActualLab.Rpc.Clients;
using ActualLab.Rpc.Infrastructure;
using ActualLab.Rpc.WebSockets;
using Microsoft.Extensions.DependencyInjection;

/// <summary>The clients: services of their own, and so a peer and its connection, each. A call is timed from just
/// before it is made to just after its result is there.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly ServiceProvider[] services = new ServiceProvider[load.Clients];
    readonly ICalls[] clients = new ICalls[load.Clients];
    volatile bool isClosing;

    /// <summary>Connects, and begins the calls that are due until the load ends.</summary>
    public void Run()
    {
        Library.Set(settings);
        Connect().GetAwaiter().GetResult();
        while (load.BeginPass())
        {
            while (load.TryBegin(out int slot))
            {
                _ = Call(slot);
            }
            load.Pause();
        }
        isClosing = true;
        Task.WaitAll(Array.ConvertAll(services, all => all.DisposeAsync().AsTask()));
    }

    async Task Connect()
    {
        for (int client = 0; client < clients.Length; client++)
        {
            services[client] = NewServices();
            clients[client] = services[client].GetRequiredService<ICalls>();
            RpcPeer peer = services[client].GetRequiredService<RpcHub>().DefaultPeer;
            try
            {
                RpcPeerConnectionState connection = await peer.WhenConnected();
                _ = connection.WhenDisconnected.ContinueWith(_ => OnDisconnected());
            }
            catch (WebSocketException fault)
            {
                throw fault.GetBaseException();
            }
            load.AddConnected();
        }
        long calledAt = Stopwatch.GetTimestamp();
        HelloReply reply = await clients[0].SayHello(new HelloRequest(Calls.FirstHello));
        Greeting.TakeReply(reply.Response.Name, calledAt, settings);
    }

    // The library would connect again, and send again what was in flight, for as long as it takes.
    void OnDisconnected()
    {
        if (!isClosing)
        {
            Program.Exit(new Failure("The server closed the connection."));
        }
    }

    ServiceProvider NewServices()
    {
        var all = new ServiceCollection();
        RpcBuilder rpc = all.AddRpc();
        string scheme = settings.Security == "tls" ? "https" : "http";
        var server = $"{scheme}://{Program.Resolve(settings.Address)}:{settings.Port}/";
        if (settings.Security == "tls")
        {
            rpc.AddWebSocketClient(_ => RpcWebSocketClientOptions.Default with
            {
                HostUrlResolver = _ => server,
                WebSocketOwnerFactory = NewSocket,
            });
        }
        else
        {
            rpc.AddWebSocketClient(server);
        }
        rpc.AddClient<ICalls>();
        // A connection that cannot be made is told, not tried again.
        all.AddSingleton(_ => RpcPeerOptions.Default with { TerminalErrorDetector = (_, _) => true });
        return all.BuildServiceProvider();
    }

    // As the library makes them, but that it knows the server's certificate.
    WebSocketOwner NewSocket(RpcClientPeer peer)
    {
        var socket = new ClientWebSocket();
        socket.Options.RemoteCertificateValidationCallback =
            TlsOptions.OfClient(settings).RemoteCertificateValidationCallback;
        return new WebSocketOwner(peer.Route.ToString(), socket, peer.Hub.Services);
    }

    // Makes a slot's calls one after another. All works share this one asynchronous method, since another one around
    // each call would allocate.
    async Task Call(int slot)
    {
        ICalls client = clients[load.ClientOf(slot)];
        bool continues;
        do
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(load, slot);
                        isRight = Calls.IsRight(load, slot, await client.Sum(a, b));
                        break;
                    case Calls.GetUser:
                        isRight = Calls.IsRight(await client.GetUser(Calls.User.Id));
                        break;
                    default:
                        HelloReply reply = await client.SayHello(new HelloRequest(Calls.Hello));
                        isRight = Calls.IsRight(reply.Response);
                        break;
                }
                continues = load.End(slot, isRight);
            }
            catch (Exception fault)
            {
                continues = load.Fail(slot, fault.GetType().Name);
            }
        }
        while (continues);
    }
}
