using System.Diagnostics;

/// <summary>The clients of one thread without any network: what one of them sends to its room is delivered at once to
/// all of the room. In a closed loop with one message in flight per client.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly Exchange exchange = new(settings, load);
    readonly RoomPlan plan = new(settings);
    readonly byte[] sent = new byte[Message.BufferBytes(settings)];
    // What each client sends when it has its turn again, and how long it is: 0 for nothing.
    readonly byte[][] next = Array.ConvertAll(new byte[load.Clients][], _ => new byte[Message.BufferBytes(settings)]);
    readonly int[] lengths = new int[load.Clients];

    /// <summary>Sends and delivers until the load ends.</summary>
    public void Run()
    {
        for (int client = 0; client < load.Clients; client++)
        {
            load.AddConnected();
        }
        Greeting.TakeReply(Greeting.Reply, Stopwatch.GetTimestamp(), settings);
        while (exchange.BeginPass())
        {
            bool hasDelivered = SendDue();
            hasDelivered |= SendNext();
            load.EndPass(hasDelivered);
        }
    }

    /// <summary>Whether a client may send more of a stream: there is no network that could be full.</summary>
    public bool HasRoom(int client) => true;

    bool SendDue()
    {
        int length = exchange.TryNext(this, sent, out int client);
        if (length == 0)
        {
            return false;
        }
        Deliver(client, length);
        return true;
    }

    bool SendNext()
    {
        bool hasSent = false;
        for (int client = 0; client < lengths.Length; client++)
        {
            int length = lengths[client];
            if (length > 0)
            {
                lengths[client] = 0;
                next[client].AsSpan(0, length).CopyTo(sent);
                Deliver(client, length);
                hasSent = true;
            }
        }
        return hasSent;
    }

    // Delivers the first bytes of what is sent, and keeps what the same client sends then.
    void Deliver(int client, int length)
    {
        ReadOnlySpan<byte> message = sent.AsSpan(0, length);
        if (Message.IsAboutRoom(message))
        {
            // That it has joined is for the client alone.
            exchange.OnMessage(client, message, next[client], out _);
            return;
        }
        int first = plan.FirstOf(client);
        int end = first + plan.SizeOf(client);
        for (int member = first; member < end; member++)
        {
            int nextLength = exchange.OnMessage(member, message, next[client], out _);
            if (nextLength > 0)
            {
                lengths[client] = nextLength;
            }
        }
    }
}
