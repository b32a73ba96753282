using System.Text;

/// <summary>Draws panels as one SVG file, with nothing but .NET. It follows the reader's colour scheme.</summary>
static class SvgCharts
{
    // Attributes of one exact colour, so that what a library is drawn in stays.
    static readonly string dark =
        $"@media (prefers-color-scheme:dark){{{string.Concat(Neutrals.Pairs.Select(Darkened))}}}";

    /// <summary>Writes the file; says is read to those who do not see it.</summary>
    public static void Write(string path, string says, Panel[] panels)
    {
        var columns = Panel.Columns(panels);
        var width = panels[0].Width;
        var height = panels[0].Height;
        var rows = (panels.Length + columns - 1) / columns;
        var svg = new StringBuilder();
        var allWidth = width * columns;
        var allHeight = height * rows;
        Line(
            svg,
            $"""<svg xmlns="http://www.w3.org/2000/svg" width="{allWidth}" height="{allHeight}" """
                + $"""viewBox="0 0 {allWidth} {allHeight}" role="img" font-size="12" fill="{Neutrals.Ink}" """
                + """font-family="Helvetica, Arial, sans-serif">"""
        );
        Line(svg, $"<title>{Text.Xml(says)}</title>");
        Line(svg, $"<style>{dark}</style>");
        Line(svg, $"""<rect width="100%" height="100%" fill="{Neutrals.Ground}"/>""");
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
        var left = panel.Left;
        var bottom = Panel.Top + panel.PlotHeight;
        double X(double at) => left + at * panel.PlotWidth;
        double Y(double at) => bottom - at * panel.PlotHeight;

        Line(svg, Label(panel.Width / 2.0, 18, panel.Title, Align.Middle, bold: true));
        Line(svg, Label(X(0.5), panel.Height - 8, panel.XTitle, Align.Middle));
        if (panel.YTitle != "")
        {
            Line(
                svg,
                $"""<g transform="translate(14 {Y(0.5):0.##}) rotate(-90)">"""
                    + Label(0, 0, panel.YTitle, Align.Middle)
                    + "</g>"
            );
        }
        foreach (var tick in panel.XTicks)
        {
            Line(svg, Segment(X(tick.At), bottom, X(tick.At), Panel.Top, Grid(tick), 1));
            if (tick.Label != "")
                Line(svg, Label(X(tick.At), bottom + 16, tick.Label, Align.Middle));
        }
        foreach (var tick in panel.YTicks)
        {
            Line(svg, Segment(left, Y(tick.At), left + panel.PlotWidth, Y(tick.At), Grid(tick), 1));
            if (tick.Label != "")
                Line(svg, Label(left - 6, Y(tick.At) + 4, tick.Label, Align.End));
        }
        foreach (var box in panel.Boxes)
        {
            var opacity = box.Opacity < 1 ? $" fill-opacity=\"{box.Opacity:0.##}\"" : "";
            var border = box.Border == null ? "" : $" stroke=\"{box.Border}\"";
            var dashes = box.Dashed ? " stroke-dasharray=\"4 3\"" : "";
            Line(
                svg,
                $"""<path d="M{X(box.X1):0.##} {Y(box.Y1):0.##}H{X(box.X2):0.##}V{Y(box.Y2):0.##}H{X(box.X1):0.##}z" """
                    + $"""fill="{box.Color}"{opacity}{border}{dashes}/>"""
            );
        }
        Line(svg, Segment(left, bottom, left + panel.PlotWidth, bottom, Neutrals.Ink, 1));
        Line(svg, Segment(left, bottom, left, Panel.Top, Neutrals.Ink, 1));
        foreach (var s in panel.Strokes)
            Line(svg, Segment(X(s.X1), Y(s.Y1), X(s.X2), Y(s.Y2), s.Color, s.Width, s.Dashed));
        foreach (var curve in panel.Curves)
        {
            var points = curve.Points.Select(point => $"{X(point.X):0.##} {Y(point.Y):0.##}");
            Line(svg, Outline($"M{string.Join('L', points)}", curve.Color, curve.Width, curve.Dashed));
        }
        foreach (var dot in panel.Dots)
            Line(svg, Mark(X(dot.X), Y(dot.Y), dot));
        foreach (var words in panel.Words)
        {
            var y = Y(words.Y) + 4;
            Line(svg, Label(X(words.X), y, words.Text, words.Align, words.Bold, words.Color, words.Cleared));
        }
    }

    static string Darkened((string Light, string Dark) pair) =>
        $"[fill=\"{pair.Light}\"]{{fill:{pair.Dark}}}[stroke=\"{pair.Light}\"]{{stroke:{pair.Dark}}}";

    static string Grid(Tick tick) => tick.Label == "" ? Neutrals.FaintGrid : Neutrals.Grid;

    static string Segment(double x1, double y1, double x2, double y2, string color, float width, bool dashed = false) =>
        Outline($"M{x1:0.##} {y1:0.##}L{x2:0.##} {y2:0.##}", color, width, dashed);

    static string Outline(string path, string color, float width, bool dashed)
    {
        var dashes = dashed ? " stroke-dasharray=\"6 4\"" : "";
        return $"""<path d="{path}" stroke="{color}" stroke-width="{width}"{dashes} fill="none"/>""";
    }

    static string Label(
        double x,
        double y,
        string text,
        Align align,
        bool bold = false,
        string color = Neutrals.Ink,
        bool cleared = false
    )
    {
        var anchor = align switch
        {
            Align.Start => "start",
            Align.Middle => "middle",
            _ => "end",
        };
        return $"""<text x="{x:0.##}" y="{y:0.##}" text-anchor="{anchor}"{(bold ? " font-weight=\"bold\"" : "")}"""
            + (color == Neutrals.Ink ? "" : $" fill=\"{color}\"")
            + (cleared ? $" stroke=\"{Neutrals.Ground}\" stroke-width=\"3\" paint-order=\"stroke\"" : "")
            + $">{Text.Xml(text)}</text>";
    }

    static string Mark(double x, double y, Dot dot)
    {
        var r = dot.Radius;
        var fill =
            dot.Hollow || dot.Shape == Shape.Ring
                ? $"fill=\"{Neutrals.Ground}\" stroke=\"{dot.Color}\" stroke-width=\"2\""
                : $"fill=\"{dot.Color}\"";
        return dot.Shape switch
        {
            Shape.Circle or Shape.Ring => $"""<circle cx="{x:0.##}" cy="{y:0.##}" r="{r}" {fill}/>""",
            Shape.Square => $"""<path d="M{x - r:0.##} {y - r:0.##}h{2 * r}v{2 * r}h-{2 * r}z" {fill}/>""",
            Shape.Triangle => $"""<path d="M{x:0.##} {y - r - 1:0.##}l5 9h-10z" {fill}/>""",
            Shape.Diamond => $"""<path d="M{x:0.##} {y - r - 1:0.##}l5 5l-5 5l-5 -5z" {fill}/>""",
            _ => $"""<path d="M{x:0.##} {y - 6:0.##}v12" stroke="{dot.Color}" stroke-width="3"/>""",
        };
    }

    static void Line(StringBuilder svg, string line) => svg.Append(line).Append('\n');
}
