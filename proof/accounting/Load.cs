/// <summary>The load of bench-udp's clients in a closed loop, without what makes figures of it: no clock, no slots, no
/// histogram. It counts what is sent and what comes, and adds that to a tally once per pass. One message that gets lost
/// is one in flight less.</summary>
sealed class Load(Settings settings)
{
    public const int All = int.MaxValue;

    const int WaitMicroseconds = 1_000;
    const int PatienceMilliseconds = 2_000;

    Client client = null!;
    volatile bool maySend;
    volatile bool isClosing;
    bool wasSending;
    long sent;
    long received;
    long sentCounted;
    long receivedCounted;

    public void Run()
    {
        if (settings.Work != Settings.Echo || settings.Rate > 0)
        {
            throw new Failure("Only echoes in a closed loop go without accounting.", Program.Unsupported);
        }
        client = new Client(settings, this);
        client.Connect();
        SendToEach(1);
        while (!isClosing)
        {
            if (maySend && !wasSending)
            {
                SendToEach(settings.Parallel);
            }
            wasSending = maySend;
            client.Poll(WaitMicroseconds);
            Tally tally = Window.Now;
            tally[Count.Sent] += sent - sentCounted;
            tally[Count.Received] += received - receivedCounted;
            tally[Count.Completed] += received - receivedCounted;
            sentCounted = sent;
            Volatile.Write(ref receivedCounted, received);
        }
        client.Close();
    }

    public void WaitUntilConnected() => WaitUntil(() => receivedCounted >= settings.Clients);

    public void Start(int _) => maySend = true;

    public void Drain()
    {
        maySend = false;
        WaitUntil(() => Volatile.Read(ref receivedCounted) == sent);
    }

    // bench-udp's commands, asked of an instance there, too.
#pragma warning disable CA1822
    public void Leave() => throw new Failure("Clients do not leave without accounting.");

    public long[] Join() => [];

    public void OnOpen(int _)
    {
    }
#pragma warning restore CA1822

    public void Close() => isClosing = true;

    /// <summary>Counts an answer; true: the client's next message is sent now.</summary>
    public bool OnAnswer()
    {
        received++;
        sent += maySend ? 1 : 0;
        return maySend;
    }

    public void Send(int index) => client.Begin(new Due(index, Sequence: 0, At: 0));

    void SendToEach(int messages)
    {
        for (int message = 0; message < messages * settings.Clients; message++)
        {
            sent++;
            Send(message / messages);
        }
    }

    static void WaitUntil(Func<bool> holds)
    {
        for (int waited = 0; waited < PatienceMilliseconds && !holds(); waited++)
        {
            Thread.Sleep(1);
        }
    }
}

/// <summary>The client that a message is of; it has neither a number nor a time.</summary>
readonly record struct Due(int Index, int Sequence, long At);
