using System.Diagnostics;

/// <summary>Names a message or a call: the index of its client in this process, from 0; its sequence number at this
/// client, from 1; and when it is due, in ticks of the Stopwatch. A sequence of 0 means that there is none.</summary>
readonly record struct Due(int Index, int Sequence, long At)
{
    /// <summary>Stands in place of a sequence: the message with which a client leaves. It is not counted.</summary>
    public const int Leaving = -1;
}

/// <summary>Decides when which client sends, and counts how each message ends. One thread paces: it begins what is due
/// and gives up what does not come. Any thread may end a message. A call is a message whose answer is its return.
///
/// Each client has slots. In a closed loop it has one for each message in flight, and message n is followed in the
/// same slot by n + parallel, which whoever ended n begins. In an open loop messages are due by a schedule fixed in
/// advance, and message n takes slot n % slots; where the message before it is still there, it is not sent. With the
/// answer to its first message a client is connected.</summary>
sealed partial class Load(Settings settings)
{
    struct Slot
    {
        // Above 0: the message of this sequence is in flight. 0 or below: the slot is free, and this is minus the
        // sequence of its last message. Owned: a thread is just ending its message.
        public int State;
        // The sequence of the last message that was given up: its answer may still come.
        public int GivenUp;
        public long DueAt;
    }

    sealed class Connection(int slots)
    {
        // As if message n had ended in slot n, so that the first message in slot n has the sequence n + slots.
        public readonly Slot[] Slots = [.. Enumerable.Range(0, slots).Select(place => new Slot { State = -place })];
        // Of an open loop or a stream: the sequence of the last message that was due.
        public int Sequence;
        // Of a closed loop: no message from this sequence on is begun before the next start.
        public long EndSequence;
        public volatile bool IsOpen;
        public volatile bool IsConnected;
        // How long it took from joining to the answer to its first message.
        public long JoinedAfterNs;
    }

    /// <summary>Tells Start not to limit the number of messages.</summary>
    public const int All = int.MaxValue;

    // The state of a slot whose message has just ended: the thread that ended it owns the slot until it begins the next
    // message or lets the slot go.
    const int Owned = int.MinValue;
    // The pacing thread waits no longer than this, so that it soon sees a command.
    const int MostWaitMicroseconds = 1_000;
    // The system takes about as long for any shorter sleep.
    const int LeastWaitMicroseconds = 30;
    // The pacing thread begins at most so many messages before it looks at its connections again.
    const int MostInPass = 128;
    // At most so many messages are in flight in an open loop, over all clients of this process.
    const int MostInFlight = 65_536;
    const int LeastSlots = 64;
    const int ScansPerTimeout = 16;

    readonly bool isStream = settings.Work == Settings.Stream;
    readonly bool isClosedLoop = settings.Rate == 0;
    readonly bool mayLose = settings.MakesCalls || settings.Delivery == Settings.Unreliable;
    readonly double turnTicks = settings.Rate == 0 ? 0 : (double)Stopwatch.Frequency / settings.Rate;
    readonly long timeoutTicks = settings.TimeoutMs * Stopwatch.Frequency / 1_000;
    readonly Connection[] connections = NewConnections(settings);
    Client client = null!;

    // A command writes startedAt or drainedFrom. The pacing thread copies each to its "seen" field once it acts by it.
    // The schedule starts at startedAt. What is due at drainedFrom or later is not begun: that is 0 before the first
    // start and when closing, and long.MaxValue while messages are sent.
    long startedAt;
    long seenStartedAt;
    long drainedFrom;
    long seenDrainedFrom;
    int messagesEach;
    volatile bool isWanted = true;
    volatile bool isThere;
    volatile bool isClosing;

    long nextTurn;
    long nextScanAt;
    long joiningSince;
    // How often a client got a connection.
    int opened;
    volatile int connected;
    // A slot of a closed loop has no message, and the pacing thread is to begin one.
    volatile bool hasFreeSlot;
    // No client has room for more of its stream.
    bool isFull;

    static Connection[] NewConnections(Settings settings)
    {
        int slots = settings.Rate == 0 ? settings.Parallel : Math.Max(LeastSlots, MostInFlight / settings.Clients);
        return [.. Enumerable.Range(0, settings.Clients).Select(_ => new Connection(slots))];
    }

    /// <summary>Paces until Close, on a thread of its own, which alone calls Connect, Poll and Close of the client.
    /// </summary>
    public void Run()
    {
        while (!isClosing)
        {
            if (isThere != isWanted)
            {
                JoinOrLeave();
            }
            if (!isThere)
            {
                Thread.Sleep(1);
                continue;
            }
            BeginFirst();
            BeginDue();
            GiveUpOverdue();
            client.Poll(WaitMicroseconds());
        }
        if (isThere)
        {
            client.Close();
        }
    }

    /// <summary>Lets messages be due from now on; in a closed loop each client begins so many and then no more.
    /// </summary>
    public void Start(int messages)
    {
        messagesEach = messages;
        // In this order, or the pacing thread would go on with the schedule of the last start.
        Volatile.Write(ref startedAt, Stopwatch.GetTimestamp());
        Volatile.Write(ref drainedFrom, long.MaxValue);
    }

    /// <summary>Lets nothing new be due; returns when nothing is in flight, and throws where that takes too long.
    /// </summary>
    public void Drain()
    {
        Volatile.Write(ref drainedFrom, Math.Min(drainedFrom, Stopwatch.GetTimestamp()));
        WaitUntil(IsDrained, () => settings.MakesCalls ? "Calls do not end." : "The server stopped answering.");
        // Others in a room may receive a message later than its sender does, or never where it gets lost.
        long askedAt = Stopwatch.GetTimestamp();
        while (settings.Work == Settings.Broadcast && Stopwatch.GetTimestamp() - askedAt < timeoutTicks
            && Window.SumOf(Count.Deliveries) < Window.SumOf(Count.DeliveriesDue))
        {
            Thread.Sleep(1);
        }
    }

    /// <summary>Closes all connections of this process; returns when they are closed.</summary>
    public void Leave()
    {
        isWanted = false;
        WaitUntil(() => !isThere, () => "The clients did not leave.");
    }

    /// <summary>Opens all connections again; returns how long it took until each was connected, in nanoseconds.
    /// </summary>
    public long[] Join()
    {
        connected = 0;
        isWanted = true;
        WaitUntilConnected();
        return [.. connections.Select(connection => connection.JoinedAfterNs)];
    }

    /// <summary>Returns when all clients are connected; throws when for long none has got further.</summary>
    public void WaitUntilConnected() => WaitUntil(() => connected == settings.Clients, () =>
        $"Within {settings.PatienceSeconds} s nothing on {settings.Address}:{settings.Port} answered as a server of "
        + $"this bench ({connected} of {settings.Clients} clients are connected).");

    /// <summary>Lets Run end; what is in flight stays unanswered.</summary>
    public void Close()
    {
        Volatile.Write(ref drainedFrom, 0);
        isClosing = true;
    }

    /// <summary>Notes that a client has a connection, on which it may send. Any thread may call it.</summary>
    public void OnOpen(int index)
    {
        connections[index].IsOpen = true;
        Interlocked.Increment(ref opened);
    }

    /// <summary>Whether a client's first message was answered.</summary>
    public bool IsConnected(int index) => connections[index].IsConnected;

    /// <summary>Sends a message, if there is one.</summary>
    public void Begin(Due message)
    {
        if (message.Sequence != 0)
        {
            client.Begin(message);
        }
    }

    /// <summary>Ends a message that is answered. Next is the one that its slot begins now, which the caller has to
    /// send. Returns false where the message had ended before. Any thread may call it.</summary>
    public bool TryEnd(Due ended, bool isRight, long now, out Due next)
    {
        next = default;
        if (!TryOwn(ended))
        {
            return false;
        }
        Window.Tallies own = Window.Own;
        // How it ended counts in the window in which it was due, its answer in the one in which that came.
        Tally whenDue = own.At(ended.At);
        whenDue[isRight ? Count.Received : Count.Corrupt]++;
        if (isRight)
        {
            whenDue.RoundTrips.Add(Window.Ns(now - ended.At));
            own.At(now)[Count.Completed]++;
        }
        Connection connection = connections[ended.Index];
        if (!connection.IsConnected)
        {
            connection.JoinedAfterNs = Window.Ns(now - joiningSince);
            connection.IsConnected = true;
            Interlocked.Increment(ref connected);
        }
        next = Follow(ended);
        return true;
    }

    /// <summary>Counts an answer whose message had ended before: a late arrival where the message was given up, a
    /// duplicate where it was answered.</summary>
    public void CountStray(Due answered, long now)
    {
        ref int givenUp = ref SlotOf(answered).GivenUp;
        bool isLate = Interlocked.CompareExchange(ref givenUp, 0, answered.Sequence) == answered.Sequence;
        Window.Own.At(now)[isLate ? Count.LateArrivals : Count.Duplicates]++;
    }

    /// <summary>The message that a client has in flight by this sequence, which is above 0; Sequence 0: none.</summary>
    public Due InFlight(int index, int sequence)
    {
        ref Slot slot = ref SlotOf(new Due(index, sequence, At: 0));
        return Volatile.Read(ref slot.State) == sequence ? new Due(index, sequence, slot.DueAt) : default;
    }

    // Messages of a stream are not answered and have no slots: see Stream.cs, in benches whose library streams.
    partial void BeginStream(long now);

    void JoinOrLeave()
    {
        if (isThere)
        {
            for (int index = 0; index < connections.Length; index++)
            {
                client.Begin(new Due(index, Due.Leaving, At: 0));
            }
            client.Close();
            isThere = false;
            return;
        }
        foreach (Connection connection in connections)
        {
            connection.IsOpen = false;
            connection.IsConnected = false;
        }
        joiningSince = Stopwatch.GetTimestamp();
        client = new Client(settings, this);
        client.Connect();
        isThere = true;
    }

    // Begins the first message of each client, and another one where the first was given up.
    void BeginFirst()
    {
        for (int index = 0; connected < connections.Length && index < connections.Length; index++)
        {
            Connection connection = connections[index];
            int last = -Volatile.Read(ref connection.Slots[0].State);
            if (connection.IsOpen && !connection.IsConnected && last >= 0)
            {
                connection.Sequence = last + connection.Slots.Length;
                var first = new Due(index, connection.Sequence, Stopwatch.GetTimestamp());
                Occupy(first);
                client.Begin(first);
            }
        }
    }

    // Notices a start or a drain, and begins what is due now.
    void BeginDue()
    {
        if (seenStartedAt != Volatile.Read(ref startedAt))
        {
            BeginSchedule();
        }
        long from = Volatile.Read(ref drainedFrom);
        long now = Stopwatch.GetTimestamp();
        if (now >= from && (isClosedLoop || isStream || NextDueAt >= from))
        {
            Volatile.Write(ref seenDrainedFrom, from);
        }
        else if (isStream)
        {
            isFull = false;
            BeginStream(now);
        }
        else if (isClosedLoop)
        {
            BeginInFreeSlots();
        }
        else
        {
            // What was due before a drain is still to be sent.
            BeginBySchedule(Math.Min(now, from - 1));
        }
    }

    // In a closed loop the slots of a client may have had different numbers of messages. Here, where none is in flight,
    // all of them are set to one row of consecutive sequences, so that EndSequence limits them all.
    void BeginSchedule()
    {
        seenStartedAt = Volatile.Read(ref startedAt);
        seenDrainedFrom = 0;
        nextTurn = 0;
        hasFreeSlot = true;
        if (!isClosedLoop)
        {
            return;
        }
        foreach (Connection connection in connections)
        {
            Slot[] slots = connection.Slots;
            // The highest of their last sequences, rounded down to a multiple of the slots.
            int row = slots.Max(slot => -slot.State) / slots.Length * slots.Length;
            connection.EndSequence = messagesEach == All ? All : (long)row + slots.Length + messagesEach;
            for (int place = 0; place < slots.Length; place++)
            {
                slots[place].State = -(row + place);
            }
        }
    }

    // Begins, in a closed loop, the first message of each slot after a start, and the one after a failed call.
    void BeginInFreeSlots()
    {
        bool hadFreeSlot = hasFreeSlot;
        hasFreeSlot = false;
        for (int place = 0; hadFreeSlot && place < settings.Parallel; place++)
        {
            for (int index = 0; index < connections.Length; index++)
            {
                ref int state = ref connections[index].Slots[place].State;
                int last = -Volatile.Read(ref state);
                if (last >= 0 && Interlocked.CompareExchange(ref state, Owned, -last) == -last)
                {
                    Begin(Follow(new Due(index, last, At: 0)));
                }
            }
        }
    }

    // Only the message before it in its slot holds a due message back.
    void BeginBySchedule(long last)
    {
        for (int begun = 0; begun < MostInPass && NextDueAt <= last; begun++)
        {
            int index = (int)(nextTurn % connections.Length);
            connections[index].Sequence++;
            var due = new Due(index, connections[index].Sequence, NextDueAt);
            nextTurn++;
            Tally tally = Window.Own.At(due.At);
            if (Volatile.Read(ref SlotOf(due).State) is > 0 or Owned)
            {
                tally[Count.NotSent]++;
                continue;
            }
            tally.SendLags.Add(Window.Ns(Stopwatch.GetTimestamp() - due.At));
            Occupy(due);
            client.Begin(due);
        }
    }

    // When the next message of the schedule is due.
    long NextDueAt => seenStartedAt + (long)(nextTurn * turnTicks);

    // Takes a message that has ended and whose slot the caller owns. In a closed loop the slot's next message begins
    // now; otherwise the slot is let go.
    Due Follow(Due ended)
    {
        // A round trip starts just before the message is sent.
        long now = Stopwatch.GetTimestamp();
        var next = new Due(ended.Index, ended.Sequence + connections[ended.Index].Slots.Length, now);
        bool isOver = now >= Volatile.Read(ref drainedFrom) || next.Sequence >= connections[ended.Index].EndSequence;
        if (!isClosedLoop || isOver)
        {
            Volatile.Write(ref SlotOf(ended).State, -ended.Sequence);
            return default;
        }
        Occupy(next);
        return next;
    }

    void Occupy(Due message)
    {
        ref Slot slot = ref SlotOf(message);
        slot.DueAt = message.At;
        Window.Own.At(message.At)[Count.Sent]++;
        Volatile.Write(ref slot.State, message.Sequence);
    }

    // Gives up the messages whose answers do not come.
    void GiveUpOverdue()
    {
        long now = Stopwatch.GetTimestamp();
        if (!mayLose || isStream || now < nextScanAt)
        {
            return;
        }
        nextScanAt = now + timeoutTicks / ScansPerTimeout;
        for (int index = 0; index < connections.Length; index++)
        {
            foreach (ref Slot slot in connections[index].Slots.AsSpan())
            {
                var message = new Due(index, Volatile.Read(ref slot.State), slot.DueAt);
                if (message.Sequence > 0 && now - message.At > timeoutTicks && TryOwn(message))
                {
                    slot.GivenUp = message.Sequence;
                    Window.Own.At(message.At)[Count.Lost]++;
                    Begin(Follow(message));
                }
            }
        }
    }

    // How long the client may wait for what comes: until the next message is due, or a command may have been given.
    int WaitMicroseconds()
    {
        bool isSending = seenStartedAt != 0 && seenDrainedFrom != Volatile.Read(ref drainedFrom);
        if (!isSending || isFull || isClosedLoop && !isStream)
        {
            return MostWaitMicroseconds;
        }
        long left = (NextDueAt - Stopwatch.GetTimestamp()) * 1_000_000 / Stopwatch.Frequency;
        return left < LeastWaitMicroseconds ? 0 : (int)Math.Min(left - LeastWaitMicroseconds / 2, MostWaitMicroseconds);
    }

    // Fails where it takes too long, counted from when this began, a client last got a connection or its first answer,
    // or the last message of a schedule was begun.
    void WaitUntil(Func<bool> holds, Func<string> reason)
    {
        int patienceSeconds = settings.PatienceSeconds;
        long before = -1;
        long since = 0;
        while (!holds())
        {
            long progress = Volatile.Read(ref opened) + connected + Volatile.Read(ref nextTurn);
            if (progress != before)
            {
                before = progress;
                since = Stopwatch.GetTimestamp();
            }
            if (Stopwatch.GetElapsedTime(since).TotalSeconds > patienceSeconds)
            {
                throw new Failure(reason());
            }
            Thread.Sleep(1);
        }
    }

    bool IsDrained() => Volatile.Read(ref seenDrainedFrom) == drainedFrom && Array.TrueForAll(connections,
        connection => Array.TrueForAll(connection.Slots, slot => slot.State is <= 0 and not Owned));

    bool TryOwn(Due message)
    {
        ref Slot slot = ref SlotOf(message);
        return Interlocked.CompareExchange(ref slot.State, Owned, message.Sequence) == message.Sequence;
    }

    ref Slot SlotOf(Due message)
    {
        Slot[] slots = connections[message.Index].Slots;
        return ref slots[message.Sequence % slots.Length];
    }
}
