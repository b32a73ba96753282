using System.Diagnostics;
using System.Net;
using System.Runtime.InteropServices;

/// <summary>Decides when which message is sent, and counts how it ended. A load has the clients of one thread, which
/// paces it: that thread alone begins what is due. Any thread may end a message.
///
/// Each message occupies a slot from its sending to its end. In a closed loop a client has as many slots as it has
/// messages in flight, and whoever takes an answer sends the slot's next message. In an open loop messages are due by
/// a schedule fixed in advance, and each takes any free slot. A call is a message whose answer is its return.</summary>
sealed class Load
{
    // A line of the cache each, as threads that end messages side by side would slow each other down.
    [StructLayout(LayoutKind.Sequential, Size = SlotBytes)]
    struct Slot
    {
        public int Client;
        // Of the slot's last message, from 1.
        public int Sequence;
        // The sequence while that message is in flight, else one of the states below.
        public int State;
        public bool IsInWindow;
        // Of a broadcast: it came to somebody changed.
        public bool IsSpoiled;
        // It cannot get lost, whatever others can.
        public bool IsReliable;
        // Messages that the slot may still begin before the next start.
        public long Left;
        public long DueAt;
        // When the message was sent or, of a slot that is not in flight, since when it is not.
        public long Since;
        // Bit n: the message n before the last one was given up, and its answer may still come.
        public ulong GivenUp;
        // Of a broadcast: the sequence and, in its lower half, how many of the room still await it.
        public long Awaited;
        // When the first of the room had it.
        public long FirstAt;
    }

    /// <summary>Memory of a slot.</summary>
    public const int SlotBytes = 64;

    /// <summary>The longest that a polling thread waits, in microseconds: 1 ms, the finest step that every library's
    /// poll takes.</summary>
    public const int PollMicroseconds = 1_000;

    // States of a slot that is not in flight. It has no message.
    const int Free = 0;
    // Whoever ends its message owns it.
    const int Owned = -1;
    // Its call was given up and has not returned yet.
    const int Abandoned = -2;

    // The most messages in flight in an open loop, over all threads.
    const int MostInFlight = 65_536;
    // The most bytes that one thread's messages have in flight in a closed loop; each client has one message in flight
    // even beyond that.
    const long MostBytesInFlight = 1 << 29;
    // Messages that a client sends behind its stream and that are answered. An unordered delivery may let so many
    // overtake the stream.
    const int BehindOrderedStream = 1;
    const int BehindUnorderedStream = 64;
    const int CallTimeoutSeconds = 10;
    // A drain, which waits longer than that, has to see what is lost given up.
    const int MostLossTimeoutSeconds = 25;
    const int ConnectSeconds = 10;
    const int FarConnectSeconds = 30;
    const int DrainSeconds = 5;
    const int FarDrainSeconds = 30;
    const int CallDrainSeconds = 15;
    const int SlotsASecond = 100_000;
    const int ScansATimeout = 16;
    const int MostSums = 1_000;
    static readonly long ticksPerSecond = Stopwatch.Frequency;

    static long startedAt;
    static long drainedFrom = long.MaxValue;
    static volatile int messagesEach;
    static volatile bool closing;

    readonly Settings settings;
    readonly bool isClosedLoop;
    readonly bool isStream;
    readonly bool isNear;
    readonly int slotsEach;
    readonly double turnTicks;
    readonly Slot[] slots;
    // In rooms the number of each client's last message, and how many of its room await each.
    readonly int[] numbers;
    readonly int[] audiences;
    long timeoutTicks = long.MaxValue;
    long seenStartedAt;
    long seenDrainedFrom = -1;
    long nextTurn;
    long nextScanAt;
    long lastPassAt;
    // In a closed loop the slots from here on may have to begin their first message, or one after a failure.
    int nextUnbegunSlot;
    // In an open loop the slot behind the youngest message, that of the oldest, and how many lie between them.
    int slotAfterYoungest;
    int oldestSlot;
    int slotsInUse;
    bool hasSentInPass;
    volatile bool isPacing;
    volatile bool hasFreed;
    int connected;
    int joined;
    // Those that have left their room and not joined again.
    int away;

    Load(Settings settings, int firstClient, int clients)
    {
        this.settings = settings;
        FirstClient = firstClient;
        Clients = clients;
        isStream = settings.Work == Settings.Stream;
        isClosedLoop = settings.Rate == 0 || isStream;
        isNear = IPAddress.IsLoopback(Program.Resolve(settings.Address));
        turnTicks = settings.Rate == 0 ? 0 : (double)ticksPerSecond / settings.Rate;
        slotsEach = SlotsEach(settings, clients);
        Senders = clients;
        numbers = [];
        audiences = [];
        if (settings.HasRooms)
        {
            var plan = new RoomPlan(settings);
            Senders = Math.Clamp(plan.FirstApart - firstClient, 0, clients);
            numbers = new int[clients];
            audiences = [.. Enumerable.Range(firstClient, clients).Select(plan.PresentWith)];
        }
        slots = new Slot[isClosedLoop ? clients * slotsEach : MostInFlight / settings.ClientThreads];
        if (isClosedLoop)
        {
            for (int slot = 0; slot < slots.Length; slot++)
            {
                slots[slot].Client = slot / slotsEach;
            }
        }
    }

    /// <summary>Those of all threads.</summary>
    public static Load[] All { get; private set; } = [];

    /// <summary>The first of this load's clients, counted over all client machines.</summary>
    public int FirstClient { get; }

    /// <summary>How many clients it has.</summary>
    public int Clients { get; }

    /// <summary>How many of them send: those that do not stand apart in rooms.</summary>
    public int Senders { get; }

    /// <summary>From its thread's last look on: nothing new is due, until the next start.</summary>
    public bool IsDraining => seenDrainedFrom >= 0;

    /// <summary>True once it may send.</summary>
    public bool IsStarted => seenStartedAt != 0;

    /// <summary>When its thread saw the last start, in ticks of the Stopwatch; 0 before the first.</summary>
    public long StartedAt => seenStartedAt;

    /// <summary>Messages that each client may begin from a start on; int.MaxValue: as many as are due.</summary>
    public static int MessagesEach => messagesEach;

    /// <summary>The load that has a client, counted over all client machines; null: none here has.</summary>
    public static Load? Of(int client)
    {
        foreach (Load load in All)
        {
            if (client >= load.FirstClient && client < load.FirstClient + load.Clients)
            {
                return load;
            }
        }
        return null;
    }

    /// <summary>Makes a load for each client thread, with its part of this process's clients.</summary>
    public static Load[] Split(Settings settings)
    {
        int First(int thread)
        {
            return settings.FirstClient + (int)((long)settings.OwnClients * thread / settings.ClientThreads);
        }

        var loads = new Load[settings.ClientThreads];
        for (int thread = 0; thread < loads.Length; thread++)
        {
            loads[thread] = new Load(settings, First(thread), First(thread + 1) - First(thread));
        }
        All = loads;
        return loads;
    }

    /// <summary>Lets messages be due from now on; each client begins so many and then no more.</summary>
    public static void Start(int messages)
    {
        messagesEach = messages;
        Volatile.Write(ref drainedFrom, long.MaxValue);
        Volatile.Write(ref startedAt, Stopwatch.GetTimestamp());
    }

    /// <summary>Lets nothing new be due; returns when nothing is in flight, throws when that takes too long. It waits
    /// as long for clients that are about to join again. Then it counts for how long slots were not in flight.
    /// </summary>
    public static void Drain()
    {
        long askedAt = Stopwatch.GetTimestamp();
        Volatile.Write(ref drainedFrom, Math.Min(drainedFrom, askedAt));
        foreach (Load load in All)
        {
            double timeoutSeconds = load.DrainTimeoutSeconds;
            while (!load.IsDrained() || load.IsAnyAway)
            {
                if (Stopwatch.GetElapsedTime(askedAt).TotalSeconds > timeoutSeconds)
                {
                    if (load.IsDrained())
                    {
                        // Who does not join again holds up nothing: it has left, and its time to join is missing.
                        break;
                    }
                    throw new Failure(load.settings.MakesCalls ? "Calls do not end." : "The server stopped answering.");
                }
                Thread.Sleep(1);
            }
            load.CountIdleSlots();
        }
    }

    /// <summary>Lets all threads end, with what is in flight.</summary>
    public static void Close()
    {
        Volatile.Write(ref drainedFrom, 0);
        closing = true;
    }

    /// <summary>What all threads have counted since the last drain, with what is in flight. A message that ends while
    /// this looks could be in neither or in both: then it looks again.</summary>
    public static Window.Tallies Sum()
    {
        for (int tries = 1; ; tries++)
        {
            Window.Tallies sum = Window.Sum();
            CountUnanswered(sum);
            if (tries == MostSums || sum.Inside.AddsUp && sum.Outside.AddsUp)
            {
                return sum;
            }
            Thread.Sleep(1);
        }
    }

    static void CountUnanswered(Window.Tallies sum)
    {
        foreach (Load load in All)
        {
            foreach (ref Slot slot in load.slots.AsSpan())
            {
                if (slot.State > Free)
                {
                    sum.Of(slot.IsInWindow).Unanswered++;
                }
            }
        }
    }

    /// <summary>Returns when all clients are connected, greeted and in their rooms; throws when for long none has got
    /// further.</summary>
    public static void WaitUntilConnected(Settings settings)
    {
        int timeoutSeconds = All[0].isNear && !settings.MakesCalls ? ConnectSeconds : FarConnectSeconds;
        int before = -1;
        long since = 0;
        while (!Greeting.IsAnswered || !Array.TrueForAll(All, load => load.isPacing && load.HasJoined))
        {
            int connected = All.Sum(load => Volatile.Read(ref load.connected) + Volatile.Read(ref load.joined));
            if (connected != before)
            {
                before = connected;
                since = Stopwatch.GetTimestamp();
            }
            if (Stopwatch.GetElapsedTime(since).TotalSeconds > timeoutSeconds)
            {
                throw new Failure(
                    $"Within {timeoutSeconds} s nothing on {settings.Address}:{settings.Port} answered as a server of "
                    + $"this bench ({All.Sum(load => load.Connected)} of {settings.OwnClients} clients are "
                    + "connected).");
            }
            Thread.Sleep(1);
        }
    }

    /// <summary>Clients that are connected, so far.</summary>
    public int Connected => Volatile.Read(ref connected);

    /// <summary>Counts a client that is connected; any thread may call it.</summary>
    public void AddConnected() => Interlocked.Increment(ref connected);

    /// <summary>Counts a client that is in its room for the first time; any thread may call it.</summary>
    public void AddJoined() => Interlocked.Increment(ref joined);

    /// <summary>Counts a client that has left its room and is to join again; for the thread that paces.</summary>
    public void AddAway() => Interlocked.Increment(ref away);

    /// <summary>Counts a client that has joined again; any thread may call it.</summary>
    public void AddBack() => Interlocked.Decrement(ref away);

    bool IsAnyAway => Volatile.Read(ref away) > 0;

    bool HasJoined => !settings.HasRooms || Volatile.Read(ref joined) == Clients;

    /// <summary>Begins a pass of the thread that paces: it sees a start or a drain, and gives up what does not come.
    /// False at the end.</summary>
    public bool BeginPass()
    {
        long now = Stopwatch.GetTimestamp();
        NotePause(now);
        isPacing = true;
        if (seenStartedAt != Volatile.Read(ref startedAt))
        {
            BeginSchedule();
        }
        if (now >= nextScanAt && timeoutTicks != long.MaxValue)
        {
            nextScanAt = now + timeoutTicks / ScansATimeout;
            GiveUpOverdue(now);
        }
        if (hasFreed && isClosedLoop)
        {
            hasFreed = false;
            nextUnbegunSlot = 0;
        }
        long from = Volatile.Read(ref drainedFrom);
        if (now >= from && from != seenDrainedFrom && HasBegunAllDueBefore(from))
        {
            BeginDrain(from);
        }
        return !closing;
    }

    /// <summary>Begins a message that is due now, if there is one: the caller sends it. For the thread that paces.
    /// </summary>
    public bool TryBegin(out int slot)
    {
        slot = 0;
        if (!IsStarted)
        {
            return false;
        }
        return isClosedLoop ? TryBeginFree(out slot) : TryBeginDue(out slot);
    }

    /// <summary>Ends a message that is in flight, and counts it; the caller owns its slot until it calls TryBeginNext.
    /// False where the slot awaits another message or none.</summary>
    public bool TryEnd(int index, int sequence, bool isRight, int bytes, long now)
    {
        ref Slot slot = ref slots[index];
        if (Interlocked.CompareExchange(ref slot.State, Owned, sequence) != sequence)
        {
            return false;
        }
        Window.Tallies own = Window.Own;
        CountFlight(own, ref slot, now);
        if (isRight)
        {
            CountRight(own, ref slot, bytes, now);
        }
        else
        {
            own.Of(slot.IsInWindow).Corrupt++;
        }
        return true;
    }

    /// <summary>Begins the next message of a slot whose last one the caller has ended, and then has to send it; or lets
    /// go of the slot and returns false.</summary>
    public bool TryBeginNext(int index, long now)
    {
        ref Slot slot = ref slots[index];
        if (isClosedLoop && slot.Left > 0 && now < Volatile.Read(ref drainedFrom))
        {
            Begin(ref slot, now, now);
            return true;
        }
        Volatile.Write(ref slot.State, Free);
        return false;
    }

    /// <summary>Lets go of a slot whose message the caller has ended; in a closed loop the thread that paces begins its
    /// next one.</summary>
    public void LetGo(int index)
    {
        Volatile.Write(ref slots[index].State, Free);
        hasFreed = true;
    }

    /// <summary>Takes a broadcast message of a slot that came to one of its room; where that is the last one who awaits
    /// it, the message has ended, and the caller owns its slot as after TryEnd. False where nobody awaits it any more.
    /// </summary>
    public bool TryDeliver(int index, int sequence, bool isIntact, long now, out bool isLast)
    {
        isLast = false;
        ref Slot slot = ref slots[index];
        long awaited;
        do
        {
            awaited = Volatile.Read(ref slot.Awaited);
            if (awaited >> 32 != sequence || (int)awaited == 0)
            {
                return false;
            }
            if ((int)awaited == audiences[slot.Client])
            {
                slot.FirstAt = now;
            }
            if (!isIntact)
            {
                slot.IsSpoiled = true;
            }
        }
        while (Interlocked.CompareExchange(ref slot.Awaited, awaited - 1, awaited) != awaited);
        if ((int)awaited > 1)
        {
            return true;
        }
        long firstAt = slot.FirstAt;
        isLast = TryEnd(index, sequence, !slot.IsSpoiled, bytes: 0, now);
        if (isLast)
        {
            Window.Own.Of(slot.IsInWindow).Spreads.Add(Window.Ns(now - firstAt));
        }
        return true;
    }

    /// <summary>Lets a slot's message never be given up.</summary>
    public void MakeReliable(int index) => slots[index].IsReliable = true;

    /// <summary>Ends a call that has returned; true: the slot's next one begins now.</summary>
    public bool End(int index, bool isRight)
    {
        long now = Stopwatch.GetTimestamp();
        if (TryEnd(index, slots[index].Sequence, isRight, bytes: 0, now))
        {
            return TryBeginNext(index, now);
        }
        EndAbandoned(index, now);
        return false;
    }

    /// <summary>Ends a call that failed, by the library's word for it; always false: its slot's next one begins later,
    /// so that a library that fails at once is not called without end.</summary>
    public bool Fail(int index, string failure)
    {
        long now = Stopwatch.GetTimestamp();
        ref Slot slot = ref slots[index];
        Failures.Add(failure);
        if (Interlocked.CompareExchange(ref slot.State, Owned, slot.Sequence) != slot.Sequence)
        {
            EndAbandoned(index, now);
            return false;
        }
        Window.Tallies own = Window.Own;
        CountFlight(own, ref slot, now);
        own.Of(slot.IsInWindow).Failed++;
        Volatile.Write(ref slot.State, Free);
        hasFreed = true;
        return false;
    }

    /// <summary>Counts an intact answer that ended no message: of one that had been given up, or answered before. Which
    /// of both it was is not exact where another thread uses the slot meanwhile.</summary>
    public void CountStray(int index, int sequence, long now)
    {
        Tally tally = Window.Own.Of(Window.Has(now));
        ref Slot slot = ref slots[index];
        int back = slot.Sequence - sequence;
        ulong bit = back is >= 0 and < 64 ? 1UL << back : 0;
        if (back < 0)
        {
            tally.Foreign++;
        }
        else if ((slot.GivenUp & bit) != 0)
        {
            slot.GivenUp &= ~bit;
            tally.LateArrivals++;
        }
        else
        {
            tally.Duplicates++;
        }
    }

    /// <summary>True where there is such a slot.</summary>
    public bool HasSlot(int index) => (uint)index < (uint)slots.Length;

    /// <summary>The client, from 0 in this load, that sends a slot's message.</summary>
    public int ClientOf(int index) => slots[index].Client;

    /// <summary>The sequence of a slot's last message.</summary>
    public int SequenceOf(int index) => slots[index].Sequence;

    /// <summary>When a slot's last message was due, in ticks of the Stopwatch.</summary>
    public long DueAtOf(int index) => slots[index].DueAt;

    /// <summary>When a turn of the schedule is due: client c of n sends its k-th message as turn k x n + c.</summary>
    public long TurnAt(long turn)
    {
        long round = turn / Clients;
        long turnOfAll = round * settings.Clients + FirstClient + turn % Clients;
        return seenStartedAt + (long)(turnOfAll * turnTicks);
    }

    /// <summary>Notes that the thread that paces has sent something.</summary>
    public void NoteAction() => hasSentInPass = true;

    /// <summary>Ends a pass over the connections, of a thread that polls them.</summary>
    public void EndPass(bool hasReceived)
    {
        ref Totals totals = ref Totals.Own;
        totals.Passes++;
        if (!hasSentInPass && !hasReceived)
        {
            totals.IdlePasses++;
        }
        hasSentInPass = false;
    }

    /// <summary>Lets a thread that paces, but does not poll, sleep until something may be due.</summary>
    public void Pause()
    {
        if (!isClosedLoop && IsDueBefore(Stopwatch.GetTimestamp() + 2 * ticksPerSecond / 1_000))
        {
            Thread.Yield();
        }
        else
        {
            Thread.Sleep(1);
        }
    }

    /// <summary>How long a thread that polls may wait for an arrival, in microseconds, and on which client: the one
    /// whose answer is due first. 0: a message is due soon, or that answer is so late that others will come before it.
    /// </summary>
    public int WaitMicroseconds(out int client)
    {
        client = 0;
        if (!IsStarted)
        {
            return PollMicroseconds;
        }
        long now = Stopwatch.GetTimestamp();
        long waitTicks = PollMicroseconds * ticksPerSecond / 1_000_000;
        int oldest = FindOldest();
        client = slots[oldest].Client;
        bool isLate = slots.Length > 1 && slots[oldest].State > Free && slots[oldest].Since + waitTicks < now;
        return isLate || IsDueBefore(now + waitTicks) ? 0 : PollMicroseconds;
    }

    /// <summary>True where the thread that paces has something to send before a time.</summary>
    public bool IsDueBefore(long at)
    {
        if (at >= Volatile.Read(ref drainedFrom) || IsDraining || !IsStarted)
        {
            return false;
        }
        if (isClosedLoop)
        {
            return hasFreed || nextUnbegunSlot < slots.Length && !isStream;
        }
        return Senders > 0 && !IsQuotaReached && TurnAt(nextTurn) < at;
    }

    bool HasBegunAllDueBefore(long at) => !IsStarted || isClosedLoop || IsQuotaReached || TurnAt(nextTurn) >= at;

    bool IsQuotaReached => messagesEach != int.MaxValue && nextTurn >= (long)messagesEach * Clients;

    double DrainTimeoutSeconds
    {
        get
        {
            double least = settings.MakesCalls ? CallDrainSeconds : isNear ? DrainSeconds : FarDrainSeconds;
            return least + (double)slots.Length / SlotsASecond;
        }
    }

    static int SlotsEach(Settings settings, int clients)
    {
        if (settings.Work == Settings.Stream)
        {
            return settings.Delivery == "reliable-unordered" ? BehindUnorderedStream : BehindOrderedStream;
        }
        if (settings.MakesCalls)
        {
            return settings.Parallel;
        }
        long fit = MostBytesInFlight / settings.PayloadBytes / clients;
        return (int)Math.Clamp(fit, 1, settings.Parallel);
    }

    // To wait for a tick is no pause.
    void NotePause(long now)
    {
        if (lastPassAt != 0)
        {
            long tickTicks = settings.PollHz == 0 ? 0 : ticksPerSecond / settings.PollHz;
            Tally tally = Window.Own.Of(Window.Has(now));
            tally.PauseTicks = Math.Max(tally.PauseTicks, now - lastPassAt - tickTicks);
        }
        lastPassAt = now;
    }

    // A schedule starts anew, and slots that had begun all that they were asked for may begin again.
    void BeginSchedule()
    {
        seenStartedAt = Volatile.Read(ref startedAt);
        seenDrainedFrom = -1;
        nextTurn = 0;
        nextUnbegunSlot = 0;
        slotAfterYoungest = 0;
        oldestSlot = 0;
        slotsInUse = 0;
        timeoutTicks = settings.MakesCalls ? CallTimeoutSeconds * ticksPerSecond
            : settings.Delivery != "unreliable" ? long.MaxValue
            : isNear ? ticksPerSecond
            : Math.Min(4 * Greeting.RoundTripTicks + ticksPerSecond / 5, MostLossTimeoutSeconds * ticksPerSecond);
        for (int index = 0; index < slots.Length; index++)
        {
            bool sends = !isStream && (!isClosedLoop || slots[index].Client < Senders);
            slots[index].Left = sends ? MessagesOfSlot(index) : 0;
        }
    }

    // A client's messages are spread over its slots.
    long MessagesOfSlot(int index)
    {
        if (!isClosedLoop || messagesEach == int.MaxValue)
        {
            return long.MaxValue;
        }
        return messagesEach / slotsEach + (index % slotsEach < messagesEach % slotsEach ? 1 : 0);
    }

    // From now on this thread begins nothing, but for what follows a stream.
    void BeginDrain(long from)
    {
        if (isStream && IsStarted && seenDrainedFrom < 0)
        {
            nextUnbegunSlot = 0;
            for (int index = 0; index < slots.Length; index++)
            {
                slots[index].Left = 1;
            }
        }
        Volatile.Write(ref seenDrainedFrom, from);
    }

    // A call that was given up may never return, and nobody waits for it.
    bool IsDrained() => Volatile.Read(ref seenDrainedFrom) == Volatile.Read(ref drainedFrom)
        && Array.TrueForAll(slots, slot => slot.State is Free or Abandoned && !(isStream && slot.Left > 0));

    // What no message accounts for: slots that are not in flight now, and those that the bound in bytes leaves out.
    void CountIdleSlots()
    {
        if (!isClosedLoop || isStream)
        {
            return;
        }
        long now = Stopwatch.GetTimestamp();
        Tally tally = Window.Own.Inside;
        foreach (ref Slot slot in slots.AsSpan())
        {
            tally.IdleTicks += Window.Overlap(slot.Since, now);
            slot.Since = now;
        }
        long leftOut = (long)Clients * settings.Parallel - slots.Length;
        tally.IdleTicks += leftOut * Window.Overlap(0, now);
    }

    bool TryBeginFree(out int slot)
    {
        slot = 0;
        if (nextUnbegunSlot == slots.Length || IsDraining && !isStream)
        {
            return false;
        }
        long now = Stopwatch.GetTimestamp();
        if (now >= Volatile.Read(ref drainedFrom) && !isStream)
        {
            return false;
        }
        while (nextUnbegunSlot < slots.Length)
        {
            slot = nextUnbegunSlot;
            nextUnbegunSlot++;
            ref Slot next = ref slots[slot];
            if (Volatile.Read(ref next.State) == Free && next.Left > 0)
            {
                Begin(ref next, now, now);
                hasSentInPass = true;
                return true;
            }
        }
        return false;
    }

    // No slow answer holds a due message back: where all slots are in flight it is counted as not sent.
    bool TryBeginDue(out int slot)
    {
        slot = 0;
        // Until this thread sees the next start, which it may do in its next pass only, its schedule is the last one's,
        // by which all is due that the time since then had room for.
        if (IsDraining)
        {
            return false;
        }
        long now = Stopwatch.GetTimestamp();
        long last = Math.Min(now, Volatile.Read(ref drainedFrom) - 1);
        bool isFull = false;
        for (long dueAt = TurnAt(nextTurn); dueAt <= last && !IsQuotaReached; dueAt = TurnAt(nextTurn))
        {
            int client = (int)(nextTurn % Clients);
            nextTurn++;
            if (client >= Senders)
            {
                continue;
            }
            isFull = isFull || !TryFindFree(out slot);
            if (isFull)
            {
                Window.Own.Of(Window.Has(dueAt)).NotSent++;
                continue;
            }
            slots[slot].Client = client;
            Begin(ref slots[slot], dueAt, now);
            Window.Own.Of(slots[slot].IsInWindow).SendLags.Add(Window.Ns(now - dueAt));
            hasSentInPass = true;
            return true;
        }
        return false;
    }

    // Slots are taken one behind the other, so that the oldest message is soon found.
    bool TryFindFree(out int slot)
    {
        for (int tried = 0; tried < slots.Length; tried++)
        {
            slot = slotAfterYoungest;
            slotAfterYoungest = After(slotAfterYoungest);
            if (slotsInUse < slots.Length)
            {
                slotsInUse++;
            }
            else
            {
                oldestSlot = slotAfterYoungest;
            }
            if (Volatile.Read(ref slots[slot].State) == Free)
            {
                return true;
            }
        }
        slot = 0;
        return false;
    }

    int After(int slot) => slot + 1 == slots.Length ? 0 : slot + 1;

    // In a closed loop a client's slots are about as old as its first.
    int FindOldest()
    {
        if (!isClosedLoop)
        {
            ForgetEnded();
            return oldestSlot;
        }
        int oldest = 0;
        long since = long.MaxValue;
        for (int index = 0; index < slots.Length; index += slotsEach)
        {
            if (slots[index].State > Free && slots[index].Since < since)
            {
                oldest = index;
                since = slots[index].Since;
            }
        }
        return oldest;
    }

    void ForgetEnded()
    {
        while (slotsInUse > 0 && Volatile.Read(ref slots[oldestSlot].State) == Free)
        {
            oldestSlot = After(oldestSlot);
            slotsInUse--;
        }
    }

    void Begin(ref Slot slot, long dueAt, long now)
    {
        Window.Tallies own = Window.Own;
        if (now > slot.Since && isClosedLoop && !isStream)
        {
            own.Inside.IdleTicks += Window.Overlap(slot.Since, now);
        }
        slot.IsInWindow = Window.Has(dueAt);
        if (settings.HasRooms)
        {
            NumberInRoom(ref slot, own.Of(slot.IsInWindow));
        }
        else
        {
            slot.Sequence = slot.Sequence == int.MaxValue ? 1 : slot.Sequence + 1;
            slot.GivenUp <<= 1;
        }
        slot.Left--;
        slot.DueAt = dueAt;
        slot.Since = now;
        own.Of(slot.IsInWindow).Sent++;
        Volatile.Write(ref slot.State, slot.Sequence);
    }

    // In rooms messages are numbered by client, as those who receive them know of no slots. A launch ends long before
    // the numbers do.
    void NumberInRoom(ref Slot slot, Tally due)
    {
        slot.Sequence = Interlocked.Increment(ref numbers[slot.Client]);
        slot.IsSpoiled = false;
        slot.IsReliable = false;
        if (settings.Work == Settings.Broadcast)
        {
            int audience = audiences[slot.Client];
            due.DeliveriesDue += audience;
            Volatile.Write(ref slot.Awaited, (long)slot.Sequence << 32 | (uint)audience);
        }
    }

    static void CountFlight(Window.Tallies own, ref Slot slot, long now)
    {
        own.Inside.InFlightTicks += Window.Overlap(slot.Since, now);
        slot.Since = now;
    }

    static void CountRight(Window.Tallies own, ref Slot slot, int bytes, long now)
    {
        bool isInWindow = Window.Has(now);
        Tally due = own.Of(slot.IsInWindow);
        if (slot.IsInWindow == isInWindow)
        {
            due.Received++;
        }
        else
        {
            due.ReceivedLate++;
        }
        due.RoundTrips.Add(Window.Ns(now - slot.DueAt));
        Tally arrived = own.Of(isInWindow);
        arrived.Completed++;
        arrived.Bytes += bytes;
    }

    // A message whose answer does not come is lost, and its slot is free; a call is still to return.
    void GiveUpOverdue(long now)
    {
        if (!isClosedLoop)
        {
            ForgetEnded();
        }
        int first = isClosedLoop ? 0 : oldestSlot;
        int count = isClosedLoop ? slots.Length : slotsInUse;
        // In one step, as the call may return just now.
        int given = settings.MakesCalls ? Abandoned : Owned;
        for (int index = first; count > 0; index = After(index), count--)
        {
            ref Slot slot = ref slots[index];
            int sequence = Volatile.Read(ref slot.State);
            if (sequence <= Free || now - slot.Since <= timeoutTicks || slot.IsReliable
                || Interlocked.CompareExchange(ref slot.State, given, sequence) != sequence)
            {
                continue;
            }
            Window.Tallies own = Window.Own;
            CountFlight(own, ref slot, now);
            if (settings.MakesCalls)
            {
                own.Of(slot.IsInWindow).TimedOut++;
                continue;
            }
            own.Of(slot.IsInWindow).Lost++;
            own.Of(slot.IsInWindow).DeliveriesMissing += (int)Interlocked.Exchange(ref slot.Awaited, 0);
            slot.GivenUp |= 1;
            Volatile.Write(ref slot.State, Free);
            hasFreed = true;
        }
    }

    void EndAbandoned(int index, long now)
    {
        Window.Own.Of(Window.Has(now)).LateArrivals++;
        Volatile.Write(ref slots[index].State, Free);
        hasFreed = true;
    }
}
