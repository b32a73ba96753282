using System.Diagnostics;
using System.Net;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;

/// <summary>One client thread's load: what to send when, and what came back. A lane is one message in flight. One thread at
/// a time may call it; while it sends it allocates nothing.</summary>
sealed class Load
{
    struct Header { public uint Checksum; public int Client, Lane, Sequence; public long DueAt; }

    struct Lane
    {
        public long DueAt, At; // At: of the sending, or since when it is free
        public int Client, Sequence, Older, Newer, Slice; // Slice: -1 while free
        public ulong LostBefore; // bit n: the message n sequences back was given up
    }

    public const int HelloBytes = 200;
    // In flight at a rate, over all threads; the shortest wait that poll knows.
    const int MostInFlight = 65_536, WaitUs = 1_000, ConnectSeconds = 10, RestSeconds = 5;
    static readonly long Second = Stopwatch.Frequency;
    static Load[] all = [];
    static byte[] helloRequest = [], helloReply = [];
    static long goAt, restAt, helloRttTicks = -1;
    static volatile int marks, quota;
    static volatile bool ending;

    readonly Settings settings;
    readonly bool reliable, closedLoop;
    readonly Lane[] lanes;
    readonly Queue<int> free; // as long as the lanes, so that it never grows
    readonly int[] sentBy;
    readonly byte[] payload;
    readonly double turnTicks;
    readonly Counts[] slices = [.. Enumerable.Range(0, Records.Kept + 1).Select(_ => new Counts())];
    Counts counts; // of the slice now
    int slice, oldest = -1, newest = -1; // oldest, newest: in flight, by the time of sending
    long begunAt, nextTurn, helloSentAt, heardAt, sendAt, passedAt, tickAt, timeoutTicks;
    bool acted;
    volatile bool isConnected, rested;

    Load(Settings settings, int firstClient, int clients)
    {
        (this.settings, FirstClient, Clients) = (settings, firstClient, clients);
        reliable = settings.Delivery != "unreliable";
        closedLoop = settings.Rate == 0;
        lanes = new Lane[closedLoop ? clients * settings.Parallel : MostInFlight / settings.ClientThreads];
        for (var lane = 0; lane < lanes.Length; lane++) lanes[lane].Slice = -1;
        (free, sentBy, counts) = (new(lanes.Length), new int[clients], slices[0]);
        counts.BeganAt = Stopwatch.GetTimestamp();
        turnTicks = closedLoop ? 0 : (double)Second / settings.Rate;
        payload = new byte[settings.PayloadBytes];
        if (settings.Payload == "random") new Random(settings.Seed).NextBytes(payload);
        if (settings.Payload == "ones") Array.Fill(payload, byte.MaxValue);
    }

    /// <summary>This thread's clients have the numbers from FirstClient on; so many are connected.</summary>
    public readonly int FirstClient, Clients;
    public volatile int Connected;
    /// <summary>Buffer that takes every message of these settings, in bytes.</summary>
    public static int BufferBytes(Settings settings) => Math.Max(settings.PayloadBytes, HelloBytes);
    /// <summary>The client (from 0 in this thread) whose answer is due first.</summary>
    public int Awaited => oldest < 0 ? 0 : lanes[oldest].Client;
    /// <summary>The works that such a bench does.</summary>
    public static readonly string[] Works = ["echo"];
    /// <summary>How long the first message and its answer took, in ns; null before it.</summary>
    public static long? HelloNs => helloRttTicks < 0 ? null : Ns(helloRttTicks);
    /// <summary>What a server answers to a message, which it counts.</summary>
    public static ReadOnlySpan<byte> Echo(ReadOnlySpan<byte> message) =>
        message.StartsWith("hello "u8) ? helloReply : Records.Counted(message, message.Length);

    /// <summary>A load for each thread, with its part of this process's clients.</summary>
    public static Load[] Split(Settings settings)
    {
        int First(int thread) => settings.FirstClient + (int)((long)settings.OwnClients * thread / settings.ClientThreads);
        return all = [.. Enumerable.Range(0, settings.ClientThreads).Select(thread => new Load(settings, First(thread), First(thread + 1) - First(thread)))];
    }

    /// <summary>Lets all send from now on; each client so many messages and then no more.</summary>
    public static void Go(int messages = int.MaxValue)
    {
        Array.ForEach(all, load => load.rested = false);
        (quota, restAt) = (messages, long.MaxValue);
        Volatile.Write(ref goAt, Stopwatch.GetTimestamp());
    }

    /// <summary>Lets nothing new be due; returns when nothing is in flight, throws when that takes too long.</summary>
    public static void Rest()
    {
        var askedAt = Stopwatch.GetTimestamp();
        Volatile.Write(ref restAt, Math.Min(restAt, askedAt)); // who rests already goes on with it
        while (!Array.TrueForAll(all, load => load.rested))
        {
            if (Stopwatch.GetElapsedTime(askedAt).TotalSeconds > RestSeconds) throw new Failure("The server stopped answering.");
            Thread.Sleep(1);
        }
    }

    /// <summary>Begins a slice in every thread, each at the end of its pass.</summary>
    public static void Mark(int number)
    {
        marks = number;
        while (!ending && Array.Exists(all, load => load.slice != number)) Thread.Sleep(1);
    }

    /// <summary>What all threads counted of a slice that is over; null where there are none.</summary>
    public static Counts? Collect(int slice)
    {
        if (all.Length == 0) return null;
        var sum = new Counts();
        foreach (var load in all)
        {
            sum.Merge(load.Of(slice));
            sum.Outcomes.Unanswered += load.lanes.LongCount(lane => lane.Slice == slice);
            var endedAt = load.slice > slice ? load.Of(slice + 1).BeganAt : Stopwatch.GetTimestamp();
            sum.Work.ElapsedNs += Ns(endedAt - load.Of(slice).BeganAt) / all.Length;
            load.slices[slice % load.slices.Length] = new();
        }
        return sum;
    }

    /// <summary>What all have counted since the last rest.</summary>
    public static Counts Count() => all.SelectMany(load => load.slices).Aggregate(new Counts(), (sum, one) => sum.Merge(one));

    /// <summary>Ends all threads, with what is in flight.</summary>
    public static void End() => (restAt, ending) = (0, true);

    /// <summary>Returns when all are connected and the hello is answered; throws when 10 s bring neither.</summary>
    public static void WaitUntilConnected(Settings settings)
    {
        for (var (before, since) = (-1, 0L); Volatile.Read(ref helloRttTicks) < 0 || !Array.TrueForAll(all, load => load.isConnected); Thread.Sleep(1))
            if (all.Sum(load => load.Connected) is var connected && connected != before) (before, since) = (connected, Stopwatch.GetTimestamp());
            else if (Stopwatch.GetElapsedTime(since).TotalSeconds > ConnectSeconds)
                throw new Failure($"Within {ConnectSeconds} s nothing on {settings.Address}:{settings.Port} answered as a " +
                    $"server of this bench ({connected} of {settings.OwnClients} clients are connected).");
    }

    /// <summary>The first message and its answer: they compare versions and settings of both sides.</summary>
    public static void SetHello(Settings settings)
    {
        byte[] Hello(string side) => Encoding.UTF8.GetBytes($"hello {side} v{Records.Version} {Library.Name} {Library.Version} {settings.Delivery} {settings.PayloadBytes}");
        (helloRequest, helloReply) = (Hello("client"), Hello("server"));
    }

    /// <summary>Begins a pass: a new slice, the start of sending, timed-out lanes; false at the end.</summary>
    public bool Continues()
    {
        // A pass that heard something has just read the clock; a schedule wants it to the moment.
        var now = closedLoop && heardAt != 0 ? heardAt : Stopwatch.GetTimestamp();
        (heardAt, sendAt, isConnected) = (0, 0, true);
        if (begunAt != Volatile.Read(ref goAt)) Begin();
        if (slice != marks) BeginSlice(now);
        counts.Work.Passes++;
        if (!acted) counts.Work.IdlePasses++;
        if (passedAt != 0) counts.PauseNs = Math.Max(counts.PauseNs, Ns(now - passedAt));
        acted = false;
        while (!reliable && oldest >= 0 && now - lanes[oldest].At > timeoutTicks)
        {
            Of(lanes[oldest].Slice).Outcomes.Lost++;
            counts.Outcomes.IdleNs += Ns(now - lanes[oldest].At);
            lanes[oldest].LostBefore |= 1;
            Release(oldest, now);
        }
        rested = now >= Volatile.Read(ref restAt) && oldest < 0 && (closedLoop || TurnAt(nextTurn) >= restAt);
        Tick(settings.TickHz, ref tickAt);
        passedAt = settings.TickHz == 0 ? now : Stopwatch.GetTimestamp();
        return !ending;
    }

    // A lane's time across the mark, free or in flight, is counted where it ends, and moved here to where it passed.
    void BeginSlice(long now)
    {
        var passedNs = closedLoop ? Ns(lanes.Sum(lane => now - lane.At)) : 0;
        counts.Outcomes.IdleNs += passedNs;
        (counts = slices[(slice = marks) % slices.Length]).BeganAt = now;
        counts.Outcomes.IdleNs -= passedNs;
    }

    /// <summary>The next message to send now, stamped; returns its length, 0 for none.</summary>
    public int TryNext(Span<byte> buffer, out int client)
    {
        client = 0;
        if (begunAt == 0) return SayHello(buffer);
        // Just before the send: of the first after an arrival, what that arrival read.
        var now = sendAt != 0 ? sendAt : Stopwatch.GetTimestamp();
        sendAt = 0;
        var dueAt = closedLoop ? now : TurnAt(nextTurn);
        for (; !closedLoop && free.Count == 0 && dueAt <= now && dueAt < restAt; dueAt = TurnAt(++nextTurn))
            Of(SliceOf(dueAt)).Outcomes.NotSent++;
        if (dueAt > now || dueAt >= Volatile.Read(ref restAt) || !free.TryDequeue(out var index)) return 0;
        client = closedLoop ? index / settings.Parallel : (int)(nextTurn % Clients);
        if (sentBy[client] == quota) return TryNext(buffer, out client); // the lane rests until the next go
        sentBy[client]++;

        ref var lane = ref lanes[index];
        counts.Outcomes.IdleNs += Ns(now - lane.At);
        lane.Slice = closedLoop ? slice : SliceOf(dueAt);
        if (!closedLoop) Of(lane.Slice).SendLag.Add(Ns(now - dueAt));
        (lane.DueAt, lane.At, lane.Client) = (dueAt, now, client);
        nextTurn++;
        (lane.Sequence, lane.LostBefore) = (lane.Sequence + 1, lane.LostBefore << 1);
        (lane.Older, lane.Newer) = (newest, -1);
        if (newest >= 0) lanes[newest].Newer = index; else oldest = index;
        newest = index;
        acted = true;
        Of(lane.Slice).Work.Sent++;

        var message = buffer[..payload.Length];
        payload.CopyTo(message);
        var header = new Header { Checksum = 0, Client = FirstClient + client, Lane = index, Sequence = lane.Sequence, DueAt = dueAt };
        MemoryMarshal.Write(message, header);
        MemoryMarshal.Write(message, Checksum(message));
        return message.Length;
    }

    /// <summary>Takes what arrived on a client's connection (client counts from 0 here).</summary>
    public void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        var now = Stopwatch.GetTimestamp(); // just after the receive
        (heardAt, sendAt, acted) = (now, now, true);
        if (begunAt == 0 || message.StartsWith("hello "u8)) { OnHello(message, now); return; }
        var header = message.Length == payload.Length ? MemoryMarshal.Read<Header>(message) : new() { Lane = -1 };
        if ((uint)header.Lane >= lanes.Length || header.Client != FirstClient + client) { counts.Outcomes.Foreign++; return; }
        ref var lane = ref lanes[header.Lane];
        var (intact, back) = (header.Checksum == Checksum(message), lane.Sequence - header.Sequence);
        // A changed one is its lane's only where its due time says so too: the lane may be what changed.
        if (back != 0 || lane.Slice < 0 || (!intact && header.DueAt != lane.DueAt))
        {
            var bit = back is >= 0 and < 64 ? 1UL << back : 0;
            if (!intact || back < 0) { counts.Outcomes.Foreign++; return; }
            if ((lane.LostBefore & bit) != 0) counts.Outcomes.LateArrivals++; else counts.Outcomes.Duplicates++;
            lane.LostBefore &= ~bit;
            return;
        }
        var (due, rttNs) = (Of(lane.Slice), Ns(now - header.DueAt));
        Release(header.Lane, now);
        if (due != counts || !intact) counts.Outcomes.IdleNs += rttNs;
        if (!intact) { due.Outcomes.Corrupt++; return; }
        if (due == counts) due.Work.Received++; else { due.Outcomes.ReceivedLate++; due.Outcomes.IdleNs -= rttNs; }
        counts.Outcomes.Completed++;
        counts.Work.Bytes += message.Length;
        due.Rtt.Add(rttNs);
    }

    /// <summary>Microseconds that the awaited client's socket may be waited on: 0 when something is due at once, or
    /// when that answer is so late that others will come before it.</summary>
    public int WaitMicroseconds()
    {
        var now = Stopwatch.GetTimestamp();
        var soon = now + WaitUs * Second / 1_000_000;
        var late = lanes.Length > 1 && oldest >= 0 && lanes[oldest].At + (soon - now) < now;
        var due = begunAt != 0 && now < restAt && (closedLoop ? free.Count > 0 : TurnAt(nextTurn) < soon);
        return late || due ? 0 : WaitUs;
    }

    // A schedule starts anew, and lanes that had sent all that they were asked for are free again.
    void Begin()
    {
        (begunAt, nextTurn) = (Volatile.Read(ref goAt), 0);
        timeoutTicks = IPAddress.IsLoopback(Program.Resolve(settings.Address)) ? Second : 4 * helloRttTicks + Second / 5;
        free.Clear();
        Array.Clear(sentBy);
        foreach (var index in Enumerable.Range(0, lanes.Length).Where(index => lanes[index].Slice < 0))
        {
            lanes[index].At = begunAt;
            free.Enqueue(index);
        }
    }

    // The first client's, again and again where it may get lost.
    int SayHello(Span<byte> buffer)
    {
        var now = Stopwatch.GetTimestamp();
        if (!isConnected || this != all[0] || Volatile.Read(ref helloRttTicks) >= 0
            || helloSentAt != 0 && (reliable || now < helloSentAt + Second / 5)) return 0;
        helloSentAt = now;
        helloRequest.CopyTo(buffer);
        return helloRequest.Length;
    }

    void OnHello(ReadOnlySpan<byte> answer, long now)
    {
        if (answer.SequenceEqual(helloReply)) Volatile.Write(ref helloRttTicks, now - helloSentAt);
        else Program.Exit(new Failure(!answer.StartsWith("hello server "u8)
            ? $"What answers on {settings.Address}:{settings.Port} is no server of this bench."
            : $"The server runs with other settings: it says '{Encoding.UTF8.GetString(answer)}', " +
                $"this client expects '{Encoding.UTF8.GetString(helloReply)}'."));
    }

    void Release(int index, long now)
    {
        ref var lane = ref lanes[index];
        (lane.Slice, lane.At) = (-1, now);
        if (lane.Older >= 0) lanes[lane.Older].Newer = lane.Newer; else oldest = lane.Newer;
        if (lane.Newer >= 0) lanes[lane.Newer].Older = lane.Older; else newest = lane.Older;
        free.Enqueue(index);
    }

    Counts Of(int number) => number == slice ? counts : slices[number % slices.Length];

    int SliceOf(long dueAt)
    {
        var of = slice;
        while (of > 0 && dueAt < Of(of).BeganAt) of--;
        return of;
    }

    // A schedule fixed at go and staggered: client c of N sends its k-th message as turn k x N + c.
    long TurnAt(long turn) => begunAt + (long)((turn / Clients * settings.Clients + FirstClient + turn % Clients) * turnTicks);

    /// <summary>Sleeps until the next of so many ticks a second; 0: not at all. A late tick does not hasten others.</summary>
    public static void Tick(int hz, ref long nextAt)
    {
        if (hz == 0) return;
        var now = Stopwatch.GetTimestamp();
        nextAt = Math.Max(nextAt + Second / hz, now);
        Thread.Sleep(Stopwatch.GetElapsedTime(now, nextAt));
    }

    /// <summary>Stopwatch ticks in nanoseconds.</summary>
    public static long Ns(long ticks) => (long)(ticks * 1e9 / Second);

    // Of all that follows it.
    static uint Checksum(ReadOnlySpan<byte> message)
    {
        var crc = ~0u;
        var words = MemoryMarshal.Cast<byte, ulong>(message[sizeof(uint)..]);
        foreach (var word in words) crc = BitOperations.Crc32C(crc, word);
        foreach (var rest in message[(sizeof(uint) + words.Length * sizeof(ulong))..]) crc = BitOperations.Crc32C(crc, rest);
        return crc;
    }
}
