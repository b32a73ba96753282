/// <summary>What a message costs as stacked bars, a row a library: CPU time of the clients and of the server, in user
/// and in kernel mode, or bytes on the wire. A panel for each of some loads.</summary>
static class BarsChart
{
    const int FigureRoom = 76;
    const double BarHeight = 0.7; // of a row

    // Parts: of the library's own colour, so that they are told apart by all; of a single one nothing is said.
    sealed record Cost(
        string Title,
        string Unit,
        params (string Name, double Opacity, Func<Launch, double?> Of)[] Parts
    )
    {
        // 0 where it is not known.
        public double[] Of(Cell cell) => [.. Parts.Select(part => cell.Median(part.Of) ?? 0)];
    }

    static readonly Cost cpu = new(
        "CPU",
        "CPU µs",
        ("clients, user", 1, launch => launch.ClientUserUs),
        ("clients, system", 0.65, launch => launch.ClientSystemUs),
        ("server, user", 0.35, launch => launch.ServerUserUs),
        ("server, system", 0.1, launch => launch.ServerSystemUs)
    );

    static readonly Cost wire = new(
        "Bytes on the wire",
        "bytes on the wire, both directions,",
        ("", 0.65, launch => launch.WireBytes)
    );

    /// <summary>Draws CPU time; empty where none is known.</summary>
    public static Panel[] Cpu(Subject subject) => Of(subject, cpu);

    /// <summary>Draws bytes on the wire, headers included; empty where none are known.</summary>
    public static Panel[] Wire(Subject subject) => Of(subject, wire);

    static Panel[] Of(Subject subject, Cost cost)
    {
        var groups = Charts.Evenly(
            [.. subject.Cells.Where(cell => cost.Of(cell).Sum() > 0).GroupBy(cell => (cell.Clients, cell.Parallel))],
            Charts.MostPanels
        );
        var rows = groups.Length == 0 ? 0 : groups.Max(group => group.Count());
        return
        [
            .. groups.Select(group =>
                PanelOf(
                    subject,
                    cost,
                    Charts.Load(group.Key.Clients, group.Key.Parallel),
                    [.. group],
                    rows,
                    Panel.WidthOf(groups.Length)
                )
            ),
        ];
    }

    static Panel PanelOf(Subject subject, Cost cost, string load, Cell[] cells, int mostRows, int width)
    {
        var left = Charts.LeftOf(cells);
        var keyRows = cost.Parts.Length == 1 ? 0 : KeyRows(width, left);
        var rows = keyRows + mostRows;
        double At(double row) => 1 - (row + 0.5) / rows;
        var x = new Scale(
            cells.Select(cell => cost.Of(cell).Sum()),
            0,
            1 - (double)FigureRoom / (width - left - Panel.Right),
            log: false
        );
        var panel = new Panel
        {
            Title = $"{subject.InWords($"{cost.Title} a message")}, {subject.Kind}, {load}",
            XTitle = $"{subject.InWords($"{cost.Unit} a message")}{subject.InBrackets}",
            YTitle = "",
            Width = width,
            Height = rows * Charts.RowHeight + Panel.Top + Panel.Bottom,
            Left = left,
            XTicks = x.Ticks(figure => $"{figure:#,0.##}"),
            YTicks = [.. cells.Select((cell, i) => new Tick(At(keyRows + i), Charts.Name(cell.Name)))],
        };
        if (keyRows > 0)
        {
            var entries = cost.Parts.Select(part =>
                (part.Name, new Box(0, 0, 0, 0, Neutrals.Plain, part.Opacity, Neutrals.Plain))
            );
            Charts.Key(panel, entries);
        }
        foreach (var (cell, i) in cells.Select((cell, i) => (cell, i)))
        {
            var sum = 0.0;
            var row = keyRows + i;
            var color = subject.Looks.ColorOf(cell.Name);
            var below = At(row + BarHeight / 2);
            var above = At(row - BarHeight / 2);
            // Nothing is to show through the tints.
            panel.Boxes.Add(new(0, below, x.At(cost.Of(cell).Sum()), above, Neutrals.Ground));
            foreach (var (part, figure) in cost.Parts.Zip(cost.Of(cell)).Where(part => part.Second > 0))
            {
                var from = x.At(sum);
                sum += figure;
                var isPlain = PlainSocket.Is(cell.Name);
                panel.Boxes.Add(new(from, below, x.At(sum), above, color, part.Opacity, color, isPlain));
            }
            var lacksServer = cost == cpu && cell.Median(launch => launch.ServerCpuUs) == null;
            var words = Text.Number(sum) + (lacksServer ? " + n/a" : "");
            panel.Words.Add(new(x.At(sum) + 5.0 / panel.PlotWidth, At(row), words));
        }
        return panel;
    }

    // As many as the key of four parts takes.
    static int KeyRows(int width, int left)
    {
        if (width == Panel.Wide)
            return 1;
        return left == Charts.LeastLeft ? 2 : 3;
    }
}
