using System.Text;

/// <summary>Draws panels as one SVG file, with nothing but .NET.</summary>
static class SvgCharts
{
    /// <summary>Writes the file; the white ground keeps it readable on dark pages.</summary>
    public static void Write(string path, Panel[] panels)
    {
        var columns = Panel.Columns(panels);
        var (width, height) = (panels[0].Width, panels[0].Height);
        var rows = (panels.Length + columns - 1) / columns;
        var svg = new StringBuilder();
        var (allWidth, allHeight) = (width * columns, height * rows);
        Line(svg, $"""<svg xmlns="http://www.w3.org/2000/svg" width="{allWidth}" height="{allHeight}" """ +
            $"""viewBox="0 0 {allWidth} {allHeight}" font-size="12" fill="#222222" """ +
            """font-family="Helvetica, Arial, sans-serif">""");
        Line(svg, """<rect width="100%" height="100%" fill="#ffffff"/>""");
        for (var i = 0; i < panels.Length; i++)
        {
            Line(svg, $"""<g transform="translate({i % columns * width} {i / columns * height})">""");
            Draw(svg, panels[i]);
            Line(svg, "</g>");
        }
        Line(svg, "</svg>");
        File.WriteAllText(path, svg.ToString());
    }

    static void Draw(StringBuilder svg, Panel panel)
    {
        var (left, bottom) = (panel.Left, Panel.Top + panel.PlotHeight);
        double X(double at) => left + at * panel.PlotWidth;
        double Y(double at) => bottom - at * panel.PlotHeight;

        Line(svg, Label(panel.Width / 2.0, 18, panel.Title, "middle", bold: true));
        Line(svg, Label(X(0.5), panel.Height - 8, panel.XTitle, "middle"));
        Line(svg, $"""<g transform="translate(14 {Y(0.5):0.##}) rotate(-90)">""" +
            Label(0, 0, panel.YTitle, "middle") + "</g>");
        foreach (var tick in panel.XTicks)
        {
            Line(svg, Segment(X(tick.At), bottom, X(tick.At), Panel.Top, Grid(tick), 1));
            Line(svg, Label(X(tick.At), bottom + 16, tick.Label, "middle"));
        }
        foreach (var tick in panel.YTicks)
        {
            Line(svg, Segment(left, Y(tick.At), left + panel.PlotWidth, Y(tick.At), Grid(tick), 1));
            Line(svg, Label(left - 6, Y(tick.At) + 4, tick.Label, "end"));
        }
        Line(svg, Segment(left, bottom, left + panel.PlotWidth, bottom, "#222222", 1));
        Line(svg, Segment(left, bottom, left, Panel.Top, "#222222", 1));
        foreach (var s in panel.Strokes)
            Line(svg, Segment(X(s.X1), Y(s.Y1), X(s.X2), Y(s.Y2), s.Color, s.Width, s.Dashed));
        foreach (var dot in panel.Dots) Line(svg, Mark(X(dot.X), Y(dot.Y), dot));
        foreach (var words in panel.Words)
            Line(svg, Label(X(words.X), Y(words.Y) + 4, words.Text, "start", words.Bold));
    }

    static string Grid(Tick tick) => tick.Label == "" ? "#f3f3f3" : "#dddddd";

    static string Segment(
        double x1, double y1, double x2, double y2, string color, float width, bool dashed = false) =>
        $"""<path d="M{x1:0.##} {y1:0.##}L{x2:0.##} {y2:0.##}" stroke="{color}" """ +
        $"""stroke-width="{width}" stroke-dasharray="{(dashed ? "6 4" : "none")}"/>""";

    static string Label(double x, double y, string text, string anchor, bool bold = false) =>
        $"""<text x="{x:0.##}" y="{y:0.##}" text-anchor="{anchor}" """ +
        $"""font-weight="{(bold ? "bold" : "normal")}">{Text.Xml(text)}</text>""";

    static string Mark(double x, double y, Dot dot)
    {
        var fill = dot.Hollow || dot.Shape == Shape.Ring
            ? $"fill=\"#ffffff\" stroke=\"{dot.Color}\" stroke-width=\"2\"" : $"fill=\"{dot.Color}\"";
        return dot.Shape switch
        {
            Shape.Circle or Shape.Ring => $"""<circle cx="{x:0.##}" cy="{y:0.##}" r="4" {fill}/>""",
            Shape.Square => $"""<path d="M{x - 4:0.##} {y - 4:0.##}h8v8h-8z" {fill}/>""",
            Shape.Triangle => $"""<path d="M{x:0.##} {y - 5:0.##}l5 9h-10z" {fill}/>""",
            Shape.Diamond => $"""<path d="M{x:0.##} {y - 5:0.##}l5 5l-5 5l-5 -5z" {fill}/>""",
            _ => $"""<path d="M{x:0.##} {y - 6:0.##}v12" stroke="{dot.Color}" stroke-width="3"/>""",
        };
    }

    static void Line(StringBuilder svg, string line) =>
        svg.Append(line).Append('\n');
}
