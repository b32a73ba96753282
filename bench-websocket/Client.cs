using System.Net.Sockets;
using System.Net.WebSockets;

/// <summary>The clients: a WebSocket each. A slot's next call is written where the answer to its last one was read. A
/// call is timed from just before it is written to just after its result is read.</summary>
sealed class Client(Settings settings, Load load)
{
    // So many clients connect side by side, which a server's queue of connections holds.
    const int MostConnecting = 32;

    readonly Hello hello = Calls.NewHello(settings);
    readonly Exchange exchange = new(settings, load);
    readonly Wire?[] wires = new Wire?[settings.Clients];
    readonly Operation operation = (Operation)Array.IndexOf(Library.Works, settings.Work);
    volatile bool isClosed;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        string scheme = settings.Security == "tls" ? "wss" : "ws";
        var server = new Uri($"{scheme}://{settings.Endpoint}/");
        var http = new SocketsHttpHandler { UseProxy = false, SslOptions = TlsOptions.OfClient(settings) };
        var invoker = new HttpMessageInvoker(http);
        _ = Parallel.ForAsync(0, wires.Length, new ParallelOptions { MaxDegreeOfParallelism = MostConnecting },
            async (index, _) => await Connect(index, server, invoker));
    }

    /// <summary>Writes a call, or sends a message.</summary>
    public void Begin(Due due)
    {
        if (due.Sequence == Due.Leaving)
        {
            // A client leaves its room by the end of its connection.
            return;
        }
        Wire wire = wires[due.Index]!;
        if (operation == Operation.Broadcast)
        {
            wire.Write(exchange.Write(due));
            return;
        }
        using Wire.Entry call = wire.Write(due.Sequence, operation);
        switch (operation)
        {
            case Operation.Sum:
                (int a, int b) = Calls.Terms(due);
                call.To.Write(a);
                call.To.Write(b);
                break;
            case Operation.GetUser:
                call.To.Write(Calls.User.Id);
                break;
            default:
                Binary.Write(call.To, hello);
                break;
        }
    }

    /// <summary>Waits so long: answers come on threads of the pool.</summary>
    public void Poll(int microseconds) => Delay.Sleep(microseconds);

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosed = true;
        Array.ForEach(wires, wire => wire?.Dispose());
    }

    async Task Connect(int index, Uri server, HttpMessageInvoker invoker)
    {
        var socket = new ClientWebSocket();
        try
        {
            await socket.ConnectAsync(server, invoker, CancellationToken.None);
        }
        catch (Exception fault)
        {
            Program.Exit(Told(fault.GetBaseException()));
        }
        var wire = new Wire(socket);
        wires[index] = wire;
        load.OnOpen(index);
        _ = Receive(index, wire);
    }

    Exception Told(Exception reason)
    {
        string place = $"{settings.Address}:{settings.Port}";
        return reason switch
        {
            Failure => reason,
            SocketException => new Failure($"Nothing listens on {place}: {reason.Message}"),
            _ => new Failure($"Nothing on {place} answers as a server of this bench: {reason.Message}"),
        };
    }

    async Task Receive(int index, Wire wire)
    {
        var reason = "The server closed the connection.";
        try
        {
            while (await wire.Receive() && !isClosed)
            {
                while (wire.HasMore)
                {
                    Take(index, wire);
                }
            }
        }
        catch (Exception fault)
        {
            // A connection may end without a word.
            reason = fault is WebSocketException ? reason : fault.Message;
        }
        if (!isClosed)
        {
            Program.Exit(new Failure(reason));
        }
    }

    void Take(int index, Wire wire)
    {
        BinaryReader answer = wire.Reader;
        int number = answer.ReadInt32();
        var operation = (Operation)answer.ReadByte();
        if (operation == Operation.Broadcast)
        {
            exchange.OnMessage(index, wire.ReadBytes(number));
            return;
        }
        Due call = load.InFlight(index, number);
        if (call.Sequence == 0)
        {
            // It was given up.
            call = new Due(index, number, At: 0);
        }
        bool isRight = operation switch
        {
            Operation.Sum => Calls.IsRight(call, answer.ReadInt32()),
            Operation.GetUser => Calls.IsRight(Binary.ReadUser(answer)),
            _ => Calls.IsRight(Binary.ReadHello(answer), hello),
        };
        load.Begin(load.EndCall(call, isRight));
    }
}
