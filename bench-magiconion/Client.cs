using System.Diagnostics;
using Grpc.Core;
using Grpc.Net.Client;
using MagicOnion.Client;

/// <summary>The clients: a channel each. A call is timed from just before it is made to just after its result is there.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Ears(Client owner, int client) : IHears
    {
        public void Hear(byte[] message) => owner.OnHeard(client, message);
    }

    readonly GrpcChannel[] channels = new GrpcChannel[load.Clients];
    readonly ICalls[] clients = new ICalls[load.Clients];
    // In place of those.
    readonly ICallsHub?[] hubs = new ICallsHub?[load.Clients];
    readonly Chat? chat = settings.Work == Settings.Broadcast ? new Chat(settings, load) : null;
    readonly int messageBytes = Message.BufferBytes(settings);
    volatile bool isClosing;

    // What the calling thread sends next.
    [ThreadStatic] static byte[]? ownNext;

    /// <summary>Connects, and begins the calls that are due until the load ends.</summary>
    public void Run()
    {
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
        Task.WaitAll(Array.ConvertAll(hubs, hub => hub?.DisposeAsync() ?? Task.CompletedTask));
        Array.ForEach(channels, channel => channel.Dispose());
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

    // Nobody waits for the call's end: what all of the room have got says more.
    void Say(int client, byte[] next, int length)
    {
        _ = hubs[client]!.FireAndForget().SayAsync(next.AsSpan(0, length).ToArray());
    }

    async Task ConnectAgain(Chat chat, int client)
    {
        ICallsHub? left = hubs[client];
        GrpcChannel leftChannel = channels[client];
        try
        {
            await Connect(client);
            chat.Joining.JoinAgain(client);
            await left!.DisposeAsync();
            leftChannel.Dispose();
        }
        catch (Exception fault)
        {
            Program.Exit(new Failure(fault.Message));
        }
    }

    void OnHeard(int client, byte[] message)
    {
        try
        {
            chat!.Joining.WaitWhileStalled(client);
            byte[] next = ownNext ??= new byte[messageBytes];
            int length = chat.OnMessage(client, message, next, out int sender);
            if (length > 0)
            {
                Say(sender, next, length);
            }
        }
        catch (Exception fault)
        {
            // The library would keep it to itself.
            Program.Exit(fault);
        }
    }

    async Task Connect(int client)
    {
        string scheme = settings.Security == "tls" ? "https" : "http";
        var server = $"{scheme}://{Program.Resolve(settings.Address)}:{settings.Port}";
        GrpcChannel channel = GrpcChannel.ForAddress(server, Options());
        if (settings.Variant == "hub" || chat != null)
        {
            hubs[client] = await ConnectHub(channel, client);
        }
        else
        {
            clients[client] = MagicOnionClient.Create<ICalls>(channel);
        }
        channels[client] = channel;
    }

    // A connection is made by its first call.
    async Task Connect()
    {
        for (int client = 0; client < clients.Length; client++)
        {
            await Connect(client);
            long calledAt = Stopwatch.GetTimestamp();
            HelloReply reply = await SayHello(client, new HelloRequest(Calls.FirstHello));
            if (client == 0)
            {
                Greeting.TakeReply(reply.Response.Name, calledAt, settings);
            }
            load.AddConnected();
        }
    }

    // The channel's own handler or, to turn something, one that is alike.
    GrpcChannelOptions Options()
    {
        if (settings is { Security: "none", Profile: "default" })
        {
            return new GrpcChannelOptions();
        }
        var handler = new SocketsHttpHandler { EnableMultipleHttp2Connections = true };
        if (settings.Security == "tls")
        {
            handler.SslOptions = TlsOptions.OfClient(settings);
        }
        if (settings.Profile == "tuned")
        {
            handler.UseProxy = false;
            handler.AllowAutoRedirect = false;
        }
        return new GrpcChannelOptions { HttpHandler = handler, DisposeHttpClient = true };
    }

    async Task<ICallsHub> ConnectHub(GrpcChannel channel, int client)
    {
        var ears = new Ears(this, client);
        ICallsHub hub = await StreamingHubClient.ConnectAsync<ICallsHub, IHears>(channel, ears);
        _ = Watch(hub, client);
        return hub;
    }

    // That of before is gone where a client has left.
    async Task Watch(ICallsHub hub, int client)
    {
        await hub.WaitForDisconnectAsync();
        bool isExpected = hub != hubs[client] || chat != null && chat.Joining.TryLose(client);
        if (!isClosing && !isExpected)
        {
            Program.Exit(new Failure("The server closed the connection."));
        }
    }

    // Makes a slot's calls one after another. All works share this one asynchronous method, since another one around
    // each call would allocate.
    async Task Call(int slot)
    {
        int client = load.ClientOf(slot);
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
                        isRight = Calls.IsRight(load, slot, await Sum(client, a, b));
                        break;
                    case Calls.GetUser:
                        isRight = Calls.IsRight(await GetUser(client, Calls.User.Id));
                        break;
                    default:
                        HelloReply reply = await SayHello(client, new HelloRequest(Calls.Hello));
                        isRight = Calls.IsRight(reply.Response);
                        break;
                }
                continues = load.End(slot, isRight);
            }
            catch (Exception fault)
            {
                continues = load.Fail(slot, (fault as RpcException)?.StatusCode.ToString() ?? fault.GetType().Name);
            }
        }
        while (continues);
    }

    // A unary result is awaited as this task of it is.
    ValueTask<int> Sum(int client, int a, int b)
    {
        return hubs[client]?.SumAsync(a, b) ?? new ValueTask<int>(clients[client].SumAsync(a, b).ResponseAsync);
    }

    ValueTask<User?> GetUser(int client, long id)
    {
        return hubs[client]?.GetUserAsync(id) ?? new ValueTask<User?>(clients[client].GetUserAsync(id).ResponseAsync);
    }

    ValueTask<HelloReply> SayHello(int client, HelloRequest call)
    {
        return hubs[client]?.SayHelloAsync(call)
            ?? new ValueTask<HelloReply>(clients[client].SayHelloAsync(call).ResponseAsync);
    }
}
