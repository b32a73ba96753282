using ScottPlot;
using ScottPlot.TickGenerators;

/// <summary>The ticks of axes: ScottPlot's own, or those that a chart gives, of which a label that would touch the next
/// is left out.</summary>
sealed class AxisTicks(ScottPlot.Tick[] given) : ITickGenerator
{
    const int LeastPowers = 3; // for ticks at powers of ten alone
    const double FewDecades = 0.8;
    const float LeastSpacePx = 36;
    const float LabelRoomPx = 8;

    public ScottPlot.Tick[] Ticks { get; private set; } = [];

    public int MaxTickCount { get; set; } = int.MaxValue;

    /// <summary>Those of an axis.</summary>
    public static ITickGenerator Of(Axis axis, AxisScale scale)
    {
        if (axis.Ticks != null)
        {
            return new AxisTicks(
                [.. axis.Ticks.Select(tick => ScottPlot.Tick.Major(scale.At(tick.At), tick.Label))]
            );
        }
        if (!axis.IsLog)
        {
            return new NumericAutomatic
            {
                LabelFormatter = axis.Label,
                MinorTickGenerator = new EvenlySpacedMinorTickGenerator(1),
                MinimumTickSpacing = LeastSpacePx,
            };
        }
        return Math.Floor(scale.Max) - Math.Ceiling(scale.Min) + 1 >= LeastPowers
            ? new NumericAutomatic
            {
                IntegerTicksOnly = true,
                LabelFormatter = exponent => axis.Label(Math.Pow(10, exponent)),
                MinorTickGenerator = new LogDecadeMinorTickGenerator(),
            }
            : new AxisTicks([.. WithinDecades(axis, scale)]);
    }

    public void Regenerate(CoordinateRange range, Edge edge, PixelLength size, Paint paint, LabelStyle labelStyle)
    {
        var takenPx = float.MaxValue;
        List<ScottPlot.Tick> ticks = [];
        // From the last, which stays.
        foreach (var tick in given.Where(tick => range.Contains(tick.Position)).Reverse())
        {
            var atPx = (float)((tick.Position - range.Min) / range.Length * size.Length);
            var labelPx = labelStyle.Measure(tick.Label, paint).Width + LabelRoomPx;
            if (edge.IsVertical() || !tick.IsMajor || atPx + labelPx / 2 <= takenPx)
            {
                ticks.Add(tick);
                takenPx = tick.IsMajor ? atPx - labelPx / 2 : takenPx;
            }
            else
            {
                ticks.Add(ScottPlot.Tick.Major(tick.Position, ""));
            }
        }
        Ticks = [.. ticks];
    }

    // Where there are too few powers of ten.
    static IEnumerable<ScottPlot.Tick> WithinDecades(Axis axis, AxisScale scale)
    {
        int[] labelled = scale.Max - scale.Min > FewDecades ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 8];
        for (var decade = (int)Math.Floor(scale.Min); decade <= scale.Max; decade++)
        {
            for (var digit = 1; digit < 10; digit++)
            {
                var figure = double.Parse($"{digit}e{decade}");
                yield return labelled.Contains(digit)
                    ? ScottPlot.Tick.Major(scale.At(figure), axis.Label(figure))
                    : ScottPlot.Tick.Minor(scale.At(figure));
            }
        }
    }
}
