/// <summary>What a cell says that was interleaved with others: in each round, one after another.</summary>
sealed partial class Cell
{
    const double WideFrom = 0.05;
    const double TimesUsual = 2;

    readonly Dictionary<Cell, RoundRatio?> toOthers = [];
    readonly Lazy<RoundRatio?> cpuToBaseline;
    Cell? plainSocket;
    Cell? waitingOtherwise;
    Cell? http;
    Cell? unencrypted;

    /// <summary>True where it was; a launch of it may have been measured separately even so.</summary>
    public bool Interleaved { get; }

    /// <summary>Messages/s in each round of all launches.</summary>
    public double[] RoundRates { get; }

    /// <summary>How far apart two CPUs were after each slice, as far as that is known: see docs/records.md,
    /// rounds.</summary>
    public IEnumerable<double> CpuToCpuNs =>
        Launches
            .Select(launch => launch.Rounds)
            .OfType<Rounds>()
            .SelectMany(rounds => rounds.CpuToCpuNs);

    /// <summary>The cell of baselines in the same rounds, which may be this one: the one that waits as this one does
    /// where it was measured, else the usual one. Null where there is none to rely on, and of a cell measured
    /// separately.</summary>
    public Cell? Baseline => plainSocket is { CarriedItsLoad: true } ? plainSocket : null;

    /// <summary>How many times the baseline's rate it is; null as Baseline is.</summary>
    public RoundRatio? ToBaseline => Baseline == null ? null : ToOther(Baseline);

    /// <summary>How many times the rate of the baseline it is that waits otherwise, where Baseline waits as this one
    /// does; null as Baseline is.</summary>
    public RoundRatio? ToBaselineThatWaitsOtherwise =>
        waitingOtherwise is { CarriedItsLoad: true } ? ToOther(waitingOtherwise) : null;

    /// <summary>Of calls: how many times the rate of those over HTTP/1.1 in the same rounds; null as ToBaseline
    /// is.</summary>
    public RoundRatio? ToHttp => http is { IsDrawn: true } ? ToOther(http) : null;

    /// <summary>Over TLS: how many times the same library's rate without it in the same rounds; null as ToBaseline
    /// is.</summary>
    public RoundRatio? ToUnencrypted => unencrypted is { IsDrawn: true } ? ToOther(unencrypted) : null;

    /// <summary>The same of both sides' CPU time per message.</summary>
    public RoundRatio? CpuToUnencrypted =>
        unencrypted is { IsDrawn: true } && Launches.All(launch => launch.Server != null)
            ? RoundRatios.Cpu(Records, unencrypted.Records)
            : null;

    /// <summary>How many times the baseline's CPU time of both sides per message it takes.</summary>
    public RoundRatio? CpuToBaseline => cpuToBaseline.Value;

    /// <summary>How many times the rate of another cell it is, by the rounds that they have in common; null where
    /// there are too few.</summary>
    public RoundRatio? ToOther(Cell other)
    {
        lock (toOthers)
        {
            if (!toOthers.TryGetValue(other, out var ratio))
            {
                ratio = RoundRatios.Rates(Records, other.Records);
                toOthers[other] = ratio;
            }
            return ratio;
        }
    }

    /// <summary>The speeds between which a single client's rounds jump; empty where there is but one.</summary>
    public Mode[] Modes { get; }

    /// <summary>True where the half-width of its ratio to the baseline exceeds what was asked for, or, where
    /// nothing was, is far over that of the other rows.</summary>
    public bool IsWide { get; private set; }

    /// <summary>Half-width of its ratio to the baseline; null where it has none, or is one itself.</summary>
    public double? HalfWidth => ToBaseline is { } ratio && Baseline != this ? ratio.HalfWidth : null;

    /// <summary>Lets each cell of a sweep know the others: the baseline of its blocks, and how wide they are.
    /// Until: the half-width that was asked for, as a share.</summary>
    public static void Introduce(Cell[] cells, double? until)
    {
        ILookup<(string, bool), Cell> Those(Func<Cell, bool> are) =>
            cells
                .Where(cell => cell is { Interleaved: true, Tuned: false } && are(cell))
                .SelectMany(cell => cell.Blocks.Select(block => (Key: (block, cell.IsEncrypted), cell)))
                .ToLookup(of => of.Key, of => of.cell);
        var plain = Those(cell => cell.IsBaseline);
        var http = Those(cell => cell.Library == "http" && cell.settings.Variant == "h1");
        // Those of most blocks first.
        IEnumerable<Cell> Beside(Cell cell, ILookup<(string, bool), Cell> those) =>
            cell
                .Blocks.SelectMany(block => those[(block, cell.IsEncrypted)])
                .GroupBy(other => other)
                .OrderByDescending(other => other.Count())
                .ThenByDescending(other => other.Key.IsUsualBaseline)
                .Select(other => other.Key);
        foreach (var cell in cells)
        {
            Cell[] baselines = [.. Beside(cell, plain)];
            cell.plainSocket = baselines.FirstOrDefault();
            var alike = baselines.FirstOrDefault(other => other.Waits == cell.Waits && other.CarriedItsLoad);
            if (!cell.IsBaseline && alike != null)
            {
                cell.plainSocket = alike;
                cell.waitingOtherwise = baselines.FirstOrDefault(other => other.Waits != cell.Waits);
            }
            cell.http = Beside(cell, http).FirstOrDefault();
        }
        foreach (var cell in cells.Where(cell => cell is { Interleaved: true, IsEncrypted: true }))
        {
            cell.unencrypted = cells.FirstOrDefault(other =>
                !other.IsEncrypted
                && other.Interleaved
                && (other.Name, other.Delivery) == (cell.Name, cell.Delivery)
                && other.Blocks.Intersect(cell.Blocks).Any()
            );
        }
        var usual = Statistic.Of(cells.Where(cell => cell.IsDrawn).Select(cell => cell.HalfWidth))?.Median;
        foreach (var cell in cells)
            cell.IsWide = cell.HalfWidth > (until ?? Math.Max(WideFrom, TimesUsual * usual ?? 0));
    }

    // That of a cell measured separately because of something says of what. Over a link all are, of themselves.
    IEnumerable<string> WhySeparately() =>
        Launches
            .Where(launch => launch.Rounds == null && launch.Link == null)
            .GroupBy(launch => launch.Record.SeparatelyBecause)
            .Select(same =>
                Separately
                + (same.Count() == Launches.Length ? "" : $" in {same.Count()} of {Launches.Length}")
                + (same.Key == null ? "" : $": {same.Key.TrimEnd('.')}")
            );

    string? ModesInWords
    {
        get
        {
            if (Modes.Length == 0)
                return null;
            var words = Modes.Select(
                (mode, i) => $"{100 * mode.Share:F0} % {(i == 0 ? "of slices " : "")}{Text.Duration(mode.RoundTripNs)}"
            );
            return $"{string.Join(", ", words)} per round trip{(IsPinned ? "" : ": see --pin auto")}";
        }
    }

    bool IsPinned => settings.ServerCpus != "all" || settings.ClientCpus != "all";

    /// <summary>The `launch` record of each launch.</summary>
    public IEnumerable<LaunchRecord> Records => Launches.Select(launch => launch.Record);

    IEnumerable<string> Blocks => Launches.Select(launch => launch.Rounds?.Block).OfType<string>();
}
