using System.Diagnostics;
using Grpc.Core;
using Grpc.Net.Client;
using MagicOnion.Client;

/// <summary>The clients: a channel each. A call is timed from just before it is made to just after its result is there.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Nothing : INothing;

    readonly GrpcChannel[] channels = new GrpcChannel[load.Clients];
    readonly ICalls[] clients = new ICalls[load.Clients];
    // In place of those.
    readonly ICallsHub?[] hubs = new ICallsHub?[load.Clients];
    volatile bool isClosing;

    /// <summary>Connects, and begins the calls that are due until the load ends.</summary>
    public void Run()
    {
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
        Task.WaitAll(Array.ConvertAll(hubs, hub => hub?.DisposeAsync() ?? Task.CompletedTask));
        Array.ForEach(channels, channel => channel.Dispose());
    }

    // A connection is made by its first call.
    async Task Connect()
    {
        string scheme = settings.Security == "tls" ? "https" : "http";
        var server = $"{scheme}://{Program.Resolve(settings.Address)}:{settings.Port}";
        for (int client = 0; client < clients.Length; client++)
        {
            channels[client] = GrpcChannel.ForAddress(server, Options());
            if (settings.Variant == "hub")
            {
                hubs[client] = await ConnectHub(channels[client]);
            }
            else
            {
                clients[client] = MagicOnionClient.Create<ICalls>(channels[client]);
            }
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

    async Task<ICallsHub> ConnectHub(GrpcChannel channel)
    {
        ICallsHub hub = await StreamingHubClient.ConnectAsync<ICallsHub, INothing>(channel, new Nothing());
        _ = Watch(hub);
        return hub;
    }

    async Task Watch(ICallsHub hub)
    {
        await hub.WaitForDisconnectAsync();
        if (!isClosing)
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
