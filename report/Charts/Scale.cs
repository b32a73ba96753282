/// <summary>Places values on an axis between two margins (0 to 1), by their logarithm where the
/// largest is many times the smallest.</summary>
sealed class Scale
{
    const double LogFrom = 10;

    static readonly int[] niceDigits = [1, 2, 5, 10];

    readonly double low;
    readonly double high;
    readonly double from;
    readonly double to;
    readonly bool log;

    /// <summary>A scale over these values, logarithmic or, from zero, not; without a word where it
    /// helps.</summary>
    public Scale(IEnumerable<double> values, double from, double to, bool? log = null, double room = 1)
    {
        this.from = from;
        this.to = to;
        var least = values.Min();
        var most = values.Max();
        this.log = log ?? most / least >= LogFrom;
        low = this.log ? Math.Log10(least / room) : 0;
        high = this.log ? Math.Log10(most * room) : most * 1.05;
        if (high - low < 1e-9)
        {
            low -= 0.5;
            high += 0.5;
        }
    }

    /// <summary>Place of a value from 0 to 1; what lies outside is drawn at the edge.</summary>
    public double At(double value) =>
        from + Math.Clamp(((log ? Math.Log10(value) : value) - low) / (high - low), 0, 1) * (to - from);

    /// <summary>Round values with labels, and without between them.</summary>
    public Tick[] Ticks(Func<double, string> label)
    {
        if (!log)
        {
            var step = NiceStep(high / 5);
            return
            [
                .. Enumerable.Range(0, (int)(high / step) + 1).Select(i => new Tick(At(i * step), label(i * step))),
            ];
        }
        int[] labelled = [1, 2, 5];
        if (high - low > 2.5)
            labelled = [1];
        else if (high - low > 1.2)
            labelled = [1, 3];
        var first = (int)Math.Floor(low);
        return
        [
            .. Enumerable
                .Range(first, (int)Math.Ceiling(high) - first + 1)
                .SelectMany(decade =>
                    Enumerable.Range(1, 9).Select(digit => (Digit: digit, Value: double.Parse($"{digit}e{decade}")))
                )
                .Where(tick => Math.Log10(tick.Value) >= low && Math.Log10(tick.Value) <= high)
                .Select(tick => new Tick(At(tick.Value), labelled.Contains(tick.Digit) ? label(tick.Value) : "")),
        ];
    }

    static double NiceStep(double least)
    {
        var decade = Math.Pow(10, Math.Floor(Math.Log10(least)));
        return decade * niceDigits.First(digit => digit * decade >= least);
    }
}
