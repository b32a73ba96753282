/// <summary>Throughput by clients and messages in flight: a panel a library, the brighter a field, the more
/// it stands for, by one logarithmic scale.</summary>
static class HeatMapChart
{
    const int Left = 60;
    const int FieldWidth = 44;
    const int FieldHeight = 36;
    const int Narrowest = 340;
    const string LightWords = "#f5f5f5";
    const string DarkWords = "#111111";
    const int DarkBelow = 115; // of 255: up to this luma light words have more contrast

    // Cividis, which looks the same to colour-blind readers, in equal steps.
    static readonly (int R, int G, int B)[] stops =
    [
        (0, 34, 78),
        (18, 53, 112),
        (59, 73, 108),
        (87, 93, 109),
        (112, 113, 115),
        (138, 134, 120),
        (165, 156, 116),
        (195, 179, 105),
        (225, 204, 85),
        (254, 232, 56),
    ];

    /// <summary>The colours of the scale in equal steps, the least first, #RRGGBB.</summary>
    public static IEnumerable<string> Colors => stops.Select(stop => $"#{stop.R:x2}{stop.G:x2}{stop.B:x2}");

    /// <summary>Draws it; empty where either is always the same.</summary>
    public static Panel[] Of(Subject subject, RateFigure figure)
    {
        var drawn = figure.OfAll(subject);
        var clients = drawn.Select(field => field.Cell.Clients).Distinct().Order().ToArray();
        var parallels = drawn.Select(field => field.Cell.Parallel).Distinct().Order().ToArray();
        if (clients.Length < 2 || parallels.Length < 2)
            return [];
        var scale = new Scale(drawn.Select(field => field.Reading.Figure), 0, 1, log: true);
        return
        [
            .. drawn
                .GroupBy(field => field.Cell.Name)
                .OrderBy(group => group.Key, StringComparer.Ordinal)
                .Select(group =>
                    PanelOf(
                        subject,
                        $"{Charts.Name(group.Key)}, {subject.Kind}: {subject.InWords(figure.Words)}",
                        [.. group],
                        clients,
                        parallels,
                        scale
                    )
                ),
        ];
    }

    static Panel PanelOf(
        Subject subject,
        string title,
        (Cell Cell, Reading Reading)[] fields,
        long[] clients,
        long[] parallels,
        Scale scale
    )
    {
        double X(int column) => (column + 0.5) / clients.Length;
        double Y(int row) => (row + 0.5) / parallels.Length;
        var panel = new Panel
        {
            Title = title,
            XTitle = $"clients{subject.InBrackets}",
            YTitle = "in flight",
            Width = Math.Max(Narrowest, Left + Panel.Right + FieldWidth * clients.Length),
            Left = Left,
            Height = Panel.Top + Panel.Bottom + FieldHeight * Math.Max(2, parallels.Length),
            XTicks = [.. clients.Select((count, i) => new Tick(X(i), Charts.Short(count)))],
            YTicks = [.. parallels.Select((count, i) => new Tick(Y(i), Charts.Short(count)))],
        };
        foreach (var (cell, reading) in fields)
        {
            var x = X(Array.IndexOf(clients, cell.Clients));
            var y = Y(Array.IndexOf(parallels, cell.Parallel));
            var (color, luma) = ColorAt(scale.At(reading.Figure));
            var halfWidth = 0.5 / clients.Length;
            var halfHeight = 0.5 / parallels.Length;
            panel.Boxes.Add(new(x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight, color));
            var words = (reading.IsLowerBound ? "≥" : "") + Charts.Short(reading.Figure);
            var wordsColor = luma < DarkBelow ? LightWords : DarkWords;
            panel.Words.Add(new(x, y, words, Align: Align.Middle, Color: wordsColor));
        }
        return panel;
    }

    static (string Color, double Luma) ColorAt(double place)
    {
        var at = place * (stops.Length - 1);
        var below = Math.Min((int)at, stops.Length - 2);
        int Mixed(int a, int b) => (int)Math.Round(a + (b - a) * (at - below));
        var lower = stops[below];
        var upper = stops[below + 1];
        var r = Mixed(lower.R, upper.R);
        var g = Mixed(lower.G, upper.G);
        var b = Mixed(lower.B, upper.B);
        return ($"#{r:x2}{g:x2}{b:x2}", 0.299 * r + 0.587 * g + 0.114 * b);
    }
}
