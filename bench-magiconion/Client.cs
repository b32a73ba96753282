using Grpc.Core;
using Grpc.Net.Client;
using MagicOnion.Client;

/// <summary>The clients: a channel each. A call is timed from just before it is made to just after its result is there.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Ears(Client owner, int index) : IHears
    {
        public void Hear(byte[] message) => owner.OnHeard(index, message);
    }

    const int CloseMilliseconds = 2_000;

    readonly Hello hello = Calls.NewHello(settings);
    readonly Exchange exchange = new(settings, load);
    readonly GrpcChannel[] channels = new GrpcChannel[settings.Clients];
    readonly ICalls[] clients = new ICalls[settings.Clients];
    // In place of those.
    readonly ICallsHub?[] hubs = new ICallsHub?[settings.Clients];
    volatile bool isClosing;

    /// <summary>Opens all connections; a channel's is made by its first call.</summary>
    public void Connect()
    {
        for (int index = 0; index < clients.Length; index++)
        {
            Connect(index).GetAwaiter().GetResult();
            load.OnOpen(index);
        }
    }

    /// <summary>Makes a call and the next ones of its slot, or says a message in the client's room. Nobody waits for
    /// the end of that call: what all of the room have got says more.</summary>
    public void Begin(Due due)
    {
        if (settings.HasRooms)
        {
            _ = hubs[due.Index]!.FireAndForget().SayAsync([.. exchange.Write(due)]);
        }
        else
        {
            _ = Call(due);
        }
    }

    /// <summary>Waits so long: answers come on threads of the pool.</summary>
    public void Poll(int microseconds) => Delay.Sleep(microseconds);

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosing = true;
        Task.WaitAll(Array.ConvertAll(hubs, hub => hub?.DisposeAsync() ?? Task.CompletedTask), CloseMilliseconds);
        Array.ForEach(channels, channel => channel.Dispose());
    }

    async Task Connect(int index)
    {
        string scheme = settings.Security == "tls" ? "https" : "http";
        channels[index] = GrpcChannel.ForAddress($"{scheme}://{settings.Endpoint}", Options());
        if (settings.Variant != "hub" && !settings.HasRooms)
        {
            clients[index] = MagicOnionClient.Create<ICalls>(channels[index]);
            return;
        }
        try
        {
            var ears = new Ears(this, index);
            hubs[index] = await StreamingHubClient.ConnectAsync<ICallsHub, IHears>(channels[index], ears);
        }
        catch (RpcException fault)
        {
            throw fault.GetBaseException() as Failure ?? new Failure($"Nothing on {settings.Address}:{settings.Port} "
                + $"answers as a server of this bench: {fault.StatusCode}.");
        }
        _ = Watch(hubs[index]!);
    }

    async Task Watch(ICallsHub hub)
    {
        await hub.WaitForDisconnectAsync();
        if (!isClosing)
        {
            Program.Exit(new Failure("The server closed the connection."));
        }
    }

    void OnHeard(int index, byte[] message)
    {
        try
        {
            if (!isClosing)
            {
                exchange.OnMessage(index, message);
            }
        }
        catch (Exception fault)
        {
            // The library would keep it to itself.
            Program.Exit(fault);
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

    // Makes a slot's calls one after another. All works share this one asynchronous method, since another one around
    // each call would allocate.
    async Task Call(Due due)
    {
        int client = due.Index;
        while (due.Sequence > 0)
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(due);
                        isRight = Calls.IsRight(due, await Sum(client, a, b));
                        break;
                    case Calls.GetUser:
                        isRight = Calls.IsRight(await GetUser(client, Calls.User.Id));
                        break;
                    default:
                        HelloReply reply = await SayHello(client, new HelloRequest(hello));
                        isRight = Calls.IsRight(reply.Response, hello);
                        break;
                }
                due = load.EndCall(due, isRight);
            }
            catch (Exception fault)
            {
                load.FailCall(due, (fault as RpcException)?.StatusCode.ToString() ?? fault.GetType().Name, fault);
                return;
            }
        }
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
