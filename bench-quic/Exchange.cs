using System.Diagnostics;
using System.Text;

/// <summary>What the clients of one load send, and what they make of what arrives: the greeting, then echoes, a stream
/// and what follows it, or what is said and done in rooms. The thread that paces the load sends what is due; any thread
/// may take an answer, and then sends the next message of its slot.</summary>
sealed class Exchange
{
    const int GreetingsASecond = 20;

    readonly Settings settings;
    readonly Load load;
    readonly Stream? stream;
    readonly Joining? joining;
    readonly Broadcast? broadcast;
    readonly Game? game;
    // Of every message that is answered.
    readonly byte[] content;
    readonly bool isGreeter;
    long greetedAt;
    long greetAgainAt;

    public Exchange(Settings settings, Load load)
    {
        this.settings = settings;
        this.load = load;
        byte[] wholeContent = Message.Content(settings);
        stream = settings.Work == Settings.Stream ? new Stream(settings, load, wholeContent) : null;
        content = stream == null ? wholeContent : wholeContent[..Message.HeaderBytes];
        joining = settings.HasRooms ? new Joining(settings, load) : null;
        broadcast = settings.Work == Settings.Broadcast ? new Broadcast(settings, load, content) : null;
        game = settings.Work == Settings.Game ? new Game(settings, load, content) : null;
        isGreeter = load.FirstClient == settings.FirstClient;
    }

    /// <summary>The limit of rooms that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => settings.Work switch
    {
        Settings.Broadcast => Broadcast.Limit(settings),
        Settings.Game => Game.Limit(settings),
        _ => null,
    };

    /// <summary>True while a stream is sent, which nothing answers.</summary>
    public bool IsStreaming => stream != null && load.IsStarted && !load.IsDraining;

    /// <summary>True where a stream's clients have no room for more just now.</summary>
    public bool IsFull => IsStreaming && stream!.IsFull;

    /// <summary>Begins a pass of the thread that paces; false at the end.</summary>
    public bool BeginPass()
    {
        bool continues = load.BeginPass();
        stream?.BeginPass();
        joining?.BeginPass();
        return continues;
    }

    /// <summary>True where the last message that TryNext wrote goes reliable beside the others.</summary>
    public bool IsEvent { get; private set; }

    /// <summary>As Joining has it; false where there are no rooms.</summary>
    public bool IsStalled(int client) => joining != null && joining.IsStalled(client);

    /// <summary>As Joining has it; nothing where there are no rooms.</summary>
    public void WaitWhileStalled(int client) => joining?.WaitWhileStalled(client);

    /// <summary>As Joining has it; false where there are no rooms.</summary>
    public bool TryLose(int client) => joining != null && joining.TryLose(client);

    /// <summary>As Joining has it; false where there are no rooms.</summary>
    public bool TryLeave(Span<byte> buffer, out int client)
    {
        client = 0;
        return joining != null && joining.TryLeave(buffer, out client);
    }

    /// <summary>Lets a client that has left join again, as it is connected again; any thread may call it.</summary>
    public void JoinAgain(int client) => joining!.JoinAgain(client);

    /// <summary>The next message to be sent now, written into a buffer, and the client, from 0 in this load, that sends
    /// it; returns its length, 0 for none. For the thread that paces.</summary>
    public int TryNext(Client sender, Span<byte> buffer, out int client)
    {
        client = 0;
        if (!Greeting.IsAnswered)
        {
            return TryGreet(buffer);
        }
        if (IsStreaming)
        {
            return stream!.TryNext(sender, buffer, out client);
        }
        if (joining != null)
        {
            return TryNextInRoom(buffer, out client);
        }
        if (!load.TryBegin(out int slot))
        {
            return 0;
        }
        client = load.ClientOf(slot);
        return Write(buffer, slot, client);
    }

    /// <summary>Takes what arrived on a client's connection. Returns the length of the message that is to be sent now,
    /// which is written into a buffer, and the client, from 0 in this load, that sends it; 0 for none.</summary>
    public int OnMessage(int client, ReadOnlySpan<byte> message, Span<byte> next, out int sender)
    {
        // Just after the receive.
        long now = Stopwatch.GetTimestamp();
        sender = client;
        if (Greeting.IsReply(message) || !Greeting.IsAnswered)
        {
            Greeting.TakeReply(Encoding.UTF8.GetString(message), greetedAt, settings);
            return 0;
        }
        if (joining != null)
        {
            return OnMessageInRoom(client, message, next, now, out sender);
        }
        if (message.Length != content.Length)
        {
            return CountForeign(now);
        }
        Header header = Message.Read(message, out bool isIntact);
        if (!load.HasSlot(header.Slot) || header.Client != load.FirstClient + client || header.Sequence <= 0)
        {
            return CountForeign(now);
        }
        // A changed message is its slot's only where its due time says so too: the slot may be what changed.
        if (!isIntact && header.DueAt != load.DueAtOf(header.Slot))
        {
            return CountForeign(now);
        }
        if (!load.TryEnd(header.Slot, header.Sequence, isIntact, message.Length, now))
        {
            if (!isIntact)
            {
                return CountForeign(now);
            }
            load.CountStray(header.Slot, header.Sequence, now);
            return 0;
        }
        return load.TryBeginNext(header.Slot, now) ? Write(next, header.Slot, client) : 0;
    }

    /// <summary>How long a thread that polls may wait on a client's connection, in microseconds (0: not at all), and on
    /// which: the one whose answer is due first, or of a stream that is next to send.</summary>
    public int WaitMicroseconds(out int client)
    {
        if (!IsStreaming)
        {
            int microseconds = load.WaitMicroseconds(out client);
            return IsStalled(client) ? 0 : microseconds;
        }
        client = stream!.NextClient;
        return stream.IsDueSoon && !stream.IsFull ? 0 : Load.PollMicroseconds;
    }

    /// <summary>Lets a thread that paces, but does not poll, sleep until something may be due.</summary>
    public void Pause()
    {
        if (IsStreaming && stream!.IsDueSoon && !stream.IsFull)
        {
            Thread.Yield();
        }
        else
        {
            load.Pause();
        }
    }

    int TryNextInRoom(Span<byte> buffer, out int client)
    {
        IsEvent = false;
        int length = joining!.TryNext(buffer, out client);
        if (length > 0)
        {
            return length;
        }
        if (broadcast != null)
        {
            return broadcast.TryNext(buffer, out client);
        }
        length = game!.TryNext(buffer, out client);
        IsEvent = game.IsEvent;
        return length;
    }

    int OnMessageInRoom(int client, ReadOnlySpan<byte> message, Span<byte> next, long now, out int sender)
    {
        sender = client;
        if (Joining.IsReply(message))
        {
            joining!.OnReply(client, now);
            return 0;
        }
        if (broadcast != null)
        {
            return broadcast.OnMessage(client, message, next, now, out sender);
        }
        game!.OnMessage(client, message, now);
        return 0;
    }

    // The first client's, again and again where it may get lost. Its time is from the first on, as nothing says which
    // of them was answered.
    int TryGreet(Span<byte> buffer)
    {
        long now = Stopwatch.GetTimestamp();
        if (!isGreeter || now < greetAgainAt)
        {
            return 0;
        }
        greetAgainAt = settings.Delivery == "unreliable" ? now + Stopwatch.Frequency / GreetingsASecond : long.MaxValue;
        if (greetedAt == 0)
        {
            greetedAt = now;
        }
        Greeting.RequestBytes.CopyTo(buffer);
        return Greeting.RequestBytes.Length;
    }

    int Write(Span<byte> buffer, int slot, int client)
    {
        Message.Write(buffer, content, new Header
        {
            Client = load.FirstClient + client,
            Slot = slot,
            Sequence = load.SequenceOf(slot),
            DueAt = load.DueAtOf(slot),
        });
        return content.Length;
    }

    static int CountForeign(long now)
    {
        Window.Own.Of(Window.Has(now)).Foreign++;
        return 0;
    }
}
