/// <summary>What a report shows of cells of a work, beside what it shows of all.</summary>
abstract class WorkLayout
{
    static readonly Column[] roundTrips =
        [Column.For(Metrics.P50), Column.For(Metrics.P99), Column.For(Metrics.P999)];

    static readonly WorkLayout echoes = new LayoutOfEchoes();
    static readonly WorkLayout streams = new LayoutOfStreams();
    static readonly WorkLayout calls = new LayoutOfCalls();

    /// <summary>That of a work.</summary>
    public static WorkLayout Of(Work work) => work switch
    {
        CallWork => calls,
        StreamWork => streams,
        BroadcastWork => LayoutOfRooms.Broadcasts,
        GameWork => LayoutOfRooms.Games,
        _ => echoes,
    };

    /// <summary>The group of the index in which sweeps of it stand; null: that of their loads and links.</summary>
    public virtual string? Group => null;

    /// <summary>What was measured, in the words of the index; of echoes where neither load nor link say more.</summary>
    public virtual string InIndex(string works, string sizes) => $"echoes of {sizes}";

    /// <summary>Whether clients that send as often as a game are players.</summary>
    public virtual bool MayBePlayers => true;

    /// <summary>Above the table of closed loops.</summary>
    public virtual string RatesHeading => "Rates and latency";

    /// <summary>Of that table: what is held against others of the same rounds, beside the baseline.</summary>
    public virtual Column[] OtherRatios => [];

    /// <summary>Of that table: what came of the messages.</summary>
    public virtual Column[] Outcomes =>
        [
            .. roundTrips,
            Column.For(Metrics.Lost),
            Metrics.LostBy,
        ];

    /// <summary>The metric that a verdict names beside the rate and the costs.</summary>
    public virtual Metric InVerdict => Metrics.P99;

    /// <summary>The metric by which a cell at a given rate is held against itself in another sweep.</summary>
    public virtual Metric JudgedAtRate => Metrics.LaunchP99;

    /// <summary>Settings that the words of a load say, beside clients, messages in flight and rate.</summary>
    public virtual string[] SaidByLoad => [];

    /// <summary>Whether libraries have serializers, so that those with the same one stand together.</summary>
    public virtual bool HasSerializers => false;

    /// <summary>What tells the rows of a verdict apart, beside the library.</summary>
    public virtual string RowsOfVerdict => "delivery";

    /// <summary>The chart of bytes on the wire; none where the figure is much the same for all.</summary>
    public virtual Panel[] Wire(Subject closedLoop) => [];

    /// <summary>What each client does, over a link.</summary>
    public virtual string LoadOf(Cell cell) =>
        cell.ClosedLoop
            ? $"{cell.Clients:N0} x {cell.Parallel:N0}"
            : $"{Text.Count(cell.Clients, "client")} at {(double)cell.Rate / cell.Clients:#,0.##}/s"
                + (cell.Clients == 1 ? "" : " each");

    /// <summary>The same in a title.</summary>
    public virtual string LoadInWords(Cell cell) =>
        cell.ClosedLoop
            ? $"{Text.Count(cell.Clients, "client")} with {cell.Parallel:N0} {cell.Work.Noun}"
                + $"{(cell.Parallel == 1 ? "" : "s")} in flight each"
            : $"{cell.Rate:N0} {cell.Work.Noun}s/s ({LoadOf(cell)})";

    sealed class LayoutOfEchoes : WorkLayout;

    sealed class LayoutOfStreams : WorkLayout
    {
        public override string Group => Question.Bulk;

        public override string InIndex(string works, string sizes) => $"streams of {sizes}";

        public override string RatesHeading => "Rates";

        public override Column[] Outcomes =>
        [
            Column.For(Metrics.Goodput),
            Column.For(Metrics.Lost),
        ];

        public override Metric InVerdict => Metrics.Goodput;

        public override string LoadOf(Cell cell) =>
            $"{Text.Count(cell.Clients, "client")}, {cell.Settings.PayloadBytes:N0} B";

        public override string LoadInWords(Cell cell) =>
            $"{Text.Count(cell.Clients, "client")} sending all they can";
    }

    sealed class LayoutOfCalls : WorkLayout
    {
        public override string Group => Question.Calls;

        public override string InIndex(string works, string sizes) => $"{works} calls";

        public override bool MayBePlayers => false;

        public override Column[] OtherRatios =>
            [new("x HTTP", figures => Column.Struck(figures.Cell, Text.Number(figures.Cell.ToHttp?.Value)))];

        public override bool HasSerializers => true;

        public override string RowsOfVerdict => "work";

        public override Panel[] Wire(Subject closedLoop) => BarsChart.Wire(closedLoop);

        public override string LoadOf(Cell cell) =>
            cell.ClosedLoop ? base.LoadOf(cell) : $"{Text.Count(cell.Clients, "client")} at {cell.Rate:N0} calls/s";

        public override string LoadInWords(Cell cell) =>
            cell.ClosedLoop
                ? base.LoadInWords(cell)
                : $"{cell.Rate:N0} calls/s ({Text.Count(cell.Clients, "client")})";
    }
}
