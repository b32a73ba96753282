using System.Net.Security;
using System.Net.Sockets;
using System.Net.WebSockets;
using StreamJsonRpc;

/// <summary>The clients: a connection and a proxy each. A call is timed from just before it is made to just after its
/// result is there.</summary>
sealed class Client(Settings settings, Load load)
{
    const int CloseMilliseconds = 2_000;

    readonly Hello hello = Calls.NewHello(settings);
    readonly ICalls[] clients = new ICalls[settings.Clients];
    // Of the variants over WebSockets.
    readonly ClientWebSocket?[] sockets = new ClientWebSocket?[settings.Clients];
    volatile bool isClosing;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        for (int index = 0; index < clients.Length; index++)
        {
            Connect(index).GetAwaiter().GetResult();
            load.OnOpen(index);
        }
    }

    /// <summary>Makes a call, and the next ones of its slot.</summary>
    public void Begin(Due due) => _ = Call(due);

    /// <summary>Waits so long: answers come on threads of the pool.</summary>
    public void Poll(int microseconds) => Delay.Sleep(microseconds);

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosing = true;
        // The library leaves the socket to its owner, to be closed first: otherwise it ends aborted.
        Task.WaitAll(Array.ConvertAll(sockets, CloseAsync), CloseMilliseconds);
        Array.ForEach(clients, client => client.Dispose());
        Array.ForEach(sockets, socket => socket?.Dispose());
    }

    static Task CloseAsync(ClientWebSocket? socket)
    {
        return socket?.CloseAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None)
            ?? Task.CompletedTask;
    }

    async Task Connect(int index)
    {
        try
        {
            clients[index] = JsonRpc.Attach<ICalls>(settings.Variant == "tcp"
                ? await ConnectTcp()
                : await ConnectWebSocket(index));
        }
        catch (Exception fault)
        {
            throw fault.GetBaseException() as Failure
                ?? new Failure($"Nothing listens on {settings.Address}:{settings.Port}: {fault.Message}");
        }
        ((IJsonRpcClientProxy)clients[index]).JsonRpc.Disconnected += (_, lost) =>
        {
            // It never reconnects, so that there are no more calls.
            if (!isClosing)
            {
                Program.Exit(new Failure(lost.Exception?.Message ?? "The server closed the connection."));
            }
        };
    }

    async Task<IJsonRpcMessageHandler> ConnectWebSocket(int index)
    {
        string scheme = settings.Security == "tls" ? "wss" : "ws";
        var server = new Uri($"{scheme}://{settings.Endpoint}/calls");
        var handler = new SocketsHttpHandler { UseProxy = false, SslOptions = TlsOptions.OfClient(settings) };
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(server, new HttpMessageInvoker(handler), CancellationToken.None);
        sockets[index] = socket;
        return new WebSocketMessageHandler(socket, Formatters.New(settings));
    }

    async Task<IJsonRpcMessageHandler> ConnectTcp()
    {
        var socket = new Socket(settings.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
        };
        await socket.ConnectAsync(settings.Endpoint);
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
                load.FailCall(due, fault.GetType().Name, fault);
                return;
            }
        }
    }
}
