/// <summary>Throughput by messages in flight as groups of bars, a bar a library: a panel for each of some numbers of
/// clients. A lower bound of the library is hollow.</summary>
static class ParallelChart
{
    const double Filled = 0.84; // of a group's room
    const double PlainOpacity = 0.55; // so that the dashes of its border are seen

    /// <summary>Draws it; empty where no number of clients was measured with several in flight.</summary>
    public static Panel[] Of(Subject subject)
    {
        var groups = Charts.Evenly([.. subject.Cells.Where(cell => cell.Throughput?.Median > 0)
            .GroupBy(cell => cell.Clients).OrderBy(group => group.Key)
            .Where(group => group.Select(cell => cell.Parallel).Distinct().Count() > 1)], Charts.MostPanels);
        return [.. groups.Select(group => PanelOf(subject, group.Key, [.. group], Panel.WidthOf(groups.Length)))];
    }

    static Panel PanelOf(Subject subject, long clients, Cell[] cells, int width)
    {
        const int left = 84;
        var names = cells.Select(cell => cell.Name).Distinct().Order(StringComparer.Ordinal).ToArray();
        var parallels = cells.Select(cell => cell.Parallel).Distinct().Order().ToArray();
        double Middle(int group) => (group + 0.5) / parallels.Length;
        var panel = new Panel
        {
            Title = $"Throughput, {subject.Delivery}, {Text.Count(clients, "client")}",
            XTitle = $"messages in flight a client ({subject.Settings})", YTitle = "messages/s",
            Width = width, Height = 340, Left = left, YTicks = [],
            XTicks = Charts.WithRoom(
                parallels.Select((parallel, i) => new Tick(Middle(i), $"{parallel:N0}")), width - left - Panel.Right),
        };
        var keyRows = Charts.Key(panel, names.Select(name => (Charts.Name(name), new Box(0, 0, 0, 0, subject.Looks.ColorOf(name)))));
        var y = new Scale(cells.SelectMany(cell => new[] { cell.Throughput!.Median, cell.Throughput.Interval?.High ?? 0 }),
            0, 1 - (double)keyRows * Charts.RowHeight / panel.PlotHeight, log: false);
        panel.YTicks = y.Ticks(rate => $"{rate:#,0.##}");
        var bar = Filled / parallels.Length / names.Length;
        foreach (var cell in cells)
        {
            var from = Middle(Array.IndexOf(parallels, cell.Parallel))
                + (Array.IndexOf(names, cell.Name) - names.Length / 2.0) * bar;
            var (color, isBound, isPlain) = (subject.Looks.ColorOf(cell.Name), cell.Bound == Bottleneck.Client, PlainSocket.Is(cell.Name));
            panel.Boxes.Add(new(from + 0.06 * bar, 0, from + 0.94 * bar, y.At(cell.Throughput!.Median),
                isBound ? Neutrals.Ground : color, isPlain && !isBound ? PlainOpacity : 1, isBound || isPlain ? color : null, isPlain));
            // On its own bar it would not be seen.
            if (cell.Throughput.Interval is var (low, high, _))
                Charts.Whisker(panel, from + bar / 2, y.At(low), y.At(high), Neutrals.Ink);
        }
        return panel;
    }
}
