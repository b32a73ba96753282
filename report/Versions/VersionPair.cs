/// <summary>A library's newer version under the same load as an older one.</summary>
sealed class VersionPair
{
    readonly Cell old;
    readonly Cell now;
    readonly Lazy<VersionRatio> rate;
    readonly Lazy<VersionRatio> cpu;

    public VersionPair(Cell old, Cell now)
    {
        this.old = old;
        this.now = now;
        rate = new(() => VersionRatios.OfRates(old, now));
        cpu = new(() => VersionRatios.OfCpu(old, now));
    }

    /// <summary>A figure of both: what it is, in what unit of its own it is shown, how the two relate, and whether less
    /// of it is better; null where that is neither.</summary>
    public sealed record Row(string Title, double? Old, double? New, VersionRatio Ratio, bool? LessIsBetter)
    {
        /// <summary>False of round trips that were sent late.</summary>
        public bool IsValid { get; init; } = true;
    }

    /// <summary>What both did.</summary>
    public Cell Cell => now;

    /// <summary>The load, as in "100 x 10".</summary>
    public string Load => WorkLayout.Of(now.Work).LoadOf(now);

    /// <summary>By which the two are judged: in a closed loop the rate, at a given rate what a message costs.</summary>
    public VersionRatio Judged => now.ClosedLoop ? rate.Value : cpu.Value;

    /// <summary>True where the newer is known to be worse.</summary>
    public bool IsWorse => IsKnown && Judged.Differs && IsMore != now.ClosedLoop;

    /// <summary>True where the newer failed or is invalid, and the older is not.</summary>
    public bool IsBroken => DoubtOf(old) == null && DoubtOf(now) != null;

    /// <summary>True where there is an interval to judge by.</summary>
    public bool IsKnown => Doubt == null && Judged.Interval != null;

    /// <summary>Why nothing is known of the two; null: something is, or there are too few launches.</summary>
    public string? Doubt => DoubtOf(old) ?? DoubtOf(now);

    /// <summary>The rows of its table.</summary>
    public Row[] Rows =>
        [
            RowOf(Metrics.LaunchThroughput, rate.Value, lessIsBetter: false),
            RowOf(Metrics.BothCpu, cpu.Value, lessIsBetter: true),
            RowOf(Metrics.LaunchP99, lessIsBetter: true) with { IsValid = old.IsDrawn && now.IsDrawn },
            RowOf(Metrics.BothAllocated, lessIsBetter: true),
            RowOf(Metrics.WireBytesAPacket, lessIsBetter: null),
        ];

    bool IsMore => Judged.Interval!.Value > 1;

    static string? DoubtOf(Cell cell)
    {
        if (cell.CarriedItsLoad)
        {
            return null;
        }
        string[] why = [.. cell.Invalid, .. cell.InvalidForLatency, .. cell.Failures];
        return $"{cell.Library} {(cell.Measured ? "is invalid" : "failed")}"
            + (why.Length == 0 ? "" : $": {why[0].TrimEnd('.')}");
    }

    Row RowOf(Metric metric, bool? lessIsBetter) =>
        RowOf(metric, VersionRatios.OfLaunches(old, now, metric), lessIsBetter);

    Row RowOf(Metric metric, VersionRatio ratio, bool? lessIsBetter)
    {
        double? Of(Cell cell) => Statistic.Of(metric.ValuesOf(cell))?.Median / metric.Unit;
        return new(now.Work.InWords(metric.Title), Of(old), Of(now), ratio, lessIsBetter);
    }
}
