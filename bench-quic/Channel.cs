using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Net.Quic;

/// <summary>Takes the messages that come on a channel; a structure, so that no call of it is virtual.</summary>
interface ITaker
{
    /// <summary>Takes one message. The messages of a channel are taken one at a time.</summary>
    void Take(Channel channel, ReadOnlySpan<byte> message);
}

/// <summary>Messages on a connection of either side: on one stream of QUIC in both directions, each behind its length,
/// or in the variant streams each as a stream of its own, in one direction. Any thread may write.</summary>
sealed class Channel : IAsyncDisposable
{
    // Bytes of the length in front of a message.
    const int LengthBytes = 4;
    // A read or a write takes so many bytes.
    const int PieceBytes = 1 << 16;
    // So much waits for QUIC before the channel is full.
    const int MostKeptBytes = 1 << 18;
    // What a message takes besides that has a stream of its own and waits.
    const int BytesOfStream = 1 << 11;
    const int MostCloseMilliseconds = 2_000;

    readonly QuicConnection connection;
    // Null in the variant streams.
    readonly QuicStream? stream;
    readonly Pipe output = new(new PipeOptions(readerScheduler: PipeScheduler.Inline,
        pauseWriterThreshold: MostKeptBytes, resumeWriterThreshold: MostKeptBytes / 2,
        minimumSegmentSize: PieceBytes, useSynchronizationContext: false));
    readonly int mostMessageBytes;
    readonly long mostWaitingBytes;
    // Before it reads on it waits until QUIC has taken its answers.
    readonly bool awaitsAnswers;
    // A client's: told whenever QUIC has taken something.
    readonly Client? owner;
    readonly Lock gate = new();
    // Streams end side by side.
    readonly Lock taking = new();
    Task lastAlone = Task.CompletedTask;
    // What came together is answered together: meanwhile whoever writes does not flush.
    bool isTaking;
    volatile bool hasEnded;
    long waitingBytes;
    // Of messages on streams of their own: how many were written, how many were taken, and after how many the other
    // side leaves.
    long written;
    long taken;
    long leavesAfter = long.MaxValue;
    // What ended it, where that is no end of the connection.
    Exception? reason;

    Channel(QuicConnection connection, QuicStream? stream, Settings settings, long mostWaitingBytes,
        Client? owner)
    {
        this.connection = connection;
        this.stream = stream;
        this.mostWaitingBytes = mostWaitingBytes;
        this.owner = owner;
        mostMessageBytes = Message.MostBytes(settings);
        awaitsAnswers = owner == null && !settings.HasRooms;
        if (stream != null)
        {
            _ = Send(stream);
        }
    }

    /// <summary>A client's, which is ready to write.</summary>
    public static async Task<Channel> Connect(Settings settings, Client owner)
    {
        QuicConnection connection = await QuicConnection.ConnectAsync(Library.ClientOptions(settings));
        QuicStream? stream = settings.Variant == Library.Streams
            ? null
            : await connection.OpenOutboundStreamAsync(QuicStreamType.Bidirectional);
        return new Channel(connection, stream, settings, long.MaxValue, owner);
    }

    /// <summary>A server's, as soon as its client has sent something. It keeps so many bytes for a client that does not
    /// read.</summary>
    public static async Task<Channel> Accept(QuicConnection connection, Settings settings, long mostWaitingBytes)
    {
        QuicStream? stream = settings.Variant == Library.Streams ? null : await connection.AcceptInboundStreamAsync();
        return new Channel(connection, stream, settings, mostWaitingBytes, owner: null);
    }

    /// <summary>Whether it is worthwhile to write more of a stream of messages: not too much waits for QUIC.</summary>
    public bool HasRoom => Volatile.Read(ref waitingBytes) < MostKeptBytes;

    /// <summary>Sends a message. False: the other side is gone, or has left too much unread.</summary>
    public bool Write(ReadOnlySpan<byte> message)
    {
        if (hasEnded || Volatile.Read(ref waitingBytes) > mostWaitingBytes)
        {
            return false;
        }
        if (stream == null)
        {
            Interlocked.Increment(ref written);
            lastAlone = SendAlone(Copy(message), message.Length);
            return true;
        }
        lock (gate)
        {
            if (hasEnded)
            {
                return false;
            }
            Span<byte> frame = output.Writer.GetSpan(LengthBytes + message.Length);
            BinaryPrimitives.WriteInt32LittleEndian(frame, message.Length);
            message.CopyTo(frame[LengthBytes..]);
            output.Writer.Advance(LengthBytes + message.Length);
            Interlocked.Add(ref waitingBytes, LengthBytes + message.Length);
            if (!isTaking)
            {
                Forget(output.Writer.FlushAsync());
            }
            return true;
        }
    }

    /// <summary>Takes what comes until the other side leaves; throws where the connection ends otherwise.</summary>
    public async Task Receive<T>(T taker) where T : struct, ITaker
    {
        try
        {
            await (stream == null ? ReceiveAlone(taker) : ReceiveFrames(stream, taker));
        }
        catch (Exception) when (reason != null)
        {
            throw reason;
        }
        finally
        {
            End();
        }
    }

    /// <summary>Tells a server that this client leaves, behind all that was written. Its server then ends the
    /// connection, for which this waits, though not for long.</summary>
    public async Task Leave(Task receiving)
    {
        End();
        if (stream == null)
        {
            byte[] goodbye = Copy(BitConverter.GetBytes(Volatile.Read(ref written)));
            _ = SendAlone(goodbye, sizeof(long));
        }
        await Task.WhenAny(receiving, Task.Delay(MostCloseMilliseconds));
        await DisposeAsync();
    }

    /// <summary>Ends the connection.</summary>
    public async ValueTask DisposeAsync()
    {
        End();
        await connection.DisposeAsync();
    }

    // Nothing is written any more; what was is sent.
    void End()
    {
        lock (gate)
        {
            hasEnded = true;
            output.Writer.Complete();
        }
    }

    // Sends what is written, as much at once as there is, until the end.
    async Task Send(QuicStream to)
    {
        try
        {
            ReadResult read;
            do
            {
                read = await output.Reader.ReadAsync();
                foreach (ReadOnlyMemory<byte> piece in read.Buffer)
                {
                    await to.WriteAsync(piece);
                    CountSent(piece.Length);
                }
                output.Reader.AdvanceTo(read.Buffer.End);
            }
            while (!read.IsCompleted);
            to.CompleteWrites();
        }
        catch (Exception fault) when (fault is QuicException or OperationCanceledException or ObjectDisposedException)
        {
            // The connection is gone, as its reader sees, too.
            hasEnded = true;
        }
        output.Reader.Complete();
    }

    async Task ReceiveFrames<T>(QuicStream from, T taker) where T : struct, ITaker
    {
        var buffer = new byte[PieceBytes + LengthBytes + mostMessageBytes];
        int filled = 0;
        int count = await from.ReadAsync(buffer);
        while (count > 0)
        {
            lock (gate)
            {
                isTaking = true;
            }
            filled = TakeAll(buffer, filled + count, taker);
            ValueTask<FlushResult> flush = Flush();
            if (awaitsAnswers)
            {
                await flush;
            }
            count = await from.ReadAsync(buffer.AsMemory(filled));
        }
    }

    // Moves what is left behind the whole messages to the front, and returns how much that is.
    int TakeAll<T>(byte[] buffer, int filled, T taker) where T : struct, ITaker
    {
        ReadOnlySpan<byte> rest = buffer.AsSpan(0, filled);
        while (rest.Length >= LengthBytes)
        {
            int length = BinaryPrimitives.ReadInt32LittleEndian(rest);
            ThrowIfTooLong(length);
            if (rest.Length < LengthBytes + length)
            {
                break;
            }
            taker.Take(this, rest.Slice(LengthBytes, length));
            rest = rest[(LengthBytes + length)..];
        }
        rest.CopyTo(buffer);
        return rest.Length;
    }

    ValueTask<FlushResult> Flush()
    {
        lock (gate)
        {
            isTaking = false;
            return hasEnded ? default : output.Writer.FlushAsync();
        }
    }

    async Task ReceiveAlone<T>(T taker) where T : struct, ITaker
    {
        while (true)
        {
            _ = TakeAlone(await connection.AcceptInboundStreamAsync(), taker);
        }
    }

    async Task TakeAlone<T>(QuicStream from, T taker) where T : struct, ITaker
    {
        byte[] message = ArrayPool<byte>.Shared.Rent(mostMessageBytes + 1);
        try
        {
            int length = 0;
            int count;
            do
            {
                count = await from.ReadAsync(message.AsMemory(length));
                length += count;
                ThrowIfTooLong(length);
            }
            while (count > 0);
            if (length == sizeof(long))
            {
                Volatile.Write(ref leavesAfter, BitConverter.ToInt64(message));
            }
            else
            {
                Task answer = Take(message.AsSpan(0, length), taker);
                // As long as a stream is open QUIC grants its client no other one.
                await (awaitsAnswers ? answer : Task.CompletedTask);
            }
            if (Volatile.Read(ref taken) >= Volatile.Read(ref leavesAfter))
            {
                await connection.CloseAsync(0);
            }
        }
        catch (Exception fault)
        {
            // Where the other side has reset the stream, its message is lost.
            reason ??= fault;
            await connection.DisposeAsync();
        }
        ArrayPool<byte>.Shared.Return(message);
        await from.DisposeAsync();
    }

    // Returns the sending of the answer, if there is one.
    Task Take<T>(ReadOnlySpan<byte> message, T taker) where T : struct, ITaker
    {
        lock (taking)
        {
            taker.Take(this, message);
            Interlocked.Increment(ref taken);
            return lastAlone;
        }
    }

    async Task SendAlone(byte[] message, int length)
    {
        Interlocked.Add(ref waitingBytes, BytesOfStream + length);
        try
        {
            // Its end returns when the other side has acknowledged all of it.
            await using QuicStream to = await connection.OpenOutboundStreamAsync(QuicStreamType.Unidirectional);
            await to.WriteAsync(message.AsMemory(0, length), completeWrites: true);
            CountSent(BytesOfStream + length);
        }
        catch (Exception fault) when (fault is QuicException or OperationCanceledException or ObjectDisposedException)
        {
            // The connection is gone, as its reader sees, too.
            hasEnded = true;
        }
        ArrayPool<byte>.Shared.Return(message);
    }

    void CountSent(int bytes)
    {
        Interlocked.Add(ref waitingBytes, -bytes);
        owner?.TellRoom();
    }

    // Nobody waits for this flush: HasRoom and the limit of what waits hold writers back.
    static void Forget(ValueTask<FlushResult> _)
    {
    }

    static byte[] Copy(ReadOnlySpan<byte> message)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(message.Length);
        message.CopyTo(copy);
        return copy;
    }

    void ThrowIfTooLong(int length)
    {
        if (length < 0 || length > mostMessageBytes)
        {
            throw new InvalidDataException("A message has a length that none has.");
        }
    }
}
