using System.Diagnostics;
using System.Net.WebSockets;

/// <summary>The clients: a WebSocket each. A slot's next call is written where the answer to its last one was read. A
/// call is timed from just before it is written to just after its result is read.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly ClientWebSocket[] sockets = new ClientWebSocket[load.Clients];
    readonly Wire[] wires = new Wire[load.Clients];
    volatile bool isClosing;

    /// <summary>Connects, and begins the calls that are due until the load ends.</summary>
    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.BeginPass())
        {
            while (load.TryBegin(out int slot))
            {
                Call(slot);
            }
            load.Pause();
        }
        isClosing = true;
        Array.ForEach(sockets, socket => socket.Dispose());
    }

    async Task Connect()
    {
        string scheme = settings.Security == "tls" ? "wss" : "ws";
        var server = new Uri($"{scheme}://{Program.Resolve(settings.Address)}:{settings.Port}/");
        for (int client = 0; client < sockets.Length; client++)
        {
            var handler = new SocketsHttpHandler { UseProxy = false, SslOptions = TlsOptions.OfClient(settings) };
            sockets[client] = new ClientWebSocket();
            await sockets[client].ConnectAsync(server, new HttpMessageInvoker(handler), CancellationToken.None);
            wires[client] = new Wire(sockets[client]);
            load.AddConnected();
        }
        await Greet();
        Array.ForEach(wires, wire => _ = Receive(wire));
    }

    async Task Greet()
    {
        long calledAt = Stopwatch.GetTimestamp();
        wires[0].Write(0, Operation.SayHello, Calls.FirstHello, Binary.Write);
        await wires[0].Receive(answer =>
        {
            ReadHead(answer, out _, out _);
            Greeting.TakeReply(Binary.ReadHello(answer).Name, calledAt, settings);
        });
    }

    void Call(int slot)
    {
        Wire wire = wires[load.ClientOf(slot)];
        switch (settings.Work)
        {
            case Calls.Sum:
                wire.Write(slot, Operation.Sum, Calls.Terms(load, slot), Binary.Write);
                break;
            case Calls.GetUser:
                wire.Write(slot, Operation.GetUser, Calls.User.Id, Binary.Write);
                break;
            default:
                wire.Write(slot, Operation.SayHello, Calls.Hello, Binary.Write);
                break;
        }
    }

    async Task Receive(Wire wire)
    {
        var reason = "The server closed the connection.";
        try
        {
            bool continues = true;
            while (continues)
            {
                continues = await wire.Receive(OnAnswer);
            }
        }
        catch (Exception fault)
        {
            reason = fault.Message;
        }
        if (!isClosing)
        {
            Program.Exit(new Failure(reason));
        }
    }

    void OnAnswer(BinaryReader answer)
    {
        ReadHead(answer, out int slot, out Operation operation);
        bool isRight = operation switch
        {
            Operation.Sum => Calls.IsRight(load, slot, answer.ReadInt32()),
            Operation.GetUser => Calls.IsRight(Binary.ReadUser(answer)),
            _ => Calls.IsRight(Binary.ReadHello(answer)),
        };
        bool continues = load.End(slot, isRight);
        if (continues)
        {
            Call(slot);
        }
    }

    static void ReadHead(BinaryReader answer, out int slot, out Operation operation)
    {
        slot = answer.ReadInt32();
        operation = (Operation)answer.ReadByte();
    }
}
