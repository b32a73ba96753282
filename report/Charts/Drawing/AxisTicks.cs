using ScottPlot;
using ScottPlot.TickGenerators;

/// <summary>The ticks of axes: ScottPlot's own, or those that are given, of which a label that would touch the next
/// is left out.</summary>
sealed class AxisTicks(ScottPlot.Tick[] given) : ITickGenerator
{
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
        var ticks = LogTicks.Between(Math.Pow(10, scale.Min), Math.Pow(10, scale.Max));
        return new AxisTicks(
            [
                .. ticks.Select(tick =>
                    tick.IsLabelled
                        ? ScottPlot.Tick.Major(scale.At(tick.Figure), axis.Label(tick.Figure))
                        : ScottPlot.Tick.Minor(scale.At(tick.Figure))
                ),
            ]
        );
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
}
