using System.Buffers;
using System.IO.Pipelines;
using System.Net.Quic;

/// <summary>Messages on a connection of either side: on one stream of QUIC in both directions, each behind its length,
/// or in the variant streams each as a stream of its own, in one direction.</summary>
sealed class Channel
{
    /// <summary>Takes a message that came.</summary>
    public delegate void Taker(Channel channel, ReadOnlySpan<byte> message);

    // Of messages on streams of their own: so much waits for QUIC before the channel is full.
    const int MostKeptBytes = 1 << 18;

    // What a message takes besides that has a stream of its own and waits.
    const int BytesOfStream = 1 << 11;

    // A write takes so many bytes.
    const int PieceBytes = 1 << 14;

    readonly QuicConnection connection;
    readonly int mostMessageBytes;
    readonly int mostWaitingBytes;
    // Null in the variant streams.
    readonly FramedPipe? pipe;
    // Streams end side by side, and what comes on a connection is taken one at a time.
    readonly Lock taking = new();
    // What is sent and taken is a stream of messages.
    readonly bool isStreaming;
    long waitingBytes;
    // How many messages on streams of their own are written and not acknowledged, and have come and are not taken.
    int unacknowledged;
    int coming;
    volatile bool hasEnded;
    // What ended it, where that is no end of the connection.
    Exception? reason;

    Channel(QuicConnection connection, QuicStream? stream, Settings settings, int mostWaitingBytes)
    {
        this.connection = connection;
        this.mostWaitingBytes = mostWaitingBytes;
        mostMessageBytes = Message.BufferBytes(settings);
        isStreaming = settings.Work == Settings.Stream;
        if (stream != null)
        {
            var input = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: PieceBytes));
            var output = PipeWriter.Create(stream, new StreamPipeWriterOptions(minimumBufferSize: PieceBytes));
            pipe = new FramedPipe(input, output, mostMessageBytes, mostWaitingBytes);
        }
    }

    /// <summary>A client's, which is ready to write.</summary>
    public static async Task<Channel> Connect(Settings settings)
    {
        QuicConnection connection = await QuicConnection.ConnectAsync(Library.ClientOptions(settings));
        QuicStream? stream = settings.Variant == Library.Streams
            ? null
            : await connection.OpenOutboundStreamAsync(QuicStreamType.Bidirectional);
        return new Channel(connection, stream, settings, int.MaxValue);
    }

    /// <summary>A server's, as soon as its client has sent something. It keeps so many bytes for a client that does not
    /// read.</summary>
    public static async Task<Channel> Accept(QuicConnection connection, Settings settings, int mostWaitingBytes)
    {
        QuicStream? stream = settings.Variant == Library.Streams ? null : await connection.AcceptInboundStreamAsync();
        return new Channel(connection, stream, settings, mostWaitingBytes);
    }

    /// <summary>Whether more of a stream of messages may be written: QUIC has taken what was.</summary>
    public bool HasRoom => pipe?.HasRoom ?? Volatile.Read(ref waitingBytes) < MostKeptBytes;

    /// <summary>Whether a message written now comes behind all that were: they share a stream of QUIC, or the other
    /// side's QUIC has them.</summary>
    public bool KeepsOrder => pipe != null || Volatile.Read(ref unacknowledged) == 0;

    /// <summary>Writes a message, which is sent at the latest by the next flush; any thread may call it. False: the
    /// other side is gone, or has left too much unread.</summary>
    public bool Write(ReadOnlySpan<byte> message)
    {
        if (pipe != null)
        {
            return pipe.Write(message);
        }
        if (hasEnded || Volatile.Read(ref waitingBytes) > mostWaitingBytes)
        {
            return false;
        }
        Interlocked.Add(ref waitingBytes, BytesOfStream + message.Length);
        Interlocked.Increment(ref unacknowledged);
        byte[] copy = ArrayPool<byte>.Shared.Rent(message.Length);
        message.CopyTo(copy);
        _ = SendAlone(copy, message.Length);
        return true;
    }

    /// <summary>Sends what is written; returns when QUIC takes more. False: the other side is gone. Any thread may call
    /// it.</summary>
    public Task<bool> Flush() => pipe?.Flush() ?? Task.FromResult(!hasEnded);

    /// <summary>Takes what comes, unless told that it stalls, until the connection ends. Before it reads on it may wait
    /// until QUIC has taken what was written. Throws where it does not end well.</summary>
    public async Task Receive(Taker take, Func<bool> isStalled, bool awaitsFlush)
    {
        try
        {
            bool isThere = true;
            while (isThere)
            {
                while (isStalled())
                {
                    await Task.Delay(1);
                }
                isThere = pipe != null
                    ? await ReceiveSome(pipe, take, awaitsFlush)
                    : await ReceiveAlone(take, awaitsFlush);
            }
        }
        catch (Exception) when (reason != null)
        {
            throw reason;
        }
        finally
        {
            hasEnded = true;
            pipe?.End();
        }
    }

    /// <summary>Ends the connection, and tells the other side.</summary>
    public async Task Close()
    {
        hasEnded = true;
        try
        {
            await connection.CloseAsync(0);
            await connection.DisposeAsync();
        }
        catch (Exception fault) when (fault is QuicException or ObjectDisposedException)
        {
            // It has ended already.
        }
    }

    async ValueTask<bool> ReceiveSome(FramedPipe from, Taker take, bool awaitsFlush)
    {
        ReadResult read = await from.Input.ReadAsync();
        from.Input.AdvanceTo(TakeAll(from, read.Buffer, take), read.Buffer.End);
        Task<bool> flush = from.Flush();
        return !read.IsCompleted && (!awaitsFlush || await flush);
    }

    // Returns how far whole messages go.
    SequencePosition TakeAll(FramedPipe from, ReadOnlySequence<byte> rest, Taker take)
    {
        while (from.TryTake(ref rest, out ReadOnlySpan<byte> message))
        {
            take(this, message);
        }
        return rest.Start;
    }

    async ValueTask<bool> ReceiveAlone(Taker take, bool awaitsFlush)
    {
        while (awaitsFlush && !HasRoom && !hasEnded)
        {
            await Task.Delay(1);
        }
        QuicStream stream = await connection.AcceptInboundStreamAsync();
        Interlocked.Increment(ref coming);
        _ = TakeAlone(stream, take);
        return true;
    }

    async Task TakeAlone(QuicStream stream, Taker take)
    {
        byte[] message = ArrayPool<byte>.Shared.Rent(mostMessageBytes + 1);
        bool isCounted = true;
        try
        {
            int length = 0;
            int count;
            do
            {
                count = await stream.ReadAsync(message.AsMemory(length));
                length += count;
            }
            while (count > 0 && length <= mostMessageBytes);
            if (length > mostMessageBytes)
            {
                throw new InvalidDataException("A message has a length that none has.");
            }
            if (isStreaming && StreamCheck.IsBehindStream(message.AsSpan(0, length)))
            {
                // This message tells that the whole stream has arrived, so it waits until all that came before it are
                // taken: the thread that takes one of those may be held up.
                isCounted = false;
                Interlocked.Decrement(ref coming);
                while (Volatile.Read(ref coming) > 0 && !hasEnded)
                {
                    await Task.Delay(1);
                }
            }
            lock (taking)
            {
                take(this, message.AsSpan(0, length));
            }
        }
        catch (Exception fault)
        {
            // Where the other side has reset the stream, its message is lost.
            reason ??= fault;
            _ = Close();
        }
        if (isCounted)
        {
            Interlocked.Decrement(ref coming);
        }
        ArrayPool<byte>.Shared.Return(message);
        await stream.DisposeAsync();
    }

    async Task SendAlone(byte[] message, int length)
    {
        QuicStream? stream = null;
        try
        {
            stream = await connection.OpenOutboundStreamAsync(QuicStreamType.Unidirectional);
            await stream.WriteAsync(message.AsMemory(0, length), completeWrites: true);
        }
        catch (Exception fault) when (fault is QuicException or OperationCanceledException or ObjectDisposedException)
        {
            // The connection is gone, as its reader sees, too.
        }
        Interlocked.Add(ref waitingBytes, -BytesOfStream - length);
        ArrayPool<byte>.Shared.Return(message);
        try
        {
            if (stream != null)
            {
                // Returns when the other side has acknowledged all of it.
                await stream.DisposeAsync();
            }
        }
        finally
        {
            Interlocked.Decrement(ref unacknowledged);
        }
    }
}
