using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;

/// <summary>Messages on the two pipes of a connection, of either side: each stands behind its length. One thread at a
/// time reads, any thread may write. A pipe must not be written while it is flushed: what is written meanwhile waits
/// and goes with the next flush. Whoever lets more wait than it may is taken for one who does not read.</summary>
/// <param name="input">What comes.</param>
/// <param name="output">What goes.</param>
/// <param name="mostMessageBytes">Of the longest message.</param>
/// <param name="mostWaitingBytes">That may wait for a flush.</param>
/// <param name="onFlushed">Called when a flush is over; null: nobody waits for that.</param>
sealed class FramedPipe(
    PipeReader input, PipeWriter output, int mostMessageBytes, int mostWaitingBytes, Action? onFlushed = null)
{
    // Bytes of the length in front of a message.
    const int LengthBytes = 4;

    // So much of a stream is written before it must be flushed.
    const int MostUnflushedBytes = 1 << 16;

    // What waited is kept for what will, unless there was so much of it.
    const int MostKeptBytes = 1 << 16;

    // A message that lies in several pieces, as a whole.
    [ThreadStatic] static byte[]? ownMessage;

    readonly Lock gate = new();
    // While a flush is on its way.
    ArrayBufferWriter<byte> waiting = new();
    volatile int unflushedBytes;
    volatile bool isFlushing;
    volatile bool hasEnded;

    /// <summary>What comes; TryTake finds the messages in it.</summary>
    public PipeReader Input => input;

    /// <summary>Whether a flush is on its way.</summary>
    public bool IsFlushing => isFlushing && !hasEnded;

    /// <summary>Whether more of a stream may be written: no flush is on its way, which would be one that waits for the
    /// other side to read, and not much waits for one.</summary>
    public bool HasRoom => !isFlushing && unflushedBytes < MostUnflushedBytes;

    /// <summary>Takes the next whole message off the front of what has come; it holds until the next is taken. False:
    /// none is whole. Throws at a length that no message has.</summary>
    public bool TryTake(ref ReadOnlySequence<byte> rest, out ReadOnlySpan<byte> message)
    {
        message = default;
        if (rest.Length < LengthBytes)
        {
            return false;
        }
        int length = LengthAt(rest);
        if (length < 0 || length > mostMessageBytes)
        {
            throw new InvalidDataException("A message has a length that none has.");
        }
        if (rest.Length < LengthBytes + length)
        {
            return false;
        }
        message = rest.FirstSpan.Length < LengthBytes + length
            ? Joined(rest.Slice(LengthBytes, length))
            : rest.FirstSpan.Slice(LengthBytes, length);
        rest = rest.Slice(LengthBytes + length);
        return true;
    }

    /// <summary>Writes a message, which the next flush sends; any thread may call it. False: the other side is gone, or
    /// has left too much unread.</summary>
    public bool Write(ReadOnlySpan<byte> message)
    {
        lock (gate)
        {
            if (hasEnded || waiting.WrittenCount > mostWaitingBytes)
            {
                return false;
            }
            Append(isFlushing ? waiting : output, message);
            unflushedBytes += LengthBytes + message.Length;
            return true;
        }
    }

    /// <summary>Sends what is written; returns when the pipe takes more, or another's flush will send it. False: the
    /// other side is gone. Any thread may call it.</summary>
    public async Task<bool> Flush()
    {
        if (!TryBeginFlush())
        {
            return !hasEnded;
        }
        try
        {
            do
            {
                FlushResult flushed = await output.FlushAsync();
                hasEnded |= flushed.IsCompleted;
            }
            while (!hasEnded && !TryEndFlush());
        }
        catch (Exception fault)
            when (fault is IOException or OperationCanceledException or InvalidOperationException)
        {
            // The connection is gone, as its reader sees, too.
            hasEnded = true;
        }
        onFlushed?.Invoke();
        return !hasEnded;
    }

    /// <summary>Nothing is written any more: from here on the pipes may be another's.</summary>
    public void End()
    {
        lock (gate)
        {
            hasEnded = true;
        }
    }

    bool TryBeginFlush()
    {
        lock (gate)
        {
            if (isFlushing || hasEnded || unflushedBytes == 0)
            {
                return false;
            }
            isFlushing = true;
            unflushedBytes = 0;
            return true;
        }
    }

    // False where something has waited, which is written now and has to be flushed as well.
    bool TryEndFlush()
    {
        lock (gate)
        {
            unflushedBytes = 0;
            if (waiting.WrittenCount == 0 || hasEnded)
            {
                isFlushing = false;
                return true;
            }
            output.Write(waiting.WrittenSpan);
            if (waiting.Capacity > MostKeptBytes)
            {
                waiting = new ArrayBufferWriter<byte>();
            }
            waiting.ResetWrittenCount();
            return false;
        }
    }

    static void Append(IBufferWriter<byte> writer, ReadOnlySpan<byte> message)
    {
        BinaryPrimitives.WriteInt32LittleEndian(writer.GetSpan(LengthBytes), message.Length);
        writer.Advance(LengthBytes);
        writer.Write(message);
    }

    static int LengthAt(ReadOnlySequence<byte> rest)
    {
        if (rest.FirstSpan.Length >= LengthBytes)
        {
            return BinaryPrimitives.ReadInt32LittleEndian(rest.FirstSpan);
        }
        Span<byte> bytes = stackalloc byte[LengthBytes];
        rest.Slice(0, LengthBytes).CopyTo(bytes);
        return BinaryPrimitives.ReadInt32LittleEndian(bytes);
    }

    ReadOnlySpan<byte> Joined(ReadOnlySequence<byte> pieces)
    {
        byte[] message = ownMessage ??= new byte[mostMessageBytes];
        pieces.CopyTo(message);
        return message.AsSpan(0, (int)pieces.Length);
    }
}
