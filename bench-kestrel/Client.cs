using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

/// <summary>The clients of one thread: a plain socket with pipelines each. Threads of the pool read: each checks the
/// answers that one read brings and writes the next messages of their slots, which one flush sends. This thread
/// connects, sends what is due otherwise (the first messages, those at a rate, streams) and gives up the lost. A round
/// trip is timed from just before the message is written to just after the read that brought its answer.</summary>
sealed class Client(Settings settings, Load load)
{
    // A read and a write take so many bytes, of small messages as many as a client has in flight.
    const int LeastBytes = 1 << 12;
    const int MostBytes = 1 << 16;

    // What the calling thread is about to send.
    [ThreadStatic] static byte[]? ownMessage;

    readonly IPEndPoint server = new(Program.Resolve(settings.Address), settings.Port);
    readonly Exchange exchange = new(settings, load);
    readonly System.IO.Stream[] streams = new System.IO.Stream[load.Clients];
    readonly FramedPipe[] pipes = new FramedPipe[load.Clients];
    readonly int messageBytes = Message.BufferBytes(settings);
    readonly int pieceBytes = PieceBytes(settings);
    volatile bool isClosing;

    /// <summary>Connects, and sends what is due until the load ends.</summary>
    public void Run()
    {
        for (int client = 0; client < load.Clients; client++)
        {
            Connect(client).GetAwaiter().GetResult();
            load.AddConnected();
        }
        while (exchange.BeginPass())
        {
            Churn();
            SendDue();
            exchange.Pause();
        }
        isClosing = true;
        Array.ForEach(streams, stream => stream.Dispose());
    }

    /// <summary>Whether a client's pipe takes more of a stream.</summary>
    public bool HasRoom(int client) => pipes[client].HasRoom;

    static int PieceBytes(Settings settings)
    {
        int frameBytes = sizeof(int) + Message.BufferBytes(settings);
        long inFlight = settings.Work == Settings.Stream ? MostBytes : (long)frameBytes * settings.Parallel;
        return (int)Math.Clamp(inFlight, LeastBytes, MostBytes);
    }

    async Task Connect(int client)
    {
        var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        Library.SetBuffers(socket, settings);
        await socket.ConnectAsync(server);
        System.IO.Stream stream = new NetworkStream(socket, ownsSocket: true);
        if (settings.Security == "tls")
        {
            stream = await ShakeHands(stream);
        }
        var input = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: pieceBytes));
        var output = PipeWriter.Create(stream, new StreamPipeWriterOptions(minimumBufferSize: pieceBytes));
        var pipe = new FramedPipe(input, output, messageBytes, mostWaitingBytes: int.MaxValue);
        streams[client] = stream;
        pipes[client] = pipe;
        _ = Task.Run(() => Receive(client, pipe));
    }

    async Task<SslStream> ShakeHands(System.IO.Stream stream)
    {
        var encrypted = new SslStream(stream);
        try
        {
            await encrypted.AuthenticateAsClientAsync(TlsOptions.OfClient(settings));
        }
        catch (Exception fault) when (fault is IOException or AuthenticationException)
        {
            throw new Failure("The other side does not shake hands for TLS.");
        }
        return encrypted;
    }

    // One client may have to leave its room and join again, on a new connection.
    void Churn()
    {
        byte[] message = OwnMessage();
        if (!exchange.TryLeave(message, out int client))
        {
            return;
        }
        pipes[client].Write(message.AsSpan(0, Message.HeaderBytes));
        _ = ConnectAgain(client, pipes[client].Flush());
    }

    async Task ConnectAgain(int client, Task leaving)
    {
        System.IO.Stream left = streams[client];
        try
        {
            await leaving;
            await Connect(client);
            await left.DisposeAsync();
            exchange.JoinAgain(client);
        }
        catch (Exception fault)
        {
            Program.Exit(fault);
        }
    }

    // What one client sends in a row goes together.
    void SendDue()
    {
        byte[] message = OwnMessage();
        FramedPipe? last = null;
        int length = exchange.TryNext(this, message, out int client);
        while (length > 0)
        {
            if (pipes[client] != last || !last.HasRoom)
            {
                _ = last?.Flush();
                last = pipes[client];
            }
            last.Write(message.AsSpan(0, length));
            length = exchange.TryNext(this, message, out client);
        }
        _ = last?.Flush();
    }

    // Ends with the connection.
    async Task Receive(int client, FramedPipe pipe)
    {
        Exception end = new Failure("The server closed the connection.");
        try
        {
            bool isThere = true;
            while (isThere)
            {
                while (exchange.IsStalled(client))
                {
                    await Task.Delay(1);
                }
                ReadResult read = await pipe.Input.ReadAsync();
                pipe.Input.AdvanceTo(TakeAll(client, pipe, read.Buffer), read.Buffer.End);
                _ = pipe.Flush();
                isThere = !read.IsCompleted;
            }
        }
        catch (InvalidDataException)
        {
            end = new Failure($"What answers on {settings.Address}:{settings.Port} is no server of this bench.");
        }
        catch (Exception fault)
        {
            end = fault;
        }
        pipe.End();
        // Of a client that has left, the pipe of before ends.
        if (!isClosing && pipe == pipes[client] && !exchange.TryLose(client))
        {
            Program.Exit(end);
        }
    }

    // Returns how far whole messages go.
    SequencePosition TakeAll(int client, FramedPipe pipe, ReadOnlySequence<byte> rest)
    {
        byte[] next = OwnMessage();
        while (pipe.TryTake(ref rest, out ReadOnlySpan<byte> message))
        {
            int length = exchange.OnMessage(client, message, next, out int sender);
            if (length == 0)
            {
                continue;
            }
            pipes[sender].Write(next.AsSpan(0, length));
            if (sender != client)
            {
                _ = pipes[sender].Flush();
            }
        }
        return rest.Start;
    }

    byte[] OwnMessage() => ownMessage ??= new byte[messageBytes];
}
