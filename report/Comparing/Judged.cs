/// <summary>The figure by which a cell is held against itself in another sweep, of each of its launches.</summary>
abstract class Judged
{
    /// <summary>In an interleaved closed loop the ratio to the baseline, of one measured separately messages/s; at a
    /// given rate how long round trips take.</summary>
    public static Judged Of(Cell cell)
    {
        if (IsRatio(cell))
            return new Interleaved(RoundRatios.LogRates(cell.Records, cell.Baseline!.Records));
        return new Separately(MetricSeparately(cell).Title, [.. FiguresSeparately(cell).OfType<double>()]);
    }

    /// <summary>True of a cell that is judged by its ratio to the baseline.</summary>
    public static bool IsRatio(Cell cell) =>
        cell is { ClosedLoop: true, ToBaseline: not null } && cell.Baseline != cell;

    /// <summary>The figures of a cell that is not, of each launch; null where it has none.</summary>
    public static double?[] FiguresSeparately(Cell cell) => MetricSeparately(cell).ValuesOf(cell);

    static Metric MetricSeparately(Cell cell) =>
        cell.ClosedLoop ? Metrics.LaunchThroughput : WorkLayout.Of(cell.Work).JudgedAtRate;

    /// <summary>What it is called.</summary>
    public abstract string Name { get; }

    /// <summary>Over the launches.</summary>
    public abstract double? Median { get; }

    /// <summary>Standard deviation over mean of the launches.</summary>
    public abstract double? Cv { get; }

    /// <summary>From this to another of the same kind.</summary>
    public abstract Change To(Judged after);

    /// <summary>From one half of the launches, drawn by chance, to the other.</summary>
    public abstract Change OfHalves(Random random);

    static Change Halved(double[] launches, Random random)
    {
        var shuffled = launches.ToArray();
        random.Shuffle(shuffled);
        return Change.Separately(shuffled[..(shuffled.Length / 2)], shuffled[(shuffled.Length / 2)..]);
    }

    sealed class Interleaved(double[][] logs) : Judged
    {
        readonly double[][] logs = logs;
        readonly double[] ofLaunches = [.. logs.Select(launch => Math.Exp(RoundRatios.Median([launch])))];

        public override string Name => Metrics.ToBaseline.Title;
        public override double? Median => Math.Exp(RoundRatios.Median(logs));
        public override double? Cv => Statistic.Of(ofLaunches.Cast<double?>())?.Cv;

        public override Change To(Judged after) => Change.Interleaved(logs, ((Interleaved)after).logs);

        // Of the launches alone: with rounds within each it would take minutes.
        public override Change OfHalves(Random random) => Halved(ofLaunches, random);
    }

    sealed class Separately(string name, double[] figures) : Judged
    {
        // Sorted, as the order of the records must not move what is random.
        readonly double[] figures = [.. figures.Order()];

        public override string Name => name;
        public override double? Median => Statistic.Of(figures.Cast<double?>())?.Median;
        public override double? Cv => Statistic.Of(figures.Cast<double?>())?.Cv;

        public override Change To(Judged after) => Change.Separately(figures, ((Separately)after).figures);

        public override Change OfHalves(Random random) => Halved(figures, random);
    }
}
