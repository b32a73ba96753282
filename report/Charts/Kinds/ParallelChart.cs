/// <summary>Throughput by messages in flight as groups of bars, a bar a library: a panel for each of some numbers of
/// clients. A lower bound of the library is hollow.</summary>
static class ParallelChart
{
    const double Filled = 0.84; // of a group's room
    const double PlainOpacity = 0.55; // so that the dashes of its border are seen

    /// <summary>Draws it; empty where no number of clients was measured with several in flight.</summary>
    public static Panel[] Of(Subject subject, RateFigure figure)
    {
        var groups = Charts.Evenly(
            [
                .. figure
                    .OfAll(subject)
                    .GroupBy(drawn => drawn.Cell.Clients)
                    .OrderBy(group => group.Key)
                    .Where(group => group.Select(drawn => drawn.Cell.Parallel).Distinct().Count() > 1),
            ],
            Charts.MostPanels
        );
        return
        [
            .. groups.Select(group => PanelOf(subject, figure, group.Key, [.. group], Panel.WidthOf(groups.Length))),
        ];
    }

    static Panel PanelOf(
        Subject subject,
        RateFigure figure,
        long clients,
        (Cell Cell, Reading Reading)[] drawn,
        int width
    )
    {
        const int left = 84;
        var names = drawn.Select(bar => bar.Cell.Name).Distinct().Order(StringComparer.Ordinal).ToArray();
        var parallels = drawn.Select(bar => bar.Cell.Parallel).Distinct().Order().ToArray();
        double Middle(int group) => (group + 0.5) / parallels.Length;
        var panel = new Panel
        {
            Title = $"Throughput, {subject.Kind}, {Text.Count(clients, "client")}",
            XTitle = $"{subject.InWords("messages")} in flight a client{subject.InBrackets}",
            YTitle = subject.InWords(figure.Unit),
            Width = width,
            Height = 340,
            Left = left,
            YTicks = [],
            XTicks = Charts.WithRoom(
                parallels.Select((parallel, i) => new Tick(Middle(i), $"{parallel:N0}")),
                width - left - Panel.Right
            ),
        };
        var keyRows = Charts.Key(
            panel,
            names.Select(name => (Charts.Name(name), new Box(0, 0, 0, 0, subject.Looks.ColorOf(name))))
        );
        var one = figure.One(drawn.Select(bar => bar.Cell));
        var y = new Scale(
            drawn
                .SelectMany(bar => new[] { bar.Reading.Figure, bar.Reading.Bounds?.High ?? 0 })
                .Append(one == null ? 0 : 1),
            0,
            1 - (double)keyRows * Charts.RowHeight / panel.PlotHeight,
            log: false
        );
        panel.YTicks = y.Ticks(rate => $"{rate:#,0.##}");
        var bar = Filled / parallels.Length / names.Length;
        foreach (var (cell, reading) in drawn)
        {
            var from =
                Middle(Array.IndexOf(parallels, cell.Parallel))
                + (Array.IndexOf(names, cell.Name) - names.Length / 2.0) * bar;
            var color = subject.Looks.ColorOf(cell.Name);
            var isBound = reading.IsLowerBound;
            var isPlain = cell.IsPlain;
            var fill = isBound ? Neutrals.Ground : color;
            var opacity = isPlain && !isBound ? PlainOpacity : 1;
            var border = isBound || isPlain ? color : null;
            var top = y.At(reading.Figure);
            panel.Boxes.Add(new(from + 0.06 * bar, 0, from + 0.94 * bar, top, fill, opacity, border, isPlain));
            // On its own bar it would not be seen.
            if (reading.Bounds is var (low, high))
                Charts.Whisker(panel, from + bar / 2, y.At(low), y.At(high), Neutrals.Ink);
        }
        if (one == null)
            return panel;
        panel.Strokes.Add(new(0, y.At(1), 1, y.At(1), subject.Looks.ColorOf(one), 2, Dashed: true));
        panel.Words.Add(new(0.01, y.At(1) + 12.0 / panel.PlotHeight, Charts.Name(one), Cleared: true));
        return panel;
    }
}
