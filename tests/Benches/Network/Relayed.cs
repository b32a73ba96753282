using System.Collections.Concurrent;

/// <summary>What a bench made, with a relay between its sides, of a long way and then, in a reliable mode over UDP, of
/// one that spoils datagrams.</summary>
sealed class Relayed
{
    public const double EachWayMs = 25;
    public const int Rate = 500;

    // More at once would delay each other.
    const int AtOnce = 6;
    const int Milliseconds = 600;
    // Of one that sends once in 10 ms it is a hundred datagrams.
    const int SpoiledMilliseconds = 1_000;

    static readonly Line far = new(EachWayMs);

    static readonly Line lossy = new(DelayMs: 2) { Loss = 0.05, Repeat = 0.05, Reorder = 0.05, ReorderMs = 20 };

    // In 50 ms 25 messages are due, and there is no more than one slot a client.
    static readonly string[] flags =
        ["--payload-bytes", "200", "--parallel", "1", "--clients", "2", "--rate", $"{Rate}"];

    static readonly Lazy<ConcurrentDictionary<(string Bench, string Delivery), Relayed>> first = new(MeasureAll);

    Relayed(ThroughRelay run, string delivery)
    {
        TickS = (double?)Record.Parse(run.Pair.Client.Lines[0])["tick_s"] ?? 0;
        Delayed = run.Measure(Milliseconds);
        Up = run.Relay.Up;
        Down = run.Relay.Down;
        IsOnTcp = Up.Passed == 0;
        if (delivery != "unreliable" && !IsOnTcp)
        {
            Up.Line = lossy;
            Down.Line = lossy;
            Spoiled = run.Measure(SpoiledMilliseconds);
        }
        Closed = run.Close();
    }

    /// <summary>The period with which the library itself acts; 0: none.</summary>
    public double TickS { get; }
    public bool IsOnTcp { get; }
    public ThroughRelay.Counts Delayed { get; }
    /// <summary>Null where nothing of it is met: what is unreliable, LossTests sees.</summary>
    public ThroughRelay.Counts? Spoiled { get; }
    public ThroughRelay.Counts Closed { get; }
    public Way Up { get; }
    public Way Down { get; }

    public int Sum(Func<Way, int> count) => count(Up) + count(Down);

    /// <summary>Every bench with each of its delivery modes, but for one whose peers meet at the relay's port and go by
    /// others.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> All =>
        Bench.WithDeliveries.Where(row => row.Data.Item1 != "bench-datachannel");

    /// <summary>Of these the reliable ones.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Reliable =>
        All.Where(row => row.Data.Item2 != "unreliable");

    /// <summary>What was measured of all, some at once; of one that failed beside others, alone.</summary>
    public static Relayed First(string bench, string delivery) =>
        first.Value.GetOrAdd((bench, delivery), row => Again(row.Bench, row.Delivery));

    /// <summary>Measures one alone.</summary>
    public static Relayed Again(string bench, string delivery)
    {
        using var run = new ThroughRelay(bench, delivery, far, far, flags);
        return new(run, delivery);
    }

    static ConcurrentDictionary<(string Bench, string Delivery), Relayed> MeasureAll()
    {
        var all = All.Where(row => row.Skip == null).Select(row => row.Data);
        var measured = new ConcurrentDictionary<(string Bench, string Delivery), Relayed>();
        var atOnce = new ParallelOptions { MaxDegreeOfParallelism = AtOnce };
        Parallel.ForEach(all, atOnce, row =>
        {
            try
            {
                measured[row] = Again(row.Item1, row.Item2);
            }
            catch (Exception fault)
            {
                // The tests that look at this one measure it alone, and fail if it fails again.
                Console.Error.WriteLine($"{row} failed beside others, and is measured alone: {fault.Message}");
            }
        });
        return measured;
    }
}
