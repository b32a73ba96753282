/// <summary>How much a cell's figure changed: NEW over BASE.</summary>
abstract class Change
{
    readonly Lazy<(double Low, double High)> interval;
    readonly Lazy<double> p;

    protected Change()
    {
        interval = new(IntervalOf);
        p = new(POf);
    }

    public abstract double Value { get; }

    /// <summary>That of 95 %.</summary>
    public (double Low, double High) Interval => interval.Value;

    public bool IntervalExcludes1 => Interval is { Low: > 1 } or { High: < 1 };

    /// <summary>How likely chance alone moves it as far, to either side.</summary>
    public double P => p.Value;

    /// <summary>The least p that so many launches can have.</summary>
    public abstract double LeastP { get; }

    // Slow to work out, and of most changes not asked for.
    protected abstract (double Low, double High) IntervalOf();

    protected abstract double POf();
}
