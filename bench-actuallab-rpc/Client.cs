using System.Net.Sockets;
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
    // So many clients connect side by side, which a server's queue of connections holds.
    const int MostConnecting = 32;
    const int CloseMilliseconds = 10_000;
    const string Closed = "The server closed the connection.";

    readonly Hello hello = Calls.NewHello(settings);
    readonly Exchange exchange = new(settings, load);
    readonly ServiceProvider[] services = new ServiceProvider[settings.Clients];
    readonly ICalls[] clients = new ICalls[settings.Clients];
    readonly Task[] disconnected = [.. Enumerable.Repeat(Task.CompletedTask, settings.Clients)];
    volatile bool isClosed;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        Library.Set(settings);
        _ = Parallel.ForAsync(0, clients.Length, new ParallelOptions { MaxDegreeOfParallelism = MostConnecting },
            async (index, _) => await Connect(index));
    }

    /// <summary>Makes a call and the next ones of its slot, or sends a message.</summary>
    public void Begin(Due due)
    {
        if (settings.MakesCalls)
        {
            _ = Call(due);
            return;
        }
        if (due.Sequence == Due.Leaving)
        {
            // A client leaves by the end of its connection, which would overtake a message.
            return;
        }
        bool joins = !load.IsConnected(due.Index);
        // The library may still read the bytes when it returns.
        byte[] message = exchange.Write(due).ToArray();
        if (joins)
        {
            _ = Listen(due.Index, message);
        }
        else
        {
            _ = clients[due.Index].Say(message);
        }
    }

    /// <summary>Waits so long: answers come on threads of the pool.</summary>
    public void Poll(int microseconds) => Delay.Sleep(microseconds);

    /// <summary>Closes all connections. The library goes on for 2 s more: it looks three times, a second apart, whether
    /// there are calls to be cancelled.</summary>
    public void Close()
    {
        isClosed = true;
        Array.ForEach(services, own => own?.DisposeAsync().AsTask());
        Task.WhenAny(Task.WhenAll(disconnected)).Wait(CloseMilliseconds);
    }

    async Task Connect(int index)
    {
        ServiceProvider own = NewServices();
        services[index] = own;
        try
        {
            RpcPeer peer = own.GetRequiredService<RpcHub>().DefaultPeer;
            RpcPeerConnectionState connection = await peer.WhenConnected();
            clients[index] = own.GetRequiredService<ICalls>();
            disconnected[index] = connection.WhenDisconnected;
            // The library would connect again, and send again what was in flight, for as long as it takes.
            _ = disconnected[index].ContinueWith(_ => EndBy(Closed), TaskScheduler.Default);
            load.OnOpen(index);
        }
        catch (Exception fault)
        {
            Program.Exit(Told(fault.GetBaseException()));
        }
    }

    Exception Told(Exception reason)
    {
        string place = $"{settings.Address}:{settings.Port}";
        return reason switch
        {
            Failure => reason,
            SocketException => new Failure($"Nothing listens on {place}: {reason.Message}"),
            _ => new Failure($"Nothing on {place} answers as a server of this bench: {reason.Message}"),
        };
    }

    ServiceProvider NewServices()
    {
        var all = new ServiceCollection();
        RpcBuilder rpc = all.AddRpc();
        string scheme = settings.Security == "tls" ? "https" : "http";
        rpc.AddWebSocketClient(_ => RpcWebSocketClientOptions.Default with
        {
            HostUrlResolver = _ => $"{scheme}://{settings.Endpoint}/",
            WebSocketOwnerFactory = NewSocket,
        });
        rpc.AddClient<ICalls>();
        // A connection that cannot be made is told, not tried again.
        all.AddSingleton(_ => RpcPeerOptions.Default with { TerminalErrorDetector = (_, _) => true });
        return all.BuildServiceProvider();
    }

    // As the library makes them, but that it goes by no proxy and knows the server's certificate.
    WebSocketOwner NewSocket(RpcClientPeer peer)
    {
        return new WebSocketOwner(peer.Route.ToString(), new ClientWebSocket(), peer.Hub.Services)
        {
            Handler = new SocketsHttpHandler { UseProxy = false, SslOptions = TlsOptions.OfClient(settings) },
        };
    }

    // Makes a slot's calls one after another. All works share this one asynchronous method, since another one around
    // each call would allocate.
    async Task Call(Due due)
    {
        ICalls client = clients[due.Index];
        while (due.Sequence > 0)
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(due);
                        isRight = Calls.IsRight(due, await client.Sum(a, b));
                        break;
                    case Calls.GetUser:
                        isRight = Calls.IsRight(await client.GetUser(Calls.User.Id));
                        break;
                    default:
                        HelloReply reply = await client.SayHello(new HelloRequest(hello));
                        isRight = Calls.IsRight(reply.Response, hello);
                        break;
                }
                due = load.EndCall(due, isRight);
            }
            catch (Exception fault)
            {
                if (!isClosed)
                {
                    load.FailCall(due, fault.GetType().Name, fault);
                }
                return;
            }
        }
    }

    // Joins a room, and takes what is said there.
    async Task Listen(int index, byte[] message)
    {
        try
        {
            await foreach (byte[] heard in await clients[index].Listen(message))
            {
                if (!isClosed)
                {
                    exchange.OnMessage(index, heard);
                }
            }
        }
        catch (Exception fault)
        {
            EndBy(disconnected[index].IsCompleted ? Closed : fault.Message);
        }
    }

    void EndBy(string reason)
    {
        if (!isClosed)
        {
            Program.Exit(new Failure(reason));
        }
    }
}
