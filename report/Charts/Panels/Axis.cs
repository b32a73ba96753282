/// <summary>How the figures of an axis are written.</summary>
enum TickFormat
{
    Number,
    ShortNumber,
    Time,
}

/// <summary>A value of an axis that is marked, and what is written there.</summary>
readonly record struct Tick(double At, string Label);

/// <summary>An axis. Format: of its figures; times are in ns. Ticks: the values that are marked; null: round ones, as
/// whoever draws it finds room for.</summary>
sealed record Axis(
    string Title,
    bool IsLog = false,
    TickFormat Format = TickFormat.Number,
    Tick[]? Ticks = null
)
{
    const double LogFrom = 10;

    /// <summary>Whether figures differ by so much that they are told apart by their logarithm alone.</summary>
    public static bool IsWide(IEnumerable<double> figures)
    {
        double[] all = [.. figures];
        return all.Length > 0 && all.Max() / all.Min() >= LogFrom;
    }

    /// <summary>Ticks of a logarithmic axis where something was measured; where those are too few to show that it is
    /// one, round figures besides.</summary>
    public static Tick[] LogTicksOf(IEnumerable<Tick> measured)
    {
        Tick[] ticks = [.. measured.Distinct().OrderBy(tick => tick.At)];
        if (ticks.Length is 1 or >= LogTicks.Least)
        {
            return ticks;
        }
        var between = LogTicks
            .Between(ticks[0].At, ticks[^1].At)
            .Where(tick => tick.IsLabelled && tick.Figure > ticks[0].At && tick.Figure < ticks[^1].At)
            .Select(tick => new Tick(tick.Figure, $"{tick.Figure:#,0.##}"));
        return [ticks[0], .. between, ticks[^1]];
    }

    /// <summary>A figure as it is written at a tick.</summary>
    public string Label(double figure) =>
        Format switch
        {
            TickFormat.Time => Charts.Time(figure),
            TickFormat.ShortNumber => Charts.Short(figure),
            _ => $"{figure:#,0.##}",
        };
}
