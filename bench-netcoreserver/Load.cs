using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;

/// <summary>
/// One client thread's load: what to send when, and what came back. A lane is one message in
/// flight of one client. One thread at a time may call it; once begun it allocates nothing.
/// </summary>
sealed class Load
{
    /// <summary>client 4, lane 4, sequence 4, checksum 4, due time 8 (Stopwatch ticks).</summary>
    public const int HeaderBytes = 24;
    /// <summary>Longest hello, so a buffer of max(this, payload) takes every message.</summary>
    public const int HelloBytes = 200;
    const int SilentSeconds = 10;
    const int WaitUs = 1_000; // the shortest that poll knows
    static readonly long Second = Stopwatch.Frequency;
    static readonly Lock phases = new();

    static long startAt = long.MaxValue, windowStart = long.MaxValue, windowEnd = long.MaxValue;
    static long helloRttTicks = -1;
    static volatile string? failure;
    static volatile int asked, pokes;

    /// <summary>The verb manual: the first asks the server for messages, the second is one.</summary>
    public static ReadOnlySpan<byte> Poke => "hello poke"u8;
    public static ReadOnlySpan<byte> Push => "hello push"u8;

    struct Lane
    {
        public long DueAt, SentAt;
        public int Sequence, Older, Newer;
        public ulong LostBefore; // bit n: the message n sequences back was given up
        public bool InFlight;
    }

    /// <summary>What became of the messages due in one phase.</summary>
    public struct Outcomes { public long Sent, Received, ReceivedLate, Lost, Corrupt, Unanswered; }

    readonly Settings settings;
    readonly bool reliable, closedLoop, saysHello;
    readonly Lane[] lanes;
    readonly byte[] payload, helloRequest, helloReply;
    readonly int[] ready, free, freeCount, owed;
    readonly long[] turns;
    readonly double turnTicks;
    readonly Ticker ticker;
    int readyHead, readyCount, oldest = -1, newest = -1, connected;
    long nextTurn, helloSentAt, helloAgainAt, answeredAt, lostInARow, timeoutTicks, drainEnd, connectDeadline;
    long poked, heardAt, sendAt;
    int answered;
    bool begun, acted;

    /// <summary>Outcomes by the phase in which the message was due.</summary>
    public Outcomes Warmup, Window;
    /// <summary>Answers that arrived inside the window, whenever their messages were sent.</summary>
    public long CompletedInWindow;
    /// <summary>Arrivals that end no message: late, repeated, or not ours.</summary>
    public long LateArrivals, Duplicates, Foreign;
    /// <summary>Messages that the server sent of itself (manual).</summary>
    public long Pushed;
    /// <summary>Round trips of the messages due in the window, and how late these were sent.</summary>
    public Histogram Rtt = new(), SendLag = new();
    /// <summary>The round trips one by one, in ns, where they are kept.</summary>
    public readonly List<long> RawTimesNs = [];
    /// <summary>Passes over the connections in the window; those that sent and received nothing.</summary>
    public long Passes, IdlePasses;
    /// <summary>When the last pass ended and when all connections were closed; 0 before.</summary>
    public long EndedAt, ClosedAt;
    /// <summary>True once every client of this thread is connected.</summary>
    public volatile bool Connected;

    public Load(Settings settings, int firstClient, int clients)
    {
        (this.settings, FirstClient, Clients) = (settings, firstClient, clients);
        // The first of this machine's clients, of which another machine may have those before.
        saysHello = firstClient == settings.FirstClientOf(settings.ClientMachine);
        reliable = settings.Delivery != "unreliable";
        closedLoop = settings.Rate == 0 && !IsManual;
        lanes = new Lane[clients * settings.Parallel];
        (ready, free) = (new int[lanes.Length], new int[lanes.Length]);
        (freeCount, owed, turns) = (new int[clients], new int[clients], new long[clients]);
        ticker = new(settings.TickHz);
        turnTicks = settings.Rate == 0 ? 0 : (double)Second / settings.Rate;
        payload = new byte[settings.PayloadBytes];
        if (settings.Payload == "random") new Random(settings.Seed).NextBytes(payload);
        if (settings.Payload == "ones") Array.Fill(payload, byte.MaxValue);
        (helloRequest, helloReply) = (Hello("client", settings), Hello("server", settings));
    }

    /// <summary>The clients of this thread: numbers FirstClient to FirstClient + Clients - 1.</summary>
    public int FirstClient { get; }
    public int Clients { get; }
    /// <summary>Buffer that takes every message of these settings, in bytes.</summary>
    public static int BufferBytes(Settings settings) => Math.Max(settings.PayloadBytes, HelloBytes);
    /// <summary>The client (from 0 in this thread) whose answer is due first.</summary>
    public int Awaited => oldest < 0 ? 0 : oldest / settings.Parallel;
    /// <summary>Messages due so far that found no free lane in time (open loop only).</summary>
    public long NotSent => settings.Rate == 0 ? 0 : nextTurn - Warmup.Sent - Window.Sent;

    /// <summary>True where messages are sent when asked for; set before any load is made.</summary>
    public static bool IsManual { get; set; }
    /// <summary>True where each round trip is kept; set before any load is made.</summary>
    public static bool KeepsRawTimes { get; set; }
    /// <summary>Asks every client of this process for so many messages more.</summary>
    public static void Ask(int count) => asked += count;
    /// <summary>Lets every client of this process poke the server once.</summary>
    public static void AskServer() => pokes++;

    public static bool HelloAnswered => Volatile.Read(ref helloRttTicks) >= 0;
    public static long WindowStart => Volatile.Read(ref windowStart);
    public static long WindowEnd => Volatile.Read(ref windowEnd);
    public static string? Failure => failure;
    public static void Start() => Volatile.Write(ref startAt, Stopwatch.GetTimestamp());

    /// <summary>Opens the window a moment ahead, so that all threads agree on its first tick;
    /// false when the run was stopped before.</summary>
    public static bool OpenWindow(double seconds)
    {
        lock (phases)
        {
            if (WindowEnd < long.MaxValue) return false;
            var start = Stopwatch.GetTimestamp() + Second / 100;
            if (seconds >= 0) Volatile.Write(ref windowEnd, start + (long)(seconds * Second));
            Volatile.Write(ref windowStart, start);
            return true;
        }
    }

    /// <summary>Ends the window now, or the run if its window is not open; the drain follows.</summary>
    public static void Stop()
    {
        lock (phases) Volatile.Write(ref windowEnd, Math.Min(WindowEnd, Stopwatch.GetTimestamp()));
    }

    /// <summary>Ends the run because of a fault; the first sentence is the one reported.</summary>
    public static void Fail(string sentence)
    {
        failure ??= sentence;
        Stop();
    }

    /// <summary>The first message of a run: it compares versions and settings of both sides.</summary>
    public static byte[] Hello(string side, Settings settings) => Encoding.UTF8.GetBytes(
        $"hello {side} v{Stats.Version} {Library.Name} {Library.Version} {settings.Delivery} " +
        $"{settings.PayloadBytes}");

    /// <summary>Called while connecting: throws when 10 s bring no further connection.</summary>
    public void Connecting(int connectedNow)
    {
        var now = Stopwatch.GetTimestamp();
        if (connectedNow != connected || connectDeadline == 0) connectDeadline = now + 10 * Second;
        connected = connectedNow;
        if (failure != null || now > connectDeadline)
            throw new Failure(failure ?? $"Only {connected} of {Clients} clients could connect to " +
                $"{settings.Address}:{settings.Port} (no more within 10 s).");
    }

    /// <summary>Begins a pass: frees timed-out lanes, queues what is due; false at the end.</summary>
    public bool Continues()
    {
        // A pass that heard something has just read the clock; a schedule wants it to the moment.
        var now = closedLoop && heardAt != 0 ? heardAt : Stopwatch.GetTimestamp();
        (heardAt, sendAt) = (0, 0);
        if (now >= WindowStart && now < WindowEnd)
        {
            Passes++;
            if (!acted) IdlePasses++;
        }
        acted = false;
        if (!begun && !Begin(now)) return failure == null && now < WindowEnd;
        while (!reliable && oldest >= 0 && now - lanes[oldest].SentAt > timeoutTicks) Lose(oldest);
        if (IsSilent(now)) Fail("The server stopped answering.");
        if (settings.Rate > 0) QueueDue(Math.Min(now, WindowEnd - 1));
        for (; IsManual && answered < asked; answered++)
            for (var client = 0; client < Clients; client++) QueueOne(client);
        ticker.Wait();
        if (now < WindowEnd) return true;
        if (drainEnd == 0)
            drainEnd = WindowEnd + (reliable ? 5 * Second
                : Math.Max(Second / 4, 4 * (long)(Rtt.Quantile(0.99) * 1e-9 * Second)));
        if (oldest >= 0 && now >= drainEnd && now - answeredAt > timeoutTicks)
            Fail("The server stopped answering before the window ended.");
        if (oldest >= 0 && now < drainEnd && failure == null) return true;
        EndedAt = Stopwatch.GetTimestamp();
        return false;
    }

    /// <summary>The next message to send now, stamped; returns its length, 0 for none.</summary>
    public int TryNext(Span<byte> buffer, out int client)
    {
        client = 0;
        if (!begun) return Connected && saysHello && !HelloAnswered ? SayHello(buffer) : 0;
        if (readyCount == 0) return IsManual ? PokeNext(buffer, out client) : 0;
        // Just before the send: of the first after an arrival, what that arrival read.
        var now = sendAt != 0 ? sendAt : Stopwatch.GetTimestamp();
        sendAt = 0;
        if (now >= WindowEnd) return 0;
        var index = ready[readyHead];
        readyHead = readyHead + 1 == ready.Length ? 0 : readyHead + 1;
        readyCount--;
        client = index / settings.Parallel;

        ref var lane = ref lanes[index];
        lane.DueAt = settings.Rate == 0 ? now : TurnAt(turns[client]++, client);
        lane.SentAt = now;
        lane.Sequence++;
        lane.LostBefore <<= 1;
        lane.InFlight = true;
        (lane.Older, lane.Newer) = (newest, -1);
        if (newest >= 0) lanes[newest].Newer = index; else oldest = index;
        newest = index;
        acted = true;
        PhaseOf(lane.DueAt).Sent++;
        if (settings.Rate > 0 && lane.DueAt >= WindowStart) SendLag.Add(Ns(now - lane.DueAt));

        var message = buffer[..payload.Length];
        payload.CopyTo(message);
        BinaryPrimitives.WriteInt32LittleEndian(message, FirstClient + client);
        BinaryPrimitives.WriteInt32LittleEndian(message[4..], index % settings.Parallel);
        BinaryPrimitives.WriteInt32LittleEndian(message[8..], lane.Sequence);
        BinaryPrimitives.WriteInt64LittleEndian(message[16..], lane.DueAt);
        BinaryPrimitives.WriteUInt32LittleEndian(message[12..], Checksum(message));
        return message.Length;
    }

    /// <summary>Takes what arrived on a client's connection (client counts from 0 here).</summary>
    public void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        var now = Stopwatch.GetTimestamp(); // just after the receive
        (heardAt, sendAt, acted) = (now, now, true);
        if (message.StartsWith("hello "u8) || !begun) { OnHello(message, now); return; }
        if (message.Length != payload.Length
            || BinaryPrimitives.ReadInt32LittleEndian(message) != FirstClient + client
            || (uint)BinaryPrimitives.ReadInt32LittleEndian(message[4..]) >= settings.Parallel)
        {
            Foreign++;
            return;
        }
        var index = client * settings.Parallel + BinaryPrimitives.ReadInt32LittleEndian(message[4..]);
        ref var lane = ref lanes[index];
        var intact = BinaryPrimitives.ReadUInt32LittleEndian(message[12..]) == Checksum(message);
        var back = lane.Sequence - BinaryPrimitives.ReadInt32LittleEndian(message[8..]);
        // A changed one is its lane's only where its due time says so too: the lane may be what changed.
        if (back != 0 || !lane.InFlight
            || (!intact && BinaryPrimitives.ReadInt64LittleEndian(message[16..]) != lane.DueAt))
        {
            var bit = back is >= 0 and < 64 ? 1UL << back : 0;
            if (!intact || back < 0) { Foreign++; return; }
            if ((lane.LostBefore & bit) != 0) LateArrivals++; else Duplicates++;
            lane.LostBefore &= ~bit;
            return;
        }
        Release(index);
        (answeredAt, lostInARow) = (now, 0);
        ref var outcomes = ref PhaseOf(lane.DueAt);
        if (!intact) { outcomes.Corrupt++; return; }
        if (now >= WindowStart && now < WindowEnd) CompletedInWindow++;
        if (now >= WindowEnd) outcomes.ReceivedLate++; else outcomes.Received++;
        if (lane.DueAt < WindowStart) return;
        var ns = Ns(now - BinaryPrimitives.ReadInt64LittleEndian(message[16..]));
        Rtt.Add(ns);
        if (KeepsRawTimes) RawTimesNs.Add(ns);
    }

    /// <summary>Microseconds that the awaited client's socket may be waited on: 0 when something
    /// is due at once, or when that answer is so late that others will come before it.</summary>
    public int WaitMicroseconds()
    {
        var now = Stopwatch.GetTimestamp();
        var soon = now + WaitUs * Second / 1_000_000;
        var late = lanes.Length > 1 && oldest >= 0 && lanes[oldest].SentAt + (soon - now) < now;
        var due = settings.Rate > 0 && TurnAt(nextTurn / Clients, (int)(nextTurn % Clients)) < soon;
        return readyCount > 0 || late || due ? 0 : WaitUs;
    }

    /// <summary>Counts what is still in flight; call once after the last pass.</summary>
    public void CountUnanswered()
    {
        foreach (ref var lane in lanes.AsSpan())
            if (lane.InFlight) PhaseOf(lane.DueAt).Unanswered++;
    }

    bool Begin(long now)
    {
        Connected = true;
        if (now < Volatile.Read(ref startAt)) return false;
        begun = true;
        answeredAt = now;
        timeoutTicks = IPAddress.IsLoopback(Program.Resolve(settings.Address)) ? Second
            : 4 * helloRttTicks + Second / 5;
        for (var lane = 0; lane < lanes.Length; lane++) Free(lane);
        return true;
    }

    int SayHello(Span<byte> buffer)
    {
        var now = Stopwatch.GetTimestamp();
        if (helloAgainAt != 0 && (reliable || now < helloAgainAt)) return 0;
        if (helloAgainAt == 0) helloSentAt = now;
        helloAgainAt = now + Second / 5;
        helloRequest.CopyTo(buffer);
        return helloRequest.Length;
    }

    int PokeNext(Span<byte> buffer, out int client)
    {
        client = (int)(poked % Clients);
        if (poked == (long)pokes * Clients) return 0;
        poked++;
        Poke.CopyTo(buffer);
        return Poke.Length;
    }

    void OnHello(ReadOnlySpan<byte> answer, long now)
    {
        if (begun && answer.SequenceEqual(Push)) Pushed++;
        else if (answer.SequenceEqual(helloReply)) Volatile.Write(ref helloRttTicks, now - helloSentAt);
        else if (answer.StartsWith("hello server "u8))
            Fail($"The server runs with other settings: it says '{Encoding.UTF8.GetString(answer)}', " +
                $"this client expects '{Encoding.UTF8.GetString(helloReply)}'.");
        else Fail($"What answers on {settings.Address}:{settings.Port} is no server of this bench.");
    }

    // Every lane given up three times without one answer between, or a reliable mode at rest.
    bool IsSilent(long now) => !reliable ? lostInARow >= 3L * lanes.Length
        : oldest >= 0 && now - Math.Max(answeredAt, lanes[oldest].SentAt) > SilentSeconds * Second;

    void Lose(int index)
    {
        Release(index);
        lostInARow++;
        lanes[index].LostBefore |= 1;
        PhaseOf(lanes[index].DueAt).Lost++;
    }

    void Release(int index)
    {
        ref var lane = ref lanes[index];
        lane.InFlight = false;
        if (lane.Older >= 0) lanes[lane.Older].Newer = lane.Newer; else oldest = lane.Newer;
        if (lane.Newer >= 0) lanes[lane.Newer].Older = lane.Older; else newest = lane.Older;
        Free(index);
    }

    void Free(int index)
    {
        var client = index / settings.Parallel;
        if (closedLoop) Queue(index);
        else if (owed[client] > 0) { owed[client]--; Queue(index); }
        else free[client * settings.Parallel + freeCount[client]++] = index;
    }

    void Queue(int index)
    {
        var tail = readyHead + readyCount++;
        ready[tail < ready.Length ? tail : tail - ready.Length] = index;
    }

    void QueueDue(long now)
    {
        for (; TurnAt(nextTurn / Clients, (int)(nextTurn % Clients)) <= now; nextTurn++)
            QueueOne((int)(nextTurn % Clients));
    }

    void QueueOne(int client)
    {
        if (freeCount[client] == 0) owed[client]++;
        else Queue(free[client * settings.Parallel + --freeCount[client]]);
    }

    // A schedule fixed in advance and staggered: client c of N sends its k-th message as turn k x N + c.
    long TurnAt(long turn, int client) =>
        startAt + (long)((turn * settings.Clients + FirstClient + client) * turnTicks);

    static long Ns(long ticks) => (long)(ticks * 1e9 / Second);

    ref Outcomes PhaseOf(long dueAt)
    {
        if (dueAt >= WindowStart) return ref Window;
        return ref Warmup;
    }

    static uint Checksum(ReadOnlySpan<byte> message)
    {
        var crc = BitOperations.Crc32C(~0u, BinaryPrimitives.ReadUInt64LittleEndian(message));
        crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt32LittleEndian(message[8..]));
        var words = MemoryMarshal.Cast<byte, ulong>(message[16..]);
        foreach (var word in words) crc = BitOperations.Crc32C(crc, word);
        foreach (var rest in message[(16 + words.Length * sizeof(ulong))..])
            crc = BitOperations.Crc32C(crc, rest);
        return crc;
    }
}
