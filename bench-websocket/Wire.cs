using System.Net.WebSockets;

/// <summary>A WebSocket whose messages hold calls or answers, one behind the other: those written while a message is
/// read, or while others are on their way, go together.</summary>
// What it owns is in memory alone, and need not be disposed of.
#pragma warning disable CA1001
sealed class Wire
#pragma warning restore CA1001
{
    const int UsualBytes = 1 << 16;
    const int MostBytes = 1 << 24;

    readonly WebSocket socket;
    readonly Lock gate = new();
    // Its length is the room that there is, whatever the length of the message.
    readonly MemoryStream received = new();
    readonly BinaryReader reader;
    BinaryWriter waiting = new(new MemoryStream(UsualBytes));
    BinaryWriter sending = new(new MemoryStream(UsualBytes));
    // Who holds it sends what waits; all others only write.
    bool isHeld;
    bool receiverHolds;

    public Wire(WebSocket socket)
    {
        this.socket = socket;
        reader = new BinaryReader(received);
        received.SetLength(UsualBytes);
    }

    /// <summary>Receives a message and reads one after another what it holds; what was written meanwhile is sent when
    /// no other message has come. False: the connection is closed. What is none of this bench's throws.</summary>
    public async ValueTask<bool> Receive(Action<BinaryReader> read)
    {
        ValueTask<int> receiving = ReceiveWhole();
        if (!receiving.IsCompleted)
        {
            if (receiverHolds)
            {
                await Send();
            }
            receiverHolds = false;
        }
        int filled = await receiving;
        if (filled < 0)
        {
            return false;
        }
        receiverHolds = receiverHolds || TryHold();
        received.Position = 0;
        while (received.Position < filled)
        {
            read(reader);
        }
        if (received.Position > filled)
        {
            throw new IOException("A message ends within a call.");
        }
        return true;
    }

    /// <summary>Writes a call or an answer behind the others; it is sent with them.</summary>
    public void Write<T>(int slot, Operation operation, T content, Action<BinaryWriter, T> write)
    {
        lock (gate)
        {
            waiting.Write(slot);
            waiting.Write((byte)operation);
            write(waiting, content);
        }
        if (TryHold())
        {
            _ = Send();
        }
    }

    /// <summary>Writes a message of a broadcast behind the others; it is sent with them.</summary>
    public void Write(ReadOnlySpan<byte> message)
    {
        lock (gate)
        {
            waiting.Write(message.Length);
            waiting.Write((byte)Operation.Broadcast);
            waiting.Write(message);
        }
        if (TryHold())
        {
            _ = Send();
        }
    }

    // Returns the length of the message; below 0 where the connection is closed.
    async ValueTask<int> ReceiveWhole()
    {
        int filled = 0;
        while (true)
        {
            if (filled == MostBytes)
            {
                throw new IOException($"A message exceeds {MostBytes} bytes.");
            }
            if (filled == received.Length)
            {
                received.SetLength(2 * received.Length);
            }
            Memory<byte> room = received.GetBuffer().AsMemory(filled, (int)received.Length - filled);
            ValueWebSocketReceiveResult part = await socket.ReceiveAsync(room, CancellationToken.None);
            if (part.MessageType != WebSocketMessageType.Binary)
            {
                return -1;
            }
            filled += part.Count;
            if (part.EndOfMessage)
            {
                return filled;
            }
        }
    }

    bool TryHold()
    {
        lock (gate)
        {
            if (isHeld)
            {
                return false;
            }
            isHeld = true;
            return true;
        }
    }

    // Until nothing waits any more; then nobody holds it.
    async Task Send()
    {
        while (true)
        {
            lock (gate)
            {
                if (waiting.BaseStream.Length == 0)
                {
                    isHeld = false;
                    return;
                }
                (waiting, sending) = (sending, waiting);
            }
            var stream = (MemoryStream)sending.BaseStream;
            Memory<byte> message = stream.GetBuffer().AsMemory(0, (int)stream.Length);
            await socket.SendAsync(message, WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
            stream.SetLength(0);
        }
    }
}
