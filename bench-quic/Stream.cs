using System.Diagnostics;

/// <summary>The streams of one load's clients: one way, as fast as the library lets, or at a given rate as far as it
/// lets. Nothing of them is answered; the server checks them (StreamCheck). At a drain each client sends messages
/// behind its stream that are answered: then all that was sent before has arrived.</summary>
sealed class Stream(Settings settings, Load load, byte[] content)
{
    // Sent before a thread looks at its connections again.
    const int MostInPass = 64;

    readonly int[] sequences = new int[load.Clients];
    readonly int[] sentSinceStart = new int[load.Clients];
    long startedAt;
    long nextTurn;
    int sentInPass;

    /// <summary>True where nothing could be sent just now because no client had room.</summary>
    public bool IsFull { get; private set; }

    /// <summary>The client, from 0 in this load, that is next to send.</summary>
    public int NextClient => (int)(nextTurn % load.Clients);

    /// <summary>True where a message is due within the time for which a thread may wait.</summary>
    public bool IsDueSoon
    {
        get
        {
            long soon = Stopwatch.GetTimestamp() + Load.PollMicroseconds * Stopwatch.Frequency / 1_000_000;
            return load.TurnAt(nextTurn) < soon;
        }
    }

    /// <summary>Begins a pass, in which it may send again; after a start each client begins to count anew.</summary>
    public void BeginPass()
    {
        sentInPass = 0;
        if (startedAt != load.StartedAt)
        {
            startedAt = load.StartedAt;
            nextTurn = 0;
            Array.Clear(sentSinceStart);
        }
    }

    /// <summary>The next message of a client that has room, written into a buffer; returns its length, 0 for none.
    /// </summary>
    public int TryNext(Client sender, Span<byte> buffer, out int client)
    {
        client = 0;
        IsFull = false;
        long now = Stopwatch.GetTimestamp();
        if (sentInPass == MostInPass || load.TurnAt(nextTurn) > now)
        {
            return 0;
        }
        for (int tried = 0; tried < load.Clients; tried++)
        {
            client = (int)((nextTurn + tried) % load.Clients);
            bool isDone = Load.MessagesEach != int.MaxValue && sentSinceStart[client] == Load.MessagesEach;
            if (isDone || !sender.HasRoom(client))
            {
                continue;
            }
            nextTurn++;
            sentInPass++;
            sentSinceStart[client]++;
            sequences[client]++;
            Totals.Own.Streamed++;
            load.NoteAction();
            Message.Write(buffer, content, new Header
            {
                Client = load.FirstClient + client,
                Slot = Message.OfStream,
                Sequence = sequences[client],
                DueAt = now,
            });
            return settings.PayloadBytes;
        }
        IsFull = true;
        return 0;
    }
}
