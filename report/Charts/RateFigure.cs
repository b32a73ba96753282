/// <summary>What charts of throughput draw of a cell. Unit: of it on an axis. Of: null where a cell has none.</summary>
sealed record RateFigure(string Unit, Func<Cell, Reading?> Of)
{
    /// <summary>Messages per second.</summary>
    public static readonly RateFigure Absolute = new(
        "messages/s",
        cell => Reading.Of(cell, cell.Throughput, isLowerBound: cell.Bound == Bottleneck.Client)
    );

    /// <summary>Times the baseline's of the same rounds, whose own is 1.</summary>
    public static readonly RateFigure Ratio = new("times the baseline's messages/s", RatioOf);

    /// <summary>The ratio where there is any, as it is what holds when the machine drifts.</summary>
    public static RateFigure Best(Subject subject) =>
        subject.Cells.Any(cell => Ratio.Of(cell) != null) ? Ratio : Absolute;

    /// <summary>The cells that have it, with it.</summary>
    public (Cell Cell, Reading Reading)[] OfAll(Subject subject) =>
        [.. subject.Cells.Select(cell => (cell, Of(cell)!)).Where(drawn => drawn.Item2 != null)];

    /// <summary>What stands at 1 all along; null of rates.</summary>
    public string? One(IEnumerable<Cell> cells) => this == Ratio ? cells.First().Baseline!.Name : null;

    static Reading? RatioOf(Cell cell)
    {
        if (cell.ToBaseline is not { } ratio || cell.Baseline == cell)
            return null;
        return new(cell.Name, cell.Clients, ratio.Value, (ratio.Low, ratio.High), cell.Bound == Bottleneck.Client);
    }
}
