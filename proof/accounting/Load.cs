using System.Diagnostics;

/// <summary>
/// The same load as bench-udp's, in a closed loop, without what makes figures of it: no clock, no header,
/// no checksum, no lanes, no histogram. It sends the payload, counts answers and sends again. What the
/// clients' side calls beyond that answers with nothing.
/// </summary>
sealed class Load(Settings settings, int firstClient, int clients)
{
    public const int HeaderBytes = 24, HelloBytes = 200;
    const int WaitUs = 1_000, LookEvery = 256; // passes between two looks at the clock

    static long startAt = long.MaxValue, windowStart = long.MaxValue, windowEnd = long.MaxValue;
    static volatile string? failure;
    static volatile bool helloAnswered;

    public struct Outcomes
    {
        public long Sent, Received;
        public readonly long ReceivedLate => 0;
        public readonly long Lost => 0;
        public readonly long Corrupt => 0;
        public readonly long Unanswered => 0;
    }

    readonly byte[] payload = MakePayload(settings);
    readonly int[] ready = new int[clients * settings.Parallel];
    int head, count, awaited, passes;
    bool begun, saidHello;

    public Outcomes Warmup;
    public long Pushed = 0, ClosedAt;
    public Histogram Rtt = new();
    public volatile bool Connected;

    public Outcomes Window => default;
    public long CompletedInWindow => 0;
    public long LateArrivals => 0;
    public long Duplicates => 0;
    public long Foreign => 0;
    public long NotSent => 0;
    public long Passes => 0;
    public long IdlePasses => 0;
    public long EndedAt => 0;
    public Histogram SendLag => new();
    public List<long> RawTimesNs => [];
    public int FirstClient => firstClient;
    public int Clients => clients;
    public int Awaited => awaited;
    public static bool IsManual { get; set; }
    public static bool KeepsRawTimes { get; set; }
    public static ReadOnlySpan<byte> Poke => "hello poke"u8;
    public static ReadOnlySpan<byte> Push => "hello push"u8;
    public static bool HelloAnswered => helloAnswered;
    public static long WindowStart => Volatile.Read(ref windowStart);
    public static long WindowEnd => Volatile.Read(ref windowEnd);
    public static string? Failure => failure;
    public static int BufferBytes(Settings settings) => Math.Max(settings.PayloadBytes, HelloBytes);
    public static byte[] Hello(string side, Settings settings) => "hello"u8.ToArray();
    public static void Ask(int count) { }
    public static void AskServer() { }
    public static void Start() => Volatile.Write(ref startAt, Stopwatch.GetTimestamp());
    public static void Stop() => Volatile.Write(ref windowEnd, Math.Min(WindowEnd, Stopwatch.GetTimestamp()));

    public static void Fail(string sentence)
    {
        failure ??= sentence;
        Stop();
    }

    public static bool OpenWindow(double seconds)
    {
        if (WindowEnd < long.MaxValue) return false;
        var start = Stopwatch.GetTimestamp() + Stopwatch.Frequency / 100;
        Volatile.Write(ref windowEnd, start + (long)(seconds * Stopwatch.Frequency));
        Volatile.Write(ref windowStart, start);
        return true;
    }

    public bool Continues()
    {
        if (!begun && !Begin()) return failure == null;
        return ++passes % LookEvery != 0 || Stopwatch.GetTimestamp() < WindowEnd;
    }

    public int TryNext(Span<byte> buffer, out int client)
    {
        client = 0;
        if (!begun) return Connected && !saidHello ? SayHello(buffer) : 0;
        if (count == 0) return 0;
        client = ready[head];
        head = head + 1 == ready.Length ? 0 : head + 1;
        count--;
        Warmup.Sent++;
        payload.CopyTo(buffer);
        return payload.Length;
    }

    public void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        if (!begun) { helloAnswered = true; return; }
        Warmup.Received++;
        awaited = client + 1 == clients ? 0 : client + 1; // answers come round the clients
        Queue(client);
    }

    public int WaitMicroseconds() => count > 0 ? 0 : WaitUs;
    public void CountUnanswered() { }

    bool Begin()
    {
        Connected = true;
        if (Stopwatch.GetTimestamp() < Volatile.Read(ref startAt)) return false;
        begun = true;
        for (var lane = 0; lane < ready.Length; lane++) Queue(lane / settings.Parallel);
        return true;
    }

    int SayHello(Span<byte> buffer)
    {
        saidHello = true;
        payload.CopyTo(buffer);
        return payload.Length;
    }

    void Queue(int client)
    {
        var tail = head + count++;
        ready[tail < ready.Length ? tail : tail - ready.Length] = client;
    }

    static byte[] MakePayload(Settings settings)
    {
        var payload = new byte[settings.PayloadBytes];
        new Random(settings.Seed).NextBytes(payload);
        return payload;
    }
}
