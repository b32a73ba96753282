using System.Diagnostics;
using System.Net.WebSockets;

/// <summary>The clients: a WebSocket each. A slot's next call is written where the answer to its last one was read. A
/// call is timed from just before it is written to just after its result is read.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly ClientWebSocket[] sockets = new ClientWebSocket[load.Clients];
    readonly Wire[] wires = new Wire[load.Clients];
    readonly Chat? chat = settings.Work == Settings.Broadcast ? new Chat(settings, load) : null;
    readonly int messageBytes = Message.BufferBytes(settings);
    volatile bool isClosing;

    // What the calling thread reads of a broadcast, and what it sends next.
    [ThreadStatic] static byte[]? ownMessage;
    [ThreadStatic] static byte[]? ownNext;

    /// <summary>Connects, and begins the calls that are due until the load ends.</summary>
    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.BeginPass())
        {
            if (chat != null)
            {
                SendDue(chat);
            }
            else
            {
                CallDue();
            }
            load.Pause();
        }
        isClosing = true;
        Array.ForEach(sockets, socket => socket.Dispose());
    }

    void CallDue()
    {
        while (load.TryBegin(out int slot))
        {
            Call(slot);
        }
    }

    void SendDue(Chat chat)
    {
        chat.Joining.BeginPass();
        byte[] next = ownNext ??= new byte[messageBytes];
        if (chat.Joining.TryLeave(next, out int leaver))
        {
            wires[leaver].Write(next.AsSpan(0, Message.HeaderBytes));
            _ = ConnectAgain(chat, leaver);
        }
        int length = chat.TryNext(next, out int client);
        while (length > 0)
        {
            wires[client].Write(next.AsSpan(0, length));
            length = chat.TryNext(next, out client);
        }
    }

    async Task ConnectAgain(Chat chat, int client)
    {
        ClientWebSocket left = sockets[client];
        try
        {
            await Connect(client);
            left.Abort();
            _ = Receive(client, wires[client]);
            chat.Joining.JoinAgain(client);
        }
        catch (Exception fault)
        {
            Program.Exit(new Failure(fault.Message));
        }
    }

    async Task Connect()
    {
        for (int client = 0; client < sockets.Length; client++)
        {
            await Connect(client);
            load.AddConnected();
        }
        await Greet();
        for (int client = 0; client < sockets.Length; client++)
        {
            _ = Receive(client, wires[client]);
        }
    }

    async Task Connect(int client)
    {
        string scheme = settings.Security == "tls" ? "wss" : "ws";
        var server = new Uri($"{scheme}://{Program.Resolve(settings.Address)}:{settings.Port}/");
        var handler = new SocketsHttpHandler { UseProxy = false, SslOptions = TlsOptions.OfClient(settings) };
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(server, new HttpMessageInvoker(handler), CancellationToken.None);
        sockets[client] = socket;
        wires[client] = new Wire(socket);
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

    async Task Receive(int client, Wire wire)
    {
        var reason = "The server closed the connection.";
        Action<BinaryReader> read = answer => OnAnswer(client, answer);
        try
        {
            bool continues = true;
            while (continues)
            {
                continues = await wire.Receive(read);
            }
        }
        catch (Exception fault)
        {
            reason = fault.Message;
        }
        // Of a client that has left, the wire of before ends.
        bool isExpected = wire != wires[client] || chat != null && chat.Joining.TryLose(client);
        if (!isClosing && !isExpected)
        {
            Program.Exit(new Failure(reason));
        }
    }

    void OnAnswer(int client, BinaryReader answer)
    {
        ReadHead(answer, out int slot, out Operation operation);
        if (operation == Operation.Broadcast)
        {
            OnMessage(client, answer, length: slot);
            return;
        }
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

    void OnMessage(int client, BinaryReader answer, int length)
    {
        if (chat == null || length < 0 || length > messageBytes)
        {
            throw new Failure("What answers is no server of this bench.");
        }
        Span<byte> message = (ownMessage ??= new byte[messageBytes]).AsSpan(0, length);
        answer.BaseStream.ReadExactly(message);
        chat.Joining.WaitWhileStalled(client);
        byte[] next = ownNext ??= new byte[messageBytes];
        int nextLength = chat.OnMessage(client, message, next, out int sender);
        if (nextLength > 0)
        {
            wires[sender].Write(next.AsSpan(0, nextLength));
        }
    }

    static void ReadHead(BinaryReader answer, out int slot, out Operation operation)
    {
        slot = answer.ReadInt32();
        operation = (Operation)answer.ReadByte();
    }
}
