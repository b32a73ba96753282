using System.Diagnostics;
using System.Net.WebSockets;

/// <summary>The clients: a WebSocket each. A lane's next call is written where its answer was read.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly ClientWebSocket[] sockets = new ClientWebSocket[settings.OwnClients];
    readonly Wire[] wires = new Wire[settings.OwnClients];
    volatile bool closing;

    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.Continues())
            while (load.TryNext(out var lane)) Call(lane);
        closing = true;
        Array.ForEach(sockets, socket => socket.Dispose());
    }

    async Task Connect()
    {
        var server = new Uri($"{(settings.Security == "tls" ? "wss" : "ws")}://{Program.Resolve(settings.Address)}:{settings.Port}/");
        for (var client = 0; client < sockets.Length; client++)
        {
            sockets[client] = new();
            await sockets[client].ConnectAsync(server, new(new SocketsHttpHandler { UseProxy = false, SslOptions = Tls.OfClient(settings) }), default);
            wires[client] = new(sockets[client]);
            load.Connected++;
        }
        var calledAt = Stopwatch.GetTimestamp();
        wires[0].Write(0, Operation.SayHello, Load.First, Binary.Write);
        await wires[0].Receive(answer =>
        {
            _ = (answer.ReadInt32(), answer.ReadByte());
            Load.OnFirst(Binary.ReadHello(answer).Name, calledAt);
        });
        Array.ForEach(wires, wire => _ = Receive(wire));
    }

    void Call(int lane)
    {
        var wire = wires[load.ClientOf(lane)];
        if (settings.Work == "sum") wire.Write(lane, Operation.Sum, load.Terms(lane), Binary.Write);
        else if (settings.Work == "get-user") wire.Write(lane, Operation.GetUser, Load.User.Id, Binary.Write);
        else wire.Write(lane, Operation.SayHello, Load.Hello, Binary.Write);
    }

    async Task Receive(Wire wire)
    {
        var reason = "The server closed the connection.";
        try
        {
            while (await wire.Receive(OnAnswer)) ;
        }
        catch (Exception fault)
        {
            reason = fault.Message;
        }
        if (!closing) Program.Exit(new Failure(reason));
    }

    void OnAnswer(BinaryReader from)
    {
        var (lane, operation) = (from.ReadInt32(), (Operation)from.ReadByte());
        if (operation == Operation.Sum ? load.OnSum(lane, from.ReadInt32())
            : operation == Operation.GetUser ? load.OnUser(lane, Binary.ReadUser(from))
            : load.OnHello(lane, Binary.ReadHello(from))) Call(lane);
    }
}
