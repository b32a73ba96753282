using System.Diagnostics;
using System.Net.Security;
using System.Net.Sockets;
using System.Net.WebSockets;
using StreamJsonRpc;

/// <summary>The clients: a connection and a proxy each.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly ICalls[] clients = new ICalls[settings.OwnClients];
    readonly ClientWebSocket?[] sockets = new ClientWebSocket?[settings.OwnClients];
    volatile bool closing;

    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.Continues())
            while (load.TryNext(out var lane)) _ = Call(lane);
        closing = true;
        for (var client = 0; client < clients.Length; client++)
        {
            // The library leaves the socket to its owner, to be closed first: otherwise it ends aborted.
            sockets[client]?.CloseAsync(WebSocketCloseStatus.NormalClosure, null, default).GetAwaiter().GetResult();
            clients[client].Dispose();
            sockets[client]?.Dispose();
        }
    }

    async Task Connect()
    {
        for (var client = 0; client < clients.Length; client++)
        {
            clients[client] = JsonRpc.Attach<ICalls>(settings.Variant == "tcp" ? await ConnectTcp()
                : new WebSocketMessageHandler(sockets[client] = await ConnectWebSocket(), Library.Formatter(settings)));
            ((IJsonRpcClientProxy)clients[client]).JsonRpc.Disconnected += (_, lost) =>
            {
                // It never reconnects, so that there are no more calls.
                if (!closing) Program.Exit(new Failure(lost.Exception?.Message ?? "The server closed the connection."));
            };
            load.Connected++;
        }
        var calledAt = Stopwatch.GetTimestamp();
        var hello = await clients[0].SayHello(new(Load.First));
        Load.OnFirst(hello.Response.Name, calledAt);
    }

    async Task<ClientWebSocket> ConnectWebSocket()
    {
        var server = new Uri($"{(settings.Security == "tls" ? "wss" : "ws")}://{Program.Resolve(settings.Address)}:{settings.Port}/calls");
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(server, new(new SocketsHttpHandler { UseProxy = false, SslOptions = Tls.OfClient(settings) }), default);
        return socket;
    }

    async Task<IJsonRpcMessageHandler> ConnectTcp()
    {
        var address = Program.Resolve(settings.Address);
        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(address, settings.Port);
        Stream stream = new NetworkStream(socket, ownsSocket: true);
        if (settings.Security == "tls")
        {
            var encrypted = new SslStream(stream);
            await encrypted.AuthenticateAsClientAsync(Tls.OfClient(settings));
            stream = encrypted;
        }
        return new LengthHeaderMessageHandler(stream, stream, Library.Formatter(settings));
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
                    again = load.OnSum(lane, await client.Sum(a, b));
                }
                else if (settings.Work == "get-user") again = load.OnUser(lane, await client.GetUser(Load.User.Id));
                else again = load.OnHello(lane, (await client.SayHello(new(Load.Hello))).Response);
            }
            catch (Exception fault)
            {
                again = load.OnFailure(lane, fault.GetType().Name);
            }
    }
}
