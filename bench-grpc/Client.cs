using System.Diagnostics;
using Grpc.Core;
using Grpc.Net.Client;
using Rpc;

/// <summary>The clients: a channel each.</summary>
sealed class Client(Settings settings, Load load)
{
    static readonly Rpc.Hello hello = Library.Of(Load.Hello);

    readonly GrpcChannel[] channels = new GrpcChannel[settings.OwnClients];
    readonly Calls.CallsClient[] clients = new Calls.CallsClient[settings.OwnClients];

    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.Continues())
            while (load.TryNext(out var lane)) _ = Call(lane);
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
            clients[client] = new(channels[client]);
            var calledAt = Stopwatch.GetTimestamp();
            var reply = await clients[client].SayHelloAsync(new Rpc.HelloRequest { Request = Library.Of(Load.First) });
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

    async Task Call(int lane)
    {
        var (client, again) = (clients[load.ClientOf(lane)], true);
        while (again)
            try
            {
                if (settings.Work == "sum")
                {
                    var (a, b) = load.Terms(lane);
                    again = load.OnSum(lane, (await client.SumAsync(new SumRequest { A = a, B = b })).Sum);
                }
                else if (settings.Work == "get-user")
                    again = load.OnEnd(lane, Library.User.Equals((await client.GetUserAsync(new GetUserRequest { Id = Load.User.Id })).User), null);
                else again = load.OnEnd(lane, hello.Equals((await client.SayHelloAsync(new Rpc.HelloRequest { Request = hello })).Response), null);
            }
            catch (RpcException fault)
            {
                again = load.OnFailure(lane, fault.StatusCode.ToString());
            }
    }
}
