/// <summary>What a report shows of a work over links: the columns of a table in which each link is a row, and charts
/// against distance, jitter, loss and its bursts.</summary>
abstract class LinkLayout
{
    /// <summary>The title of the column about what emulated the link.</summary>
    public const string Emulator = "link: lost %, late p99 µs, CPU %";

    /// <summary>A chart: how its file's name begins, what it says, and what is drawn against what.</summary>
    public sealed record Drawing(string Name, string Says, LinkChart.Measure Measure, LinkChart.Property Against);

    /// <summary>A chart of bars: how its file's name begins, what it says, and what is drawn.</summary>
    public sealed record Bars(string Name, string Says, LinkChart.Measure Measure);

    static readonly Column resent = new(Metrics.TcpResent.Title, figures =>
        Metrics.TcpResent.ValueOf(figures) > 0 ? Metrics.TcpResent.Shown(figures) : "–");

    static readonly Column emulator = new(Emulator, figures =>
        $"{Metrics.LinkLost.Shown(figures)}, {Metrics.LinkLateP99.Shown(figures)}, {Metrics.LinkCpu.Shown(figures)}");

    static readonly Column serverCpu = Column.CostOf(Metrics.ServerCpu with { Title = "server CPU µs/msg" });

    /// <summary>That of cells of one work; others: all cells of the sweep, among which are those that one is held
    /// against.</summary>
    public static LinkLayout Of(Cell cell, Cell[] others) =>
        cell.Counting.HasRoundTrips ? new RoundTripsOverLinks(others) : new GoodputOverLinks(others);

    /// <summary>What stands above the table.</summary>
    public abstract string HowToRead { get; }

    /// <summary>The columns of the table, but for those that say which cell a row is of, and its notes.</summary>
    public abstract Column[] Columns { get; }

    /// <summary>The charts.</summary>
    public abstract Drawing[] Drawings { get; }

    /// <summary>What is drawn as bars where there is but one link.</summary>
    public abstract Bars[] OfOneLink { get; }

    /// <summary>What the columns of a verdict on one link mean.</summary>
    public abstract string VerdictInWords { get; }

    /// <summary>What a verdict says first.</summary>
    public abstract Headline.Question Asked { get; }

    /// <summary>The columns of that verdict, four at most.</summary>
    public abstract Column[] InVerdict { get; }

    /// <summary>Of these, those of the front page.</summary>
    public virtual Column[] OnFront => InVerdict;

    /// <summary>By what the rows of a verdict are ordered, the most first.</summary>
    public abstract Metric Decisive { get; }

    /// <summary>Whether a verdict tells of a cell.</summary>
    public virtual bool IsJudged(Cell cell) => true;

    static Column OrFailed(Column column) =>
        new(column.Title, figures => figures.Cell.Measured ? column.Of(figures) : "failed");

    sealed class RoundTripsOverLinks(Cell[] others) : LinkLayout
    {
        const double UsAMs = 1e3;

        static readonly Column onTimeBounds = Column.IntervalOf(Metrics.OnTime, "in time % interval");

        static readonly Column p99Bounds =
            Column.IntervalOf(Metrics.LaunchP99 with { Unit = UsAMs }, "p99 ms interval");

        public override string HowToRead =>
            $"In time: of the messages sent, answered within one round trip of the link + {MeasuredLink.OnTimeMs} ms. "
            + "Wire: IP packets of both directions on the link, a message and its answer. "
            + "Link: what its emulator lost or dropped, how late it was, and its CPU time.";

        public override Column[] Columns =>
        [
            InMs(Metrics.P50, "p50 ms"),
            InMs(Metrics.P99, "p99 ms"),
            p99Bounds,
            InMs(Metrics.P999, "p99.9 ms"),
            OrFailed(Column.For(Metrics.OnTime)),
            onTimeBounds,
            Column.For(Metrics.Lost),
            Column.For(Metrics.WireBytes),
            new("x without loss", figures => Text.Number(TimesWithoutLoss(figures.Cell))),
            Column.For(Metrics.WirePackets),
            serverCpu,
            resent,
            emulator,
        ];

        public override Drawing[] Drawings =>
        [
            new("loss-on-time", "Answers in time against loss", LinkChart.OnTime, LinkChart.Loss),
            new("loss-latency", "Round trips against loss", LinkChart.Latency, LinkChart.Loss),
            new("loss-wire", "Bytes on the wire per message against loss", LinkChart.Wire, LinkChart.Loss),
            new("burst-on-time", "Answers in time against bursts of loss", LinkChart.OnTime, LinkChart.Bursts),
            new("burst-latency", "Round trips against bursts of loss", LinkChart.Latency, LinkChart.Bursts),
            new("jitter-on-time", "Answers in time against jitter", LinkChart.OnTime, LinkChart.Jitter),
            new("jitter-latency", "Round trips against jitter", LinkChart.Latency, LinkChart.Jitter),
            new("distance-latency", "Round trips against the link's", LinkChart.Latency, LinkChart.Distance),
        ];

        public override Bars[] OfOneLink =>
        [
            new("link-on-time", "Answers in time", LinkChart.OnTime),
            new("link-latency", "Round trips", LinkChart.Latency),
            new("link-wire", "Bytes on the wire per message", LinkChart.Wire),
        ];

        public override string VerdictInWords =>
            $"In time: of the messages sent, answered within one round trip of the link + {MeasuredLink.OnTimeMs} ms.";

        public override Headline.Question Asked =>
            new("the most answers in time came from", "tie for the most answers in time", "%", Near: 0.01);

        public override Column[] InVerdict =>
            [Column.For(Metrics.OnTime), InMs(Metrics.P50, "p50 ms"), InMs(Metrics.P99, "p99 ms"), serverCpu];

        public override Column[] OnFront => [Column.For(Metrics.OnTime), InMs(Metrics.P99, "p99 ms")];

        public override Metric Decisive => Metrics.OnTime;

        public override bool IsJudged(Cell cell) => !cell.ClosedLoop;

        static Column InMs(Metric metric, string title) => Column.For(metric with { Title = title, Unit = UsAMs });

        // What the loss cost: against the same link that loses nothing.
        double? TimesWithoutLoss(Cell cell)
        {
            var withoutLoss = cell.Link! with { LossPercent = 0, LossBurstPackets = 1 };
            var clean = others.FirstOrDefault(other =>
                (other.Name, other.Kind, other.Load, other.Link) == (cell.Name, cell.Kind, cell.Load, withoutLoss)
            );
            return cell.Median(launch => launch.WireBytes) / clean?.Median(launch => launch.WireBytes);
        }
    }

    sealed class GoodputOverLinks(Cell[] others) : LinkLayout
    {
        public override string HowToRead =>
            "Goodput: payload that arrived whole at the server, by its clock; % of TCP: of plain TCP's on the same "
            + "link, in the congestion control that this system has by default. "
            + "Wire: IP packets of both directions.";

        public override Column[] Columns =>
        [
            OrFailed(Column.For(Metrics.Goodput)),
            Column.IntervalOf(Metrics.Goodput, "interval"),
            ToTcp,
            new("wire B/payload B", figures =>
                Text.Number(Metrics.WireBytes.ValueOf(figures) / figures.Cell.Settings.PayloadBytes)),
            Column.For(Metrics.Lost),
            serverCpu,
            resent,
            emulator,
        ];

        public override Drawing[] Drawings =>
        [
            new(
                "distance-goodput",
                "Goodput against the link's round trip",
                LinkChart.Goodput,
                LinkChart.Distance
            ),
            new(
                "distance-goodput-to-tcp",
                "Goodput in % of plain TCP's against the link's round trip",
                LinkChart.GoodputToTcp(PercentOfTcp),
                LinkChart.Distance
            ),
            new("loss-goodput", "Goodput against loss", LinkChart.Goodput, LinkChart.Loss),
            new("burst-goodput", "Goodput against bursts of loss", LinkChart.Goodput, LinkChart.Bursts),
            new("jitter-goodput", "Goodput against jitter", LinkChart.Goodput, LinkChart.Jitter),
        ];

        public override Bars[] OfOneLink => [new("link-goodput", "Goodput", LinkChart.Goodput)];

        public override string VerdictInWords =>
            "Mbit/s: payload that arrived whole at the server; % of TCP: of plain TCP's on the same link.";

        public override Headline.Question Asked => new("fastest was", "tie", "Mbit/s", Near: 0.1);

        public override Column[] InVerdict =>
            [Column.For(Metrics.Goodput), ToTcp, Column.For(Metrics.Lost), serverCpu];

        public override Metric Decisive => Metrics.Goodput;

        Column ToTcp => new("% of TCP", figures => Text.Number(PercentOfTcp(figures.Cell)));

        // Of plain TCP's on the same link, in its usual way; null where there is none.
        double? PercentOfTcp(Cell cell)
        {
            var tcp = others.FirstOrDefault(other =>
                other is { Library: "tcp", IsDrawn: true, Settings.Variant: LaunchSettings.UsualVariant }
                && other.Work == cell.Work
                && other.Link == cell.Link
                && other.Load == cell.Load
                && other.Settings.PayloadBytes == cell.Settings.PayloadBytes
            );
            return 100 * cell.Goodput?.Median / tcp?.Goodput?.Median;
        }
    }
}
