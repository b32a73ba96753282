using System.Diagnostics;

/// <summary>The clients of one load in the rooms of a library that makes calls, too: they join, send what is due and
/// take what arrives. The thread that paces the load sends what is due; any thread may take what arrives.</summary>
sealed class Chat(Settings settings, Load load)
{
    readonly Broadcast broadcast = new(settings, load, Message.Content(settings));

    /// <summary>How its clients join and leave.</summary>
    public Joining Joining { get; } = new(settings, load);

    /// <summary>The next message to be sent now, written into a buffer, and the client, from 0 in this load, that sends
    /// it; returns its length, 0 for none. For the thread that paces.</summary>
    public int TryNext(Span<byte> buffer, out int client)
    {
        int length = Joining.TryNext(buffer, out client);
        return length > 0 ? length : broadcast.TryNext(buffer, out client);
    }

    /// <summary>Takes what arrived at a client. Returns the length of the message that is to be sent now, which is
    /// written into a buffer, and the client, from 0 in this load, that sends it; 0 for none.</summary>
    public int OnMessage(int client, ReadOnlySpan<byte> message, Span<byte> next, out int sender)
    {
        // Just after the receive.
        long now = Stopwatch.GetTimestamp();
        sender = client;
        if (Joining.IsReply(message))
        {
            Joining.OnReply(client, now);
            return 0;
        }
        return broadcast.OnMessage(client, message, next, now, out sender);
    }
}
