using System.Net.WebSockets;
using System.Runtime.CompilerServices;

/// <summary>What is called, in the order of Library.Works. A call is written as its number (int32), the operation (a
/// byte) and the arguments; its answer as the number, the operation and the result.</summary>
enum Operation : byte
{
    Sum,
    GetUser,
    SayHello,
    /// <summary>A message of a broadcast: in place of the number stands its length, in place of arguments its bytes.
    /// </summary>
    Broadcast,
}

/// <summary>A WebSocket whose messages hold calls or answers, one behind the other: those written while a message is
/// read, or while others are on their way, go together. Any thread may write; one at a time may receive.</summary>
sealed class Wire : IDisposable
{
    /// <summary>What is being written. Other threads wait with theirs until it is disposed of.</summary>
    public readonly ref struct Entry(Wire wire)
    {
        /// <summary>Takes what stands behind the head.</summary>
        public BinaryWriter To => wire.waiting;

        /// <summary>Ends it.</summary>
        public void Dispose() => wire.EndEntry();
    }

    const int UsualBytes = 1 << 16;

    readonly WebSocket socket;
    readonly Lock gate = new();
    // Its length is the room that there is, whatever the length of the message.
    readonly MemoryStream received = new();
    BinaryWriter waiting = new(new MemoryStream(UsualBytes));
    BinaryWriter sending = new(new MemoryStream(UsualBytes));
    // Who holds it sends what waits; all others only write.
    bool isHeld;
    bool receiverHolds;
    int filled;

    public Wire(WebSocket socket)
    {
        this.socket = socket;
        Reader = new BinaryReader(received);
        received.SetLength(UsualBytes);
    }

    /// <summary>Reads what was received.</summary>
    public BinaryReader Reader { get; }

    /// <summary>Whether more has been received than was read.</summary>
    public bool HasMore => received.Position < filled;

    /// <summary>Whether more was read than had been received.</summary>
    public bool IsPastEnd => received.Position > filled;

    /// <summary>Receives a message; what was written while the last one was read is sent if the next has not come yet.
    /// False: the connection was closed.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> Receive()
    {
        filled = 0;
        received.Position = 0;
        ValueWebSocketReceiveResult part;
        do
        {
            if (filled == received.Length)
            {
                received.SetLength(2 * received.Length);
            }
            Memory<byte> room = received.GetBuffer().AsMemory(filled, (int)received.Length - filled);
            ValueTask<ValueWebSocketReceiveResult> receiving = socket.ReceiveAsync(room, CancellationToken.None);
            if (receiverHolds && !receiving.IsCompleted)
            {
                receiverHolds = false;
                _ = Send();
            }
            part = await receiving;
            if (part.MessageType == WebSocketMessageType.Close)
            {
                return false;
            }
            filled += part.Count;
        }
        while (!part.EndOfMessage);
        receiverHolds = receiverHolds || TryHold();
        return true;
    }

    /// <summary>Reads so many bytes; they hold until the next Receive.</summary>
    public ReadOnlySpan<byte> ReadBytes(int length)
    {
        int start = (int)received.Position;
        if (length < 0 || length > filled - start)
        {
            throw new InvalidDataException("A message has a length that none has.");
        }
        received.Position += length;
        return received.GetBuffer().AsSpan(start, length);
    }

    /// <summary>Begins a call, an answer or a message behind the others; it is sent with them.</summary>
    public Entry Write(int number, Operation operation)
    {
        gate.Enter();
        waiting.Write(number);
        waiting.Write((byte)operation);
        return new Entry(this);
    }

    /// <summary>Writes a message of a broadcast behind the others; it is sent with them.</summary>
    public void Write(ReadOnlySpan<byte> message)
    {
        using Entry entry = Write(message.Length, Operation.Broadcast);
        entry.To.Write(message);
    }

    /// <summary>Ends the connection.</summary>
    public void Dispose() => socket.Dispose();

    void EndEntry()
    {
        bool sends = !isHeld;
        isHeld = true;
        gate.Exit();
        if (sends)
        {
            _ = Send();
        }
    }

    bool TryHold()
    {
        lock (gate)
        {
            bool holds = !isHeld;
            isHeld = true;
            return holds;
        }
    }

    // Until nothing waits any more; then nobody holds it. Where it fails the connection has ended, which Receive tells.
    async Task Send()
    {
        while (TryTakeWaiting(out MemoryStream message))
        {
            Memory<byte> bytes = message.GetBuffer().AsMemory(0, (int)message.Length);
            await socket.SendAsync(bytes, WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
            message.SetLength(0);
        }
    }

    bool TryTakeWaiting(out MemoryStream message)
    {
        lock (gate)
        {
            message = (MemoryStream)waiting.BaseStream;
            isHeld = message.Length > 0;
            if (isHeld)
            {
                (waiting, sending) = (sending, waiting);
            }
            return isHeld;
        }
    }
}
