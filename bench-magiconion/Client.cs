using System.Diagnostics;
using Grpc.Core;
using Grpc.Net.Client;
using MagicOnion.Client;

/// <summary>The clients: a channel each.</summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Nothing : INothing;

    readonly GrpcChannel[] channels = new GrpcChannel[settings.OwnClients];
    readonly ICalls[] clients = new ICalls[settings.OwnClients];
    readonly ICallsHub?[] hubs = new ICallsHub?[settings.OwnClients]; // in place of those
    volatile bool closing;

    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.Continues())
            while (load.TryNext(out var lane)) _ = Call(lane);
        closing = true;
        Task.WaitAll(Array.ConvertAll(hubs, hub => hub?.DisposeAsync() ?? Task.CompletedTask));
        Array.ForEach(channels, channel => channel.Dispose());
    }

    async Task Connect()
    {
        var server = $"{(settings.Security == "tls" ? "https" : "http")}://{Program.Resolve(settings.Address)}:{settings.Port}";
        for (var client = 0; client < clients.Length; client++)
        {
            // The channel's own handler or, to turn something, one that is alike.
            channels[client] = GrpcChannel.ForAddress(server, settings is { Security: "none", Profile: "default" }
                ? new() : new() { HttpHandler = Handler(), DisposeHttpClient = true });
            if (settings.Variant == "hub") hubs[client] = await ConnectHub(channels[client]);
            else clients[client] = MagicOnionClient.Create<ICalls>(channels[client]);
            var calledAt = Stopwatch.GetTimestamp();
            var reply = await SayHello(client, new(Load.First));
            if (client == 0) Load.OnFirst(reply.Response.Name, calledAt);
            load.Connected++;
        }
    }

    SocketsHttpHandler Handler()
    {
        var handler = new SocketsHttpHandler { EnableMultipleHttp2Connections = true };
        if (settings.Security == "tls") handler.SslOptions = Tls.OfClient(settings);
        if (settings.Profile == "tuned") (handler.UseProxy, handler.AllowAutoRedirect) = (false, false);
        return handler;
    }

    async Task<ICallsHub> ConnectHub(GrpcChannel channel)
    {
        var hub = await StreamingHubClient.ConnectAsync<ICallsHub, INothing>(channel, new Nothing());
        _ = Watch();
        return hub;

        async Task Watch()
        {
            await hub.WaitForDisconnectAsync();
            if (!closing) Program.Exit(new Failure("The server closed the connection."));
        }
    }

    async Task Call(int lane)
    {
        var (client, again) = (load.ClientOf(lane), true);
        while (again)
            try
            {
                if (settings.Work == "sum")
                {
                    var (a, b) = load.Terms(lane);
                    again = load.OnSum(lane, await Sum(client, a, b));
                }
                else if (settings.Work == "get-user") again = load.OnUser(lane, await GetUser(client, Load.User.Id));
                else again = load.OnHello(lane, (await SayHello(client, new(Load.Hello))).Response);
            }
            catch (Exception fault)
            {
                again = load.OnFailure(lane, (fault as RpcException)?.StatusCode.ToString() ?? fault.GetType().Name);
            }
    }

    // A unary result is awaited as this task of it is.
    ValueTask<int> Sum(int client, int a, int b) => hubs[client]?.SumAsync(a, b) ?? new(clients[client].SumAsync(a, b).ResponseAsync);
    ValueTask<User?> GetUser(int client, long id) => hubs[client]?.GetUserAsync(id) ?? new(clients[client].GetUserAsync(id).ResponseAsync);
    ValueTask<HelloReply> SayHello(int client, HelloRequest call) =>
        hubs[client]?.SayHelloAsync(call) ?? new(clients[client].SayHelloAsync(call).ResponseAsync);
}
