/// <summary>What the charts have in common.</summary>
static class Charts
{
    /// <summary>Height of a line of words, in pixels.</summary>
    public const int WordHeight = 15;

    /// <summary>Height of a row of marks, in pixels.</summary>
    public const int RowHeight = 18;

    /// <summary>So many loads at most have panels of their own.</summary>
    public const int MostPanels = 4;

    /// <summary>Pixels on the left of a plot of rows at the least.</summary>
    public const int LeastLeft = 164;

    const int LongestName = 28;
    const int TickRoom = 8;
    const int KeyBox = 10;
    const int KeyRoom = 12;
    const double CapPixels = 3;
    const double LabelGap = 10;

    /// <summary>A library's name as charts have room for.</summary>
    public static string Name(string name) =>
        Text.Plain(name, LongestName) + (PlainSocket.Is(name) ? PlainSocket.InBrackets(name) : "");

    /// <summary>Pixels on the left of a plot whose rows have the names of these cells.</summary>
    public static int LeftOf(IEnumerable<Cell> cells) =>
        Math.Max(LeastLeft, (int)Room(cells.Select(cell => cell.Name)) + KeyRoom);

    /// <summary>Pixels that the longest of the names takes.</summary>
    public static double Room(IEnumerable<string> names) => Panel.CharWidth * names.Max(name => Name(name).Length);

    /// <summary>"10 clients x 1".</summary>
    public static string Load(long clients, long parallel) => $"{Text.Count(clients, "client")} x {parallel:N0}";

    /// <summary>So many of them, from the first to the last.</summary>
    public static T[] Evenly<T>(T[] all, int most) =>
        all.Length <= most ? all : [.. Enumerable.Range(0, most).Select(i => all[i * (all.Length - 1) / (most - 1)])];

    /// <summary>At most three digits and a unit, such as 166k.</summary>
    public static string Short(double figure)
    {
        if (figure >= 999.5e3)
            return Digits(figure / 1e6) + "M";
        if (figure >= 999.5)
            return Digits(figure / 1e3) + "k";
        return Digits(figure);
    }

    static string Digits(double figure) => figure.ToString(figure >= 99.5 || figure == Math.Round(figure) ? "0" : "G2");

    /// <summary>A round time for a tick.</summary>
    public static string Time(double ns)
    {
        if (ns < 1e3)
            return $"{ns} ns";
        if (ns < 1e6)
            return $"{ns / 1e3} µs";
        return ns < 1e9 ? $"{ns / 1e6} ms" : $"{ns / 1e9} s";
    }

    /// <summary>Draws the bounds of a figure as a line with caps.</summary>
    public static void Whisker(Panel panel, double x, double low, double high, string color)
    {
        var cap = CapPixels / panel.PlotWidth;
        panel.Strokes.Add(new(x, low, x, high, color, 1));
        foreach (var y in new[] { low, high })
            panel.Strokes.Add(new(x - cap, y, x + cap, y, color, 1));
    }

    /// <summary>Writes the names of lines beside their ends, or in a column at a place, where they do not touch
    /// each other.</summary>
    public static void Names(
        Panel panel,
        IEnumerable<(string Name, double X, double Y)> ends,
        Looks looks,
        double? column = null
    )
    {
        var lines = ends.OrderBy(end => end.Y).ThenBy(end => end.Name, StringComparer.Ordinal).ToArray();
        var places = Spread([.. lines.Select(line => line.Y)], (double)WordHeight / panel.PlotHeight);
        foreach (var ((name, x, y), place) in lines.Zip(places))
        {
            var at = column ?? x + LabelGap / panel.PlotWidth;
            panel.Strokes.Add(new(x, y, at - 2.0 / panel.PlotWidth, place, looks.ColorOf(name), 0.7f));
            panel.Words.Add(new(at, place, Name(name), Cleared: column == null));
        }
    }

    /// <summary>Writes a key of boxes into the top of a plot, in rows from the left; returns the rows that it
    /// takes.</summary>
    public static int Key(Panel panel, IEnumerable<(string Name, Box Look)> entries)
    {
        var rows = 1;
        var x = (double)KeyRoom;
        foreach (var (name, look) in entries)
        {
            var width = KeyBox + Panel.CharWidth * name.Length + 2 * KeyRoom;
            if (x > KeyRoom && x + width > panel.PlotWidth)
            {
                rows++;
                x = KeyRoom;
            }
            var middle = 1 - (rows - 0.5) * RowHeight / panel.PlotHeight;
            var half = KeyBox / 2.0 / panel.PlotHeight;
            panel.Boxes.Add(
                look with
                {
                    X1 = x / panel.PlotWidth,
                    X2 = (x + KeyBox) / panel.PlotWidth,
                    Y1 = middle - half,
                    Y2 = middle + half,
                }
            );
            panel.Words.Add(new((x + KeyBox + 5) / panel.PlotWidth, middle, name));
            x += width;
        }
        return rows;
    }

    /// <summary>Drops the labels that would touch the next; the last stays. Plot: its width in pixels.</summary>
    public static Tick[] WithRoom(IEnumerable<Tick> ticks, double plot)
    {
        var taken = double.MaxValue;
        return [.. ticks.Reverse().Select(WhereFree)];

        Tick WhereFree(Tick tick)
        {
            var half = tick.Label.Length * Panel.CharWidth / 2 + TickRoom / 2;
            if (tick.At * plot + half > taken)
                return tick with { Label = "" };
            taken = tick.At * plot - half;
            return tick;
        }
    }

    // Moves ascending places apart to the least gap, and keeps them within 0 to 1.
    static double[] Spread(double[] places, double gap)
    {
        for (var i = 1; i < places.Length; i++)
            places[i] = Math.Max(places[i], places[i - 1] + gap);
        var most = 1 - gap / 2;
        for (var i = places.Length - 1; i >= 0; i--)
        {
            places[i] = Math.Min(places[i], most);
            most = places[i] - gap;
        }
        return places;
    }
}
