using System.Buffers;
using System.Diagnostics;
using System.IO.Pipelines;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

/// <summary>The clients: a plain socket with pipelines each. Threads of the pool read: each checks the answers that one
/// read brings and writes the next messages, which one flush sends. The pacing thread writes what is due otherwise,
/// and flushes it in Poll. A round trip is timed from just before the message is written to just after the read that
/// brought its answer.</summary>
sealed class Client(Settings settings, Load load)
{
    // A read and a write take so many bytes, of small messages as many as a client has in flight.
    const int LeastBytes = 1 << 12;
    const int MostBytes = 1 << 16;

    const int MostCloseMilliseconds = 2_000;

    // The calling thread reads, and flushes when it has taken all that came.
    [ThreadStatic] static bool isReading;

    readonly Exchange exchange = new(settings, load);
    readonly System.IO.Stream[] streams = new System.IO.Stream[settings.Clients];
    readonly FramedPipe[] pipes = new FramedPipe[settings.Clients];
    readonly int pieceBytes = PieceBytes(settings);
    // Those that the pacing thread has written to.
    readonly HashSet<FramedPipe> pending = [];
    // Told when a flush is over.
    readonly object flushed = new();
    bool isFull;
    volatile bool isClosing;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        for (int index = 0; index < pipes.Length; index++)
        {
            Connect(index).GetAwaiter().GetResult();
            load.OnOpen(index);
        }
    }

    /// <summary>Writes a message, which the next flush sends.</summary>
    public void Begin(Due due)
    {
        FramedPipe pipe = pipes[due.Index];
        pipe.Write(exchange.Write(due));
        if (isReading)
        {
            return;
        }
        pending.Add(pipe);
        if (!pipe.HasRoom)
        {
            _ = pipe.Flush();
        }
    }

    /// <summary>Whether a client's pipe takes more of a stream.</summary>
    public bool HasRoom(int index)
    {
        isFull = !pipes[index].HasRoom;
        return !isFull;
    }

    /// <summary>Sends what is written and waits so long: answers come on threads of the pool. Where a stream is full it
    /// waits for the end of a flush.</summary>
    public void Poll(int microseconds)
    {
        foreach (FramedPipe pipe in pending)
        {
            _ = pipe.Flush();
        }
        pending.Clear();
        if (!isFull)
        {
            Delay.Sleep(microseconds);
            return;
        }
        isFull = false;
        lock (flushed)
        {
            if (!Array.Exists(pipes, pipe => pipe.HasRoom))
            {
                Monitor.Wait(flushed, TimeSpan.FromMicroseconds(microseconds));
            }
        }
    }

    /// <summary>Closes all connections; waits until what was written is sent, but not for long.</summary>
    public void Close()
    {
        Poll(microseconds: 0);
        isClosing = true;
        var clock = Stopwatch.StartNew();
        lock (flushed)
        {
            while (Array.Exists(pipes, pipe => pipe.IsFlushing) && clock.ElapsedMilliseconds < MostCloseMilliseconds)
            {
                Monitor.Wait(flushed, millisecondsTimeout: 10);
            }
        }
        Array.ForEach(streams, stream => stream.Dispose());
    }

    static int PieceBytes(Settings settings)
    {
        int frameBytes = sizeof(int) + Message.MostBytes(settings);
        long inFlight = settings.Work == Settings.Stream ? MostBytes : (long)frameBytes * settings.Parallel;
        return (int)Math.Clamp(inFlight, LeastBytes, MostBytes);
    }

    async Task Connect(int index)
    {
        var socket = new Socket(settings.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
        };
        Library.SetBuffers(socket, settings);
        try
        {
            await socket.ConnectAsync(settings.Endpoint);
        }
        catch (SocketException fault)
        {
            throw new Failure($"Nothing listens on {settings.Address}:{settings.Port}: {fault.Message}");
        }
        System.IO.Stream stream = new NetworkStream(socket, ownsSocket: true);
        if (settings.Security == "tls")
        {
            stream = await ShakeHands(stream);
        }
        var input = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: pieceBytes));
        var output = PipeWriter.Create(stream, new StreamPipeWriterOptions(minimumBufferSize: pieceBytes));
        streams[index] = stream;
        pipes[index] = new FramedPipe(
            input, output, Message.MostBytes(settings), mostWaitingBytes: int.MaxValue, TellFlushed);
        _ = Task.Run(() => Receive(index, pipes[index]));
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

    void TellFlushed()
    {
        if (settings.Work == Settings.Stream)
        {
            lock (flushed)
            {
                Monitor.Pulse(flushed);
            }
        }
    }

    // Ends with the connection.
    async Task Receive(int index, FramedPipe pipe)
    {
        Exception end = new Failure("The server closed the connection.");
        try
        {
            bool isThere = true;
            while (isThere)
            {
                ReadResult read = await pipe.Input.ReadAsync();
                pipe.Input.AdvanceTo(TakeAll(index, pipe, read.Buffer), read.Buffer.End);
                _ = pipe.Flush();
                isThere = !read.IsCompleted;
            }
        }
        catch (InvalidDataException)
        {
            end = new Failure($"What answers on {settings.Address}:{settings.Port} is no server of this bench.");
        }
        catch (IOException)
        {
            // A reset is an end, too.
        }
        catch (Exception fault)
        {
            end = fault;
        }
        pipe.End();
        if (!isClosing)
        {
            Program.Exit(end);
        }
    }

    // Returns how far whole messages go.
    SequencePosition TakeAll(int index, FramedPipe pipe, ReadOnlySequence<byte> rest)
    {
        isReading = true;
        while (!isClosing && pipe.TryTake(ref rest, out ReadOnlySpan<byte> message))
        {
            exchange.OnMessage(index, message);
        }
        isReading = false;
        return rest.Start;
    }
}
