using System.Diagnostics;
using Grpc.Core;
using Grpc.Net.Client;

/// <summary>The clients: a channel each. A call is timed from just before it is made to just after its result is there.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    static readonly Rpc.Hello hello = Library.ToMessage(Calls.Hello);

    readonly GrpcChannel[] channels = new GrpcChannel[load.Clients];
    readonly Rpc.Calls.CallsClient[] clients = new Rpc.Calls.CallsClient[load.Clients];

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
            clients[client] = new Rpc.Calls.CallsClient(channels[client]);
            long calledAt = Stopwatch.GetTimestamp();
            var call = new Rpc.HelloRequest { Request = Library.ToMessage(Calls.FirstHello) };
            Rpc.HelloReply reply = await clients[client].SayHelloAsync(call);
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

    // Makes a slot's calls one after another. All works share this one asynchronous method, since another one around
    // each call would allocate.
    async Task Call(int slot)
    {
        Rpc.Calls.CallsClient client = clients[load.ClientOf(slot)];
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
                        Rpc.SumReply sum = await client.SumAsync(new Rpc.SumRequest { A = a, B = b });
                        isRight = Calls.IsRight(load, slot, sum.Sum);
                        break;
                    case Calls.GetUser:
                        var id = new Rpc.GetUserRequest { Id = Calls.User.Id };
                        Rpc.GetUserReply user = await client.GetUserAsync(id);
                        isRight = Library.User.Equals(user.User);
                        break;
                    default:
                        Rpc.HelloReply reply = await client.SayHelloAsync(new Rpc.HelloRequest { Request = hello });
                        isRight = hello.Equals(reply.Response);
                        break;
                }
                continues = load.End(slot, isRight);
            }
            catch (Exception fault)
            {
                string word = (fault as RpcException)?.StatusCode.ToString() ?? fault.GetType().Name;
                continues = load.Fail(slot, word);
            }
        }
        while (continues);
    }
}
