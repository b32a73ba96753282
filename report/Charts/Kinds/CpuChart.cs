/// <summary>CPU time a message as stacked bars, a row a library: of the clients and of the server, in user and in
/// kernel mode. A panel for each of some loads.</summary>
static class CpuChart
{
    const int Left = 164, FigureRoom = 76;
    const double BarHeight = 0.7; // of a row

    // Of the library's own colour, so that the parts are told apart by all.
    static readonly (string Name, double Opacity, Func<Launch, double?> Us)[] parts =
    [
        ("clients, user", 1, launch => launch.ClientUserUs), ("clients, system", 0.65, launch => launch.ClientSystemUs),
        ("server, user", 0.35, launch => launch.ServerUserUs), ("server, system", 0.1, launch => launch.ServerSystemUs),
    ];

    /// <summary>Draws it; empty where no CPU time is known.</summary>
    public static Panel[] Of(Subject subject)
    {
        var groups = Charts.Evenly([.. subject.Cells.Where(cell => UsOf(cell).Sum() > 0)
            .GroupBy(cell => (cell.Clients, cell.Parallel))], Charts.MostPanels);
        var rows = groups.Length == 0 ? 0 : groups.Max(group => group.Count());
        return [.. groups.Select(group => PanelOf(subject, Charts.Load(group.Key.Clients, group.Key.Parallel), [.. group],
            rows, Panel.WidthOf(groups.Length)))];
    }

    static Panel PanelOf(Subject subject, string load, Cell[] cells, int mostRows, int width)
    {
        var keyRows = width == Panel.Wide ? 1 : 2;
        var rows = keyRows + mostRows;
        double At(double row) => 1 - (row + 0.5) / rows;
        var x = new Scale(cells.Select(cell => UsOf(cell).Sum()), 0,
            1 - (double)FigureRoom / (width - Left - Panel.Right), log: false);
        var panel = new Panel
        {
            Title = $"CPU a message, {subject.Delivery}, {load}", XTitle = $"CPU µs a message ({subject.Settings})",
            YTitle = "", Width = width, Height = rows * Charts.RowHeight + Panel.Top + Panel.Bottom, Left = Left,
            XTicks = x.Ticks(us => $"{us:#,0.##}"),
            YTicks = [.. cells.Select((cell, i) => new Tick(At(keyRows + i), Charts.Name(cell.Name)))],
        };
        Charts.Key(panel, parts.Select(part => (part.Name, new Box(0, 0, 0, 0, Neutrals.Plain, part.Opacity, Neutrals.Plain))));
        foreach (var (cell, i) in cells.Select((cell, i) => (cell, i)))
        {
            var (sum, row, color) = (0.0, keyRows + i, subject.Looks.ColorOf(cell.Name));
            // Nothing is to show through the tints.
            panel.Boxes.Add(new(0, At(row + BarHeight / 2), x.At(UsOf(cell).Sum()), At(row - BarHeight / 2), Neutrals.Ground));
            foreach (var (part, us) in parts.Zip(UsOf(cell)).Where(part => part.Second > 0))
                panel.Boxes.Add(new(x.At(sum), At(row + BarHeight / 2), x.At(sum += us), At(row - BarHeight / 2),
                    color, part.Opacity, color, PlainSocket.Is(cell.Name)));
            panel.Words.Add(new(x.At(sum) + 5.0 / panel.PlotWidth, At(row), Text.Number(sum)
                + (cell.Median(launch => launch.ServerCpuUs) == null ? " + n/a" : "")));
        }
        return panel;
    }

    // 0 where it is not known.
    static double[] UsOf(Cell cell) => [.. parts.Select(part => cell.Median(part.Us) ?? 0)];
}
