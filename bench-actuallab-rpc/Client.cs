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
    readonly Chat? chat = settings.Work == Settings.Broadcast ? new Chat(settings, load) : null;
    readonly int messageBytes = Message.BufferBytes(settings);
    volatile bool isClosing;

    // What the calling thread sends next.
    [ThreadStatic] static byte[]? ownNext;

    /// <summary>Connects, and begins the calls that are due until the load ends.</summary>
    public void Run()
    {
        Library.Set(settings);
        Connect().GetAwaiter().GetResult();
        while (load.BeginPass())
        {
            if (chat != null)
            {
                SayDue(chat);
            }
            else
            {
                CallDue();
            }
            load.Pause();
        }
        isClosing = true;
        Task.WaitAll(Array.ConvertAll(services, all => all.DisposeAsync().AsTask()));
    }

    void CallDue()
    {
        while (load.TryBegin(out int slot))
        {
            _ = Call(slot);
        }
    }

    void SayDue(Chat chat)
    {
        chat.Joining.BeginPass();
        byte[] next = ownNext ??= new byte[messageBytes];
        if (chat.Joining.TryLeave(next, out int leaver))
        {
            Say(leaver, next, Message.HeaderBytes);
            _ = ConnectAgain(chat, leaver);
        }
        int length = chat.TryNext(next, out int client);
        while (length > 0)
        {
            Say(client, next, length);
            length = chat.TryNext(next, out client);
        }
    }

    // The library may still read the bytes when this returns.
    void Say(int client, byte[] next, int length)
    {
        byte[] message = next.AsSpan(0, length).ToArray();
        if (Message.IsAboutRoom(message) && Message.Peek(message).Slot == Message.Joining)
        {
            _ = Listen(client, clients[client], message);
        }
        else
        {
            _ = clients[client].Say(message);
        }
    }

    async Task Listen(int client, ICalls calls, byte[] message)
    {
        try
        {
            await foreach (byte[] heard in await calls.Listen(message))
            {
                OnHeard(client, heard);
            }
        }
        catch (Exception fault)
        {
            // That of before ends where a client has left.
            bool isExpected = calls != clients[client] || chat!.Joining.TryLose(client);
            if (!isClosing && !isExpected)
            {
                Program.Exit(new Failure(fault.Message));
            }
        }
    }

    void OnHeard(int client, byte[] message)
    {
        chat!.Joining.WaitWhileStalled(client);
        byte[] next = ownNext ??= new byte[messageBytes];
        int length = chat.OnMessage(client, message, next, out int sender);
        if (length > 0)
        {
            Say(sender, next, length);
        }
    }

    async Task ConnectAgain(Chat chat, int client)
    {
        ServiceProvider left = services[client];
        try
        {
            await Connect(client);
            chat.Joining.JoinAgain(client);
            await left.DisposeAsync();
        }
        catch (Exception fault)
        {
            Program.Exit(new Failure(fault.Message));
        }
    }

    async Task Connect(int client)
    {
        ServiceProvider own = NewServices();
        RpcPeer peer = own.GetRequiredService<RpcHub>().DefaultPeer;
        var calls = own.GetRequiredService<ICalls>();
        try
        {
            RpcPeerConnectionState connection = await peer.WhenConnected();
            _ = connection.WhenDisconnected.ContinueWith(_ => OnDisconnected(client, calls));
        }
        catch (WebSocketException fault)
        {
            throw fault.GetBaseException();
        }
        services[client] = own;
        clients[client] = calls;
    }

    async Task Connect()
    {
        for (int client = 0; client < clients.Length; client++)
        {
            await Connect(client);
            load.AddConnected();
        }
        long calledAt = Stopwatch.GetTimestamp();
        HelloReply reply = await clients[0].SayHello(new HelloRequest(Calls.FirstHello));
        Greeting.TakeReply(reply.Response.Name, calledAt, settings);
    }

    // The library would connect again, and send again what was in flight, for as long as it takes.
    void OnDisconnected(int client, ICalls calls)
    {
        bool isExpected = calls != clients[client] || chat != null && chat.Joining.TryLose(client);
        if (!isClosing && !isExpected)
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
