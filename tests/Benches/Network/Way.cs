/// <summary>One direction of a relay at work: decides by its seed what becomes of each datagram, in the order in which
/// they arrive, and counts it.</summary>
sealed class Way(Line first, int seed)
{
    // Another one may come in its place while others read it.
    volatile Line line = first;

    /// <summary>What becomes of a datagram.</summary>
    public enum Fate
    {
        Pass,
        Drop,
        Repeat,
        Reorder,
        Change,
        Late,
    }

    readonly Random random = new(seed);
    readonly int[] counts = new int[Enum.GetValues<Fate>().Length];
    int arrived;

    /// <summary>What it does from now on.</summary>
    public Line Line
    {
        set => line = value;
    }

    public int Passed => counts[(int)Fate.Pass];
    public int Dropped => counts[(int)Fate.Drop];
    public int Repeated => counts[(int)Fate.Repeat];
    public int Reordered => counts[(int)Fate.Reorder];
    public int Changed => counts[(int)Fate.Change];
    public int Late => counts[(int)Fate.Late];

    /// <summary>Datagrams that left behind one that had arrived after them; those held back may be as well the last of
    /// their connection.</summary>
    public int Overtaken { get; set; }

    /// <summary>The fate of a datagram, which is changed in place where that is its fate.</summary>
    public Fate Decide(Span<byte> datagram)
    {
        arrived++;
        var fate = arrived <= line.Spared ? Fate.Pass : Draw();
        if (fate == Fate.Change && datagram.Length < line.LeastChangedBytes)
        {
            fate = Fate.Pass;
        }
        if (fate == Fate.Change)
        {
            var part = datagram[line.ChangedPart];
            part[random.Next(part.Length)] ^= (byte)(1 << random.Next(8));
        }
        counts[(int)fate]++;
        return fate;
    }

    /// <summary>How long the next one is on its way, in milliseconds, its fate aside.</summary>
    public double NextDelayMs() => line.DelayMs + line.JitterMs * (2 * random.NextDouble() - 1);

    /// <summary>How much longer a fate keeps it, in milliseconds.</summary>
    public double MoreMs(Fate fate) => fate switch
    {
        Fate.Reorder => line.ReorderMs,
        Fate.Late => line.LateMs,
        _ => 0,
    };

    // Each fate has its share of what is drawn, one behind the other.
    Fate Draw()
    {
        var drawn = random.NextDouble();
        (Fate Fate, double Share)[] fates =
        [
            (Fate.Drop, line.Loss),
            (Fate.Repeat, line.Repeat),
            (Fate.Reorder, line.Reorder),
            (Fate.Change, line.Change),
            (Fate.Late, line.Late),
        ];
        foreach (var (fate, share) in fates)
        {
            drawn -= share;
            if (drawn < 0)
            {
                return fate;
            }
        }
        return Fate.Pass;
    }
}
