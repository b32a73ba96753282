/// <summary> The load of bench-udp's clients in a closed loop, without what makes figures of it: no clock, no slots, no
/// tallies, no histogram. It counts the answers, and looks once per pass whether a window is open. One message that
/// gets lost is one in flight less. </summary>
sealed class Load
{
    const int DrainMilliseconds = 2_000;

    static volatile bool maySend;
    static volatile bool closing;

    readonly Queue<int> ready = [];
    long sent;
    long received;
    long receivedAtBegin;
    long receivedAtEnd;
    bool wasOpen;

    Load(Settings settings)
    {
        Clients = settings.Clients;
        for (int message = 0; message < Clients * settings.Parallel; message++)
        {
            ready.Enqueue(message / settings.Parallel);
        }
    }

    public static Load[] All { get; private set; } = [];
    public const int PollMicroseconds = 1_000;
    public int Clients { get; }
    public int Senders => Clients;
    public int FirstClient => 0;
    public static bool MaySend => maySend;
    /// <summary>The client that awaits an answer: they come round the clients.</summary>
    public int Awaited { get; private set; }

    public static Load[] Split(Settings settings)
    {
        All = [new Load(settings)];
        return All;
    }

    public static void WaitUntilConnected(Settings _)
    {
        while (!Greeting.IsAnswered)
        {
            Thread.Sleep(1);
        }
    }

    public static void Start(int _) => maySend = true;

    public static void Drain()
    {
        maySend = false;
        for (int waited = 0; waited < DrainMilliseconds && All.Any(load => load.sent != load.received); waited++)
        {
            Thread.Sleep(1);
        }
    }

    public static void Close() => closing = true;

    public static Window.Tallies Sum()
    {
        Window.Tallies sum = Window.Sum();
        foreach (Load load in All)
        {
            sum.Inside.Completed = load.receivedAtEnd - load.receivedAtBegin;
        }
        return sum;
    }

    public void AddConnected()
    {
    }

    public bool BeginPass()
    {
        if (wasOpen != Window.IsOpen)
        {
            wasOpen = !wasOpen;
            receivedAtBegin = wasOpen ? received : receivedAtBegin;
            receivedAtEnd = received;
        }
        return !closing;
    }

    public void EndPass(bool _)
    {
    }

    /// <summary>The client that sends now, if there is one.</summary>
    public bool TryNext(out int client)
    {
        client = 0;
        if (!MaySend || !ready.TryDequeue(out client))
        {
            return false;
        }
        sent++;
        return true;
    }

    /// <summary>Counts an answer; true: the client's next message is sent now.</summary>
    public bool OnAnswer(int client)
    {
        received++;
        Awaited = client + 1 == Clients ? 0 : client + 1;
        if (MaySend)
        {
            sent++;
            return true;
        }
        ready.Enqueue(client);
        return false;
    }
}
