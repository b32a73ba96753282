using System.Diagnostics;

/// <summary>
/// The load of bench-udp's clients in a closed loop, without what makes figures of it: no clock, no header, no
/// checksum, no lanes, no histogram. It sends the payload, counts the answers, and sends again. One message that
/// gets lost is one in flight less.
/// </summary>
sealed class Load
{
    public const int HeaderBytes = 24, HelloBytes = 200;
    static readonly (long At, long Received)[] marks = new (long, long)[Records.Kept + 1];
    static Load? only;
    static long allowed = 1; // messages: the first is the hello
    static volatile bool ending;

    readonly Queue<int> ready = [];
    readonly byte[] payload;
    long sent, received;

    Load(Settings settings)
    {
        Clients = settings.Clients;
        for (var lane = 0; lane < Clients * settings.Parallel; lane++) ready.Enqueue(lane / settings.Parallel);
        payload = new byte[settings.PayloadBytes];
        new Random(settings.Seed).NextBytes(payload);
    }

    public readonly int Clients;
    public readonly bool Streams = false;
    public volatile int Connected;
    public int Awaited { get; private set; }
    public static readonly string[] Works = ["echo"];
    public const int LaneBytes = 0; // it has none
    public static long? HelloNs => null;
    public static int BufferBytes(Settings settings) => settings.PayloadBytes;
    public static void SetHello(Settings _) { }
    public static Load[] Split(Settings settings) => [only = new Load(settings)];
    public static void Go(int messages = int.MaxValue) => Volatile.Write(ref allowed, long.MaxValue);
    public static void Rest() => Volatile.Write(ref allowed, 0);
    public static void End() => ending = true;
    public static long Ns(long ticks) => (long)(ticks * 1e9 / Stopwatch.Frequency);
    static long Received => only == null ? 0 : Volatile.Read(ref only.received);

    public static void WaitUntilConnected(Settings _)
    {
        while (Received == 0) Thread.Sleep(1);
    }

    public static void Mark(int number) => marks[number] = (Stopwatch.GetTimestamp(), Received);

    public static Counts Count() => new() { Outcomes = { Completed = Received } };

    public static Counts? Collect(int slice) => only == null ? null : new()
    {
        Work = { ElapsedNs = Ns(marks[slice + 1].At - marks[slice].At) },
        Outcomes = { Completed = marks[slice + 1].Received - marks[slice].Received },
    };

    public bool Continues() => !ending;

    public int TryNext(Client _, Span<byte> buffer, out int client)
    {
        client = 0;
        if (sent >= Volatile.Read(ref allowed) || !ready.TryDequeue(out client)) return 0;
        sent++;
        payload.CopyTo(buffer);
        return payload.Length;
    }

    public void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        received++;
        Awaited = client + 1 == Clients ? 0 : client + 1; // answers come round the clients
        ready.Enqueue(client);
    }

    public int WaitMicroseconds() => ready.Count > 0 ? 0 : 1_000;
}
