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
    // In flight at a rate, over all threads; bytes in flight of a thread; the shortest wait that poll knows; of a link that may be slow; that a slow library answers.
    const int MostInFlight = 65_536, MostBytesInFlight = 1 << 29, WaitUs = 1_000, ConnectSeconds = 10, RestSeconds = 5, FarSeconds = 30, LanesASecond = 100_000;
    // Of a stream: sent before a thread looks for marks; answered behind it, of unordered ones as many as may overtake each other.
    const int HeaderBytes = 24, StreamLane = -1, MostInPass = 64, MostClients = 100_000, Behind = 1, BehindUnordered = 64;
    static readonly long Second = Stopwatch.Frequency;
    static Load[] all = [];
    static byte[] helloRequest = [], helloReply = [];
    static (int Last, ulong Seen)[] came = []; // to a server of streams, by client; bit n: the message n before the furthest
    static long goAt, restAt, helloRttTicks = -1;
    static volatile int marks, quota;
    static volatile bool ending;

    readonly Settings settings;
    readonly bool reliable, closedLoop, isNear;
    readonly Lane[] lanes;
    readonly Queue<int> free; // as long as the lanes, so that it never grows
    readonly int[] sentBy, streamed; // streamed: the number of each client's last message
    readonly byte[] payload;
    readonly double turnTicks;
    readonly Counts[] slices = [.. Enumerable.Range(0, Records.Kept + 1).Select(_ => new Counts())];
    Counts counts; // of the slice now
    int slice, inPass, owed, laneCount, inFlight, mostInFlight, oldest = -1, newest = -1; // laneCount: a client's; owed: by a rest; oldest, newest: in flight
    long begunAt, nextTurn, helloSentAt, helloAgainAt, heardAt, sendAt, passedAt, tickAt, timeoutTicks;
    bool acted;
    volatile bool isConnected, rested;

    Load(Settings settings, int firstClient, int clients)
    {
        (this.settings, FirstClient, Clients) = (settings, firstClient, clients);
        reliable = settings.Delivery != "unreliable";
        (Streams, isNear) = (settings.Work == Works[1], IPAddress.IsLoopback(Program.Resolve(settings.Address)));
        closedLoop = settings.Rate == 0 && !Streams;
        laneCount = Streams ? settings.Delivery == "reliable-unordered" ? BehindUnordered : Behind : settings.Parallel;
        lanes = new Lane[closedLoop || Streams ? clients * laneCount : MostInFlight / settings.ClientThreads];
        for (var lane = 0; lane < lanes.Length; lane++) lanes[lane].Slice = -1;
        (free, sentBy, streamed, counts) = (new(lanes.Length), new int[clients], new int[clients], slices[0]);
        (counts.BeganAt, turnTicks) = (Stopwatch.GetTimestamp(), settings.Rate == 0 ? 0 : (double)Second / settings.Rate);
        (payload, mostInFlight) = (new byte[settings.PayloadBytes], MostBytesInFlight / settings.PayloadBytes);
        if (settings.Payload == "random") new Random(settings.Seed).NextBytes(payload);
        if (settings.Payload == "ones") Array.Fill(payload, byte.MaxValue);
    }

    /// <summary>This thread's clients have the numbers from FirstClient on; so many are connected.</summary>
    public readonly int FirstClient, Clients;
    public volatile int Connected;
    /// <summary>True where nothing is answered: as much is sent as the library takes, and whether one had no room just now.</summary>
    public readonly bool Streams;
    public bool IsFull { get; private set; }
    /// <summary>Buffer that takes every message of these settings, in bytes.</summary>
    public static int BufferBytes(Settings settings) => Math.Max(settings.PayloadBytes, HelloBytes);
    /// <summary>The client (from 0 in this thread) whose answer is due first, or who is next to send.</summary>
    public int Awaited => oldest < 0 ? (int)(nextTurn % Clients) : lanes[oldest].Client;
    /// <summary>The works that such a bench does.</summary>
    public static readonly string[] Works = ["echo", "stream"];
    /// <summary>Memory of a lane here, in bytes: itself and its place among the free.</summary>
    public static readonly int LaneBytes = Marshal.SizeOf<Lane>() + sizeof(int);
    /// <summary>How long the first message and its answer took, in ns; null before it.</summary>
    public static long? HelloNs => helloRttTicks < 0 ? null : Ns(helloRttTicks);
    /// <summary>What a server answers to a message, which it counts; empty: nothing.</summary>
    public static ReadOnlySpan<byte> Echo(ReadOnlySpan<byte> message) => message.StartsWith("hello "u8) ? helloReply
        : came.Length > 0 ? Taken(message) : Records.Counted(message, message.Length);

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
        var most = (all is [] or [{ isNear: true }, ..] ? RestSeconds : FarSeconds) + all.Sum(load => load.lanes.Length) / LanesASecond;
        Volatile.Write(ref restAt, Math.Min(restAt, askedAt)); // who rests already goes on with it
        for (; !Array.TrueForAll(all, load => load.rested); Thread.Sleep(1))
            if (Stopwatch.GetElapsedTime(askedAt).TotalSeconds > most) throw new Failure("The server stopped answering.");
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

    /// <summary>Returns when all are connected and the hello is answered; throws when 10 s bring neither, or 30 s over a link.</summary>
    public static void WaitUntilConnected(Settings settings)
    {
        var most = all[0].isNear ? ConnectSeconds : FarSeconds;
        for (var (before, since) = (-1, 0L); Volatile.Read(ref helloRttTicks) < 0 || !Array.TrueForAll(all, load => load.isConnected); Thread.Sleep(1))
            if (all.Sum(load => load.Connected) is var connected && connected != before) (before, since) = (connected, Stopwatch.GetTimestamp());
            else if (Stopwatch.GetElapsedTime(since).TotalSeconds > most)
                throw new Failure($"Within {most} s nothing on {settings.Address}:{settings.Port} answered as a server of this bench ({connected} of {settings.OwnClients} clients are connected).");
    }

    /// <summary>The first message and its answer: they compare versions and settings of both sides.</summary>
    public static void SetHello(Settings settings)
    {
        byte[] Hello(string side) => Encoding.UTF8.GetBytes($"hello {side} v{Records.Version} {Library.Name} {Library.Version} {settings.Work} {settings.Delivery} {settings.PayloadBytes}");
        (helloRequest, helloReply) = (Hello("client"), Hello("server"));
        if (settings.Work == Works[1] && Program.Side == "server") came = new (int, ulong)[MostClients];
    }

    /// <summary>Begins a pass: a new slice, the start of sending, timed-out lanes; false at the end.</summary>
    public bool Continues()
    {
        // A pass that heard something has just read the clock; a schedule wants it to the moment.
        var now = closedLoop && heardAt != 0 ? heardAt : Stopwatch.GetTimestamp();
        (heardAt, sendAt, inPass, isConnected) = (0, 0, 0, true);
        if (begunAt != Volatile.Read(ref goAt)) Begin();
        if (slice != marks) BeginSlice(now);
        (counts.Work.Passes, counts.Work.IdlePasses) = (counts.Work.Passes + 1, counts.Work.IdlePasses + (acted ? 0 : 1));
        if (passedAt != 0) counts.PauseNs = Math.Max(counts.PauseNs, Ns(now - passedAt));
        acted = false;
        while (!reliable && oldest >= 0 && now - lanes[oldest].At > timeoutTicks)
        {
            if (!Streams) Of(lanes[oldest].Slice).Outcomes.Lost++;
            if (!Streams) counts.Outcomes.IdleNs += Ns(now - lanes[oldest].At);
            lanes[oldest].LostBefore |= 1;
            Release(oldest, now);
        }
        rested = now >= Volatile.Read(ref restAt) && oldest < 0 && (Streams ? owed == 0 : closedLoop || TurnAt(nextTurn) >= restAt);
        Tick(settings.TickHz, ref tickAt);
        passedAt = settings.TickHz == 0 ? now : Stopwatch.GetTimestamp();
        return !ending;
    }

    // A lane's time across the mark, free or in flight, is counted where it ends, and moved here to where it passed.
    void BeginSlice(long now)
    {
        var (number, passedNs) = (marks, closedLoop && begunAt != 0 ? Ns(lanes.Sum(lane => now - lane.At)) : 0);
        counts.Outcomes.IdleNs += passedNs;
        (counts = slices[number % slices.Length]).BeganAt = now;
        counts.Outcomes.IdleNs -= passedNs;
        Volatile.Write(ref slice, number); // last: whoever awaits it reads when it began
    }

    /// <summary>The next message for the sender to send now, stamped; returns its length, 0 for none.</summary>
    public int TryNext(Client sender, Span<byte> buffer, out int client)
    {
        client = 0;
        if (begunAt == 0) return SayHello(buffer);
        if (Streams) return TryStream(sender, buffer, out client);
        // Just before the send: of the first after an arrival, what that arrival read.
        var now = sendAt != 0 ? sendAt : Stopwatch.GetTimestamp();
        sendAt = 0;
        var dueAt = closedLoop ? now : TurnAt(nextTurn);
        for (; !closedLoop && free.Count == 0 && dueAt <= now && dueAt < restAt; dueAt = TurnAt(++nextTurn))
            Of(SliceOf(dueAt)).Outcomes.NotSent++;
        if (dueAt > now || dueAt >= Volatile.Read(ref restAt) || inFlight == mostInFlight || !free.TryDequeue(out var index)) return 0;
        client = closedLoop ? index / laneCount : (int)(nextTurn % Clients);
        if (sentBy[client] == quota) return TryNext(sender, buffer, out client); // the lane rests until the next go
        (sentBy[client], nextTurn) = (sentBy[client] + 1, nextTurn + 1);
        ref var lane = ref lanes[index];
        counts.Outcomes.IdleNs += Ns(now - lane.At);
        lane.Slice = closedLoop ? slice : SliceOf(dueAt);
        if (!closedLoop) Of(lane.Slice).SendLag.Add(Ns(now - dueAt));
        Of(lane.Slice).Work.Sent++;
        return Fly(buffer[..payload.Length], client, index, dueAt, now);
    }

    // Of whoever's turn it is and who has room. At rest, behind it, what is answered and counts nothing: then all has arrived.
    int TryStream(Client sender, Span<byte> buffer, out int client)
    {
        var (now, index) = (Stopwatch.GetTimestamp(), 0);
        (client, IsFull) = (0, false);
        if (now >= Volatile.Read(ref restAt))
        {
            if (owed == 0 || !free.TryDequeue(out index)) return 0;
            owed--;
            (client, lanes[index].Slice) = (index / laneCount, int.MaxValue);
            return Fly(buffer[..HeaderBytes], client, index, now, now);
        }
        if (inPass == MostInPass || TurnAt(nextTurn) > now) return 0;
        for (var tried = 0; tried < Clients; tried++)
        {
            client = (int)((nextTurn + tried) % Clients);
            if (sentBy[client] == quota || !sender.HasRoom(client)) continue;
            (nextTurn, inPass, sentBy[client], acted) = (nextTurn + 1, inPass + 1, sentBy[client] + 1, true);
            counts.Work.Streamed++;
            return Stamp(buffer[..payload.Length], client, StreamLane, ++streamed[client], now);
        }
        IsFull = true;
        return 0;
    }

    // A lane's next message, from now on in flight.
    int Fly(Span<byte> message, int client, int index, long dueAt, long now)
    {
        ref var lane = ref lanes[index];
        (lane.DueAt, lane.At, lane.Client, lane.Sequence, lane.LostBefore) = (dueAt, now, client, lane.Sequence + 1, lane.LostBefore << 1);
        (lane.Older, lane.Newer) = (newest, -1);
        if (newest >= 0) lanes[newest].Newer = index; else oldest = index;
        (newest, inFlight) = (index, inFlight + 1);
        acted = true;
        return Stamp(message, client, index, lane.Sequence, dueAt);
    }

    int Stamp(Span<byte> message, int client, int lane, int sequence, long dueAt)
    {
        payload.AsSpan(0, message.Length).CopyTo(message);
        MemoryMarshal.Write(message, new Header { Checksum = 0, Client = FirstClient + client, Lane = lane, Sequence = sequence, DueAt = dueAt });
        MemoryMarshal.Write(message, Checksum(message));
        return message.Length;
    }

    // Checks and counts a stream's message; what comes behind a stream goes back.
    static ReadOnlySpan<byte> Taken(ReadOnlySpan<byte> message)
    {
        ref var work = ref Records.Echoes;
        var header = message.Length < HeaderBytes ? new() { Client = -1 } : MemoryMarshal.Read<Header>(message);
        if ((uint)header.Client >= MostClients || header.Checksum != Checksum(message)) { work.StreamCorrupt++; return default; }
        if (header.Lane != StreamLane) return message;
        ref var of = ref came[header.Client];
        var ahead = header.Sequence - of.Last; // numbers wrap around
        var bit = ahead is > -64 and <= 0 ? 1UL << -ahead : 0;
        if ((of.Seen & bit) != 0) { work.StreamRepeated++; return default; }
        of = ahead <= 0 ? (of.Last, of.Seen | bit) : (header.Sequence, (ahead < 64 ? of.Seen << ahead : 0) | 1);
        if (ahead <= 0) work.StreamDisordered++;
        (work.Streamed, work.Bytes) = (work.Streamed + 1, work.Bytes + message.Length);
        return default;
    }

    /// <summary>Takes what arrived on a client's connection (client counts from 0 here).</summary>
    public void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        var now = Stopwatch.GetTimestamp(); // just after the receive
        (heardAt, sendAt, acted) = (now, now, true);
        if (begunAt == 0 || message.StartsWith("hello "u8)) { OnHello(message, now); return; }
        var header = message.Length == (Streams ? HeaderBytes : payload.Length) ? MemoryMarshal.Read<Header>(message) : new() { Lane = -1 };
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
        var (due, rttNs) = (Streams ? counts : Of(lane.Slice), Ns(now - header.DueAt));
        Release(header.Lane, now);
        if (Streams) { counts.Outcomes.Foreign += intact ? 0 : 1; return; }
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
        return late || due && !IsFull ? 0 : WaitUs;
    }

    // A schedule starts anew, and lanes that had sent all that they were asked for are free again.
    void Begin()
    {
        (begunAt, nextTurn, owed) = (Volatile.Read(ref goAt), 0, Streams ? lanes.Length : 0);
        timeoutTicks = isNear ? Second : 4 * helloRttTicks + Second / 5;
        free.Clear();
        Array.Clear(sentBy);
        foreach (var index in Enumerable.Range(0, lanes.Length).Where(index => lanes[index].Slice < 0))
        {
            lanes[index].At = begunAt;
            free.Enqueue(index);
        }
    }

    // The first client's, again and again where it may get lost; its time is from the first on, as nothing says which was answered.
    int SayHello(Span<byte> buffer)
    {
        var now = Stopwatch.GetTimestamp();
        if (!isConnected || this != all[0] || Volatile.Read(ref helloRttTicks) >= 0 || now < helloAgainAt) return 0;
        helloAgainAt = reliable ? long.MaxValue : now + Second / 20;
        if (helloSentAt == 0) helloSentAt = now;
        helloRequest.CopyTo(buffer);
        return helloRequest.Length;
    }

    void OnHello(ReadOnlySpan<byte> answer, long now)
    {
        if (answer.SequenceEqual(helloReply)) Interlocked.CompareExchange(ref helloRttTicks, now - helloSentAt, -1);
        else Program.Exit(new Failure(!answer.StartsWith("hello server "u8)
            ? $"What answers on {settings.Address}:{settings.Port} is no server of this bench."
            : $"The server runs with other settings: it says '{Encoding.UTF8.GetString(answer)}', this client expects '{Encoding.UTF8.GetString(helloReply)}'."));
    }

    void Release(int index, long now)
    {
        ref var lane = ref lanes[index];
        (lane.Slice, lane.At, inFlight) = (-1, now, inFlight - 1);
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
