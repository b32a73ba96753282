/// <summary>Throughput by clients and messages in flight: a panel a library, the brighter a field, the more
/// it stands for, by one logarithmic scale.</summary>
static class HeatMapChart
{
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

    /// <summary>Its panels; none where either is always the same.</summary>
    public static Panel[] Of(Subject subject, RateFigure figure)
    {
        var drawn = figure.OfAll(subject);
        long[] clients = [.. drawn.Select(field => field.Cell.Clients).Distinct().Order()];
        long[] parallels = [.. drawn.Select(field => field.Cell.Parallel).Distinct().Order()];
        if (clients.Length < 2 || parallels.Length < 2)
        {
            return [];
        }
        var least = drawn.Min(field => field.Reading.Figure);
        var most = drawn.Max(field => field.Reading.Figure);
        return
        [
            .. drawn
                .GroupBy(field => field.Cell.Name)
                .OrderBy(ofLibrary => ofLibrary.Key, StringComparer.Ordinal)
                .Select(ofLibrary => new HeatMapPanel(
                    Text.Plain($"{Charts.Name(ofLibrary.Key)}, {subject.Kind}: {subject.InWords(figure.Words)}"),
                    new(Text.Plain($"clients{subject.InBrackets}"), Ticks: TicksOf(clients)),
                    new("in flight", Ticks: TicksOf(parallels)),
                    [.. ofLibrary.Select(FieldOf)]
                )),
        ];

        HeatField FieldOf((Cell Cell, Reading Reading) field)
        {
            var reading = field.Reading;
            var (color, luma) = ColorAt(PlaceOf(reading.Figure, least, most));
            return new(
                Array.IndexOf(clients, field.Cell.Clients),
                Array.IndexOf(parallels, field.Cell.Parallel),
                reading.Figure,
                (reading.IsLowerBound ? "≥" : "") + Charts.Short(reading.Figure),
                color,
                luma < DarkBelow ? LightWords : DarkWords
            );
        }
    }

    static Tick[] TicksOf(long[] counts) => [.. counts.Select((count, i) => new Tick(i, Charts.Short(count)))];

    // From 0 to 1, by its logarithm; in the middle where all are the same.
    static double PlaceOf(double figure, double least, double most) =>
        most > least ? Math.Log(figure / least) / Math.Log(most / least) : 0.5;

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
