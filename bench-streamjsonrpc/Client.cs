using System.Diagnostics;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Net.WebSockets;
using StreamJsonRpc;

/// <summary>The clients: a connection and a proxy each. A call is timed from just before it is made to just after its
/// result is there.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly ICalls[] clients = new ICalls[load.Clients];
    // Of the variants over WebSockets.
    readonly ClientWebSocket?[] sockets = new ClientWebSocket?[load.Clients];
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
        for (int client = 0; client < clients.Length; client++)
        {
            // The library leaves the socket to its owner, to be closed first: otherwise it ends aborted.
            sockets[client]?.CloseAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None)
                .GetAwaiter().GetResult();
            clients[client].Dispose();
            sockets[client]?.Dispose();
        }
    }

    async Task Connect()
    {
        for (int client = 0; client < clients.Length; client++)
        {
            clients[client] = JsonRpc.Attach<ICalls>(settings.Variant == "tcp"
                ? await ConnectTcp()
                : await ConnectWebSocket(client));
            JsonRpc rpc = ((IJsonRpcClientProxy)clients[client]).JsonRpc;
            rpc.Disconnected += (_, lost) =>
            {
                // It never reconnects, so that there are no more calls.
                if (!isClosing)
                {
                    Program.Exit(new Failure(lost.Exception?.Message ?? "The server closed the connection."));
                }
            };
            load.AddConnected();
        }
        long calledAt = Stopwatch.GetTimestamp();
        HelloReply reply = await clients[0].SayHello(new HelloRequest(Calls.FirstHello));
        Greeting.TakeReply(reply.Response.Name, calledAt, settings);
    }

    async Task<IJsonRpcMessageHandler> ConnectWebSocket(int client)
    {
        string scheme = settings.Security == "tls" ? "wss" : "ws";
        var server = new Uri($"{scheme}://{Program.Resolve(settings.Address)}:{settings.Port}/calls");
        var handler = new SocketsHttpHandler { UseProxy = false, SslOptions = TlsOptions.OfClient(settings) };
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(server, new HttpMessageInvoker(handler), CancellationToken.None);
        sockets[client] = socket;
        return new WebSocketMessageHandler(socket, Formatters.New(settings));
    }

    async Task<IJsonRpcMessageHandler> ConnectTcp()
    {
        IPAddress address = Program.Resolve(settings.Address);
        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(address, settings.Port);
        Stream stream = new NetworkStream(socket, ownsSocket: true);
        if (settings.Security == "tls")
        {
            var encrypted = new SslStream(stream);
            await encrypted.AuthenticateAsClientAsync(TlsOptions.OfClient(settings));
            stream = encrypted;
        }
        return new LengthHeaderMessageHandler(stream, stream, Formatters.New(settings));
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
