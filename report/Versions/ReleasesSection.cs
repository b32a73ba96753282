/// <summary>Releases over time: how each version of a library relates to the oldest that a sweep has of it, a chart for
/// each delivery mode with a panel for each library and load.</summary>
sealed class ReleasesSection : CellSection
{
    // Of two a table says as much.
    const int LeastReleases = 3;

    /// <summary>That of a sweep.</summary>
    public ReleasesSection(Sweep sweep, ChartList list) : base("Releases against the oldest")
    {
        var kinds = VersionChange.LibrariesIn(sweep)
            .Where(library => library.Versions.Length >= LeastReleases)
            .SelectMany(library => PanelsOf(library, sweep.Looks))
            .GroupBy(panel => panel.Oldest.Kind)
            .OrderBy(kind => kind.First().Oldest.KindOrder);
        foreach (var kind in kinds)
        {
            Panel[] panels = Charts.Evenly([.. kind.Select(panel => panel.Panel)], Charts.MostPanels);
            Add(list, $"releases-{kind.Key}", kind.Key, panels);
        }
    }

    static IEnumerable<(Cell Oldest, Panel Panel)> PanelsOf(VersionsOfLibrary library, Looks looks)
    {
        foreach (Cell oldest in library.Of(library.Versions[0]).Where(cell => cell.CarriedItsLoad))
        {
            Point[] points = [.. PointsOf(library, oldest)];
            if (points.Length > 1)
            {
                yield return (oldest, PanelOf(library, oldest, points, looks));
            }
        }
    }

    // A release that failed or is invalid has none.
    static IEnumerable<Point> PointsOf(VersionsOfLibrary library, Cell oldest)
    {
        yield return new Point(0, 1);
        foreach (var (place, version) in library.Versions.Index().Skip(1))
        {
            Cell? cell = library.Of(version).FirstOrDefault(cell => cell.WorkWithout([]) == oldest.WorkWithout([]));
            if (cell != null && new VersionPair(oldest, cell) is { Doubt: null, Judged: { Value: { } ratio } judged })
            {
                yield return new Point(place, ratio, judged.Interval?.Low, judged.Interval?.High);
            }
        }
    }

    static LinePanel PanelOf(VersionsOfLibrary library, Cell oldest, Point[] points, Looks looks)
    {
        string[] labels = [.. library.Versions.Select(library.LabelOf)];
        string figure = oldest.ClosedLoop ? "messages/s" : "CPU per message";
        return new(
            Charts.Title(oldest.Kind, $"{library.Name} by release", Charts.Load(oldest)),
            new Axis("release", Ticks: [.. labels.Select((label, place) => new Tick(place, Text.Plain(label)))]),
            new Axis(oldest.Work.InWords($"times the {figure} of {Text.Plain(labels[0])}")),
            [LibraryLine.Of(library.Name, looks, points)],
            [new Level(1, Text.Plain(labels[0]), Neutrals.Ink, IsBaseline: false)]);
    }
}
