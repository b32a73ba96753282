/// <summary>What a cell says that was measured in turn with others: in each round, one after another.</summary>
sealed partial class Cell
{
    readonly Dictionary<Cell, TurnRatio?> toOthers = [];
    readonly Lazy<TurnRatio?> cpuToPlain;
    Cell? plainSocket;

    /// <summary>True where it was; a launch of it may have been measured apart even so.</summary>
    public bool InTurn { get; }

    /// <summary>Messages/s in each round of all launches.</summary>
    public double[] RoundRates { get; }

    /// <summary>The cell of plain sockets in the same rounds, which may be this one; null where there is none to rely
    /// on, and of a cell measured apart.</summary>
    public Cell? PlainSocket => plainSocket is { IsDrawn: true } ? plainSocket : null;

    /// <summary>How many times the plain socket's rate it is; null as PlainSocket is.</summary>
    public TurnRatio? ToPlain => PlainSocket == null ? null : ToOther(PlainSocket);

    /// <summary>The same of both sides' CPU time a message.</summary>
    public TurnRatio? CpuToPlain => cpuToPlain.Value;

    /// <summary>How many times the rate of another cell it is, by the rounds that they have in common; null where
    /// there are too few.</summary>
    public TurnRatio? ToOther(Cell other)
    {
        lock (toOthers)
            return toOthers.TryGetValue(other, out var known) ? known : toOthers[other] = Turns.Rates(Records, other.Records);
    }

    /// <summary>The speeds between which a single client's rounds jump; empty where there is but one.</summary>
    public Mode[] Modes { get; }

    /// <summary>Lets each cell know the plain socket of its blocks.</summary>
    public static void Introduce(Cell[] cells)
    {
        var plain = cells.Where(cell => cell is { InTurn: true, IsPlain: true, Tuned: false })
            .SelectMany(cell => cell.Blocks.Select(block => (block, cell))).ToLookup(of => of.block, of => of.cell);
        foreach (var cell in cells)
            cell.plainSocket = cell.Blocks.SelectMany(block => plain[block]).GroupBy(other => other)
                .MaxBy(other => other.Count())?.Key;
    }

    IEnumerable<Newtonsoft.Json.Linq.JObject> Records => Launches.Select(launch => launch.Record);
    IEnumerable<string> Blocks => Launches.Select(launch => launch.Rounds?.Block).OfType<string>();
}
