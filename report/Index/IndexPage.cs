using System.Text.RegularExpressions;

/// <summary>index.html: all sweeps side by side, as one page that loads nothing. It has nothing in it that is not this
/// project's, whether there was npm or not, so that it is the same wherever it is written.</summary>
/// <param name="newestFirst">The sweeps.</param>
/// <param name="lists">Their index, in markdown.</param>
sealed partial class IndexPage(IndexedSweep[] newestFirst, string lists)
{
    const int Digits = 4;

    const string Compare = """
        <h1>Network benchmark: all sweeps side by side</h1>
        <p>Choose what was done, under which loads, by which libraries and on which machines. The figures of a column
        are of one sweep. <em>x baseline</em> is how many times the rate of plain sockets a library reached in the same
        rounds; the list below says by how much it differs between sweeps. The address of the page holds what is
        chosen.</p>
        <div id="explorer"><noscript><p>Without scripts this page has the list of sweeps alone.</p></noscript></div>
        <h2 id="sweeps">All sweeps</h2>

        """;

    const string Footer = """
        Made from the records of each sweep by <code>report index</code>.
        <a href="../docs/share-your-results.md">How to share your results.</a>
        """;

    public override string ToString()
    {
        var blocks = new HtmlBlocks("", []);
        var frame = new HtmlFrame(
            "Network benchmark: all sweeps",
            HtmlFrame.Resource("page.css")! + HtmlFrame.Resource("sweeps.css"),
            string.Concat(scripts.Select(name => Imports().Replace(HtmlFrame.Resource(name)!, "")))
        )
        {
            Contents = [("explorer", "Side by side"), ("sweeps", "All sweeps")],
            Main = Compare.ReplaceLineEndings("\n")
                + string.Concat(HtmlBlocks.Parse(lists.Replace("## ", "### ")).Select(blocks.Html)),
            Footer = Footer.ReplaceLineEndings("\n"),
            Data = Data(),
        };
        return frame.ToString();
    }

    // Each imports from those before it, with which it makes one module.
    static readonly string[] scripts = ["page.js", "metrics.js", "sweeps.js"];

    string Data()
    {
        var cells = newestFirst
            .SelectMany((sweep, i) => sweep.Cells.Select(cell => (Sweep: i, Cell: cell)))
            .ToArray();
        var works = Distinct(cells.Select(of => of.Cell.Work).OrderBy(work => work.Order), work => work.Words);
        var loads = Distinct(
            cells.Select(of => of.Cell.Load).OrderBy(load => load.Order, StringComparer.Ordinal),
            load => load.Words
        );
        var libraries = Distinct(
            cells.Select(of => of.Cell).OrderBy(cell => cell.Title, StringComparer.Ordinal),
            cell => cell.Title
        );
        var machines = newestFirst.Select(sweep => sweep.MachineInWords).Distinct().ToArray();
        var versions = cells.Select(of => of.Cell.Version).Distinct().ToArray();
        var reasons = cells.Select(of => of.Cell.Reason).Distinct().ToArray();
        var looks = new Looks([.. libraries.Values.Select(cell => cell.Name).OfType<string>()]);
        var columns = new
        {
            machines = machines.Select(machine => Text.Plain(machine)),
            works = works.Keys,
            nouns = works.Values.Select(work => work.Noun),
            atRate = works.Values.Select(work => work.IsAtRate ? 1 : 0),
            loads = loads.Keys,
            libraries = libraries.Keys,
            colors = libraries.Values.Select(cell => cell.Name == null ? null : looks.ColorOnPage(cell.Name)),
            versions,
            reasons,
            figures = IndexedCell.Shown.Select(shown => shown.Metric.Name),
            words = IndexedCell.Shown.Select(shown => shown.Words),

            dates = newestFirst.Select(sweep => Text.Plain(sweep.Day)),
            names = newestFirst.Select(sweep => Text.Plain(sweep.Name)),
            links = newestFirst.Select(sweep => sweep.Link),
            presets = newestFirst.Select(sweep => Text.Plain(sweep.Machine?.PresetInWords ?? Text.Missing)),
            commits = newestFirst.Select(sweep => sweep.Commit),
            machine = newestFirst.Select(sweep => Array.IndexOf(machines, sweep.MachineInWords)),
            systems = newestFirst.Select(sweep => Text.Plain(SystemOf(sweep))),

            sweep = cells.Select(of => of.Sweep),
            work = Places(works, of => of.Work.Words),
            load = Places(loads, of => of.Load.Words),
            library = Places(libraries, of => of.Title),
            launches = cells.Select(of => of.Cell.Launches),
            lower = cells.Select(of => of.Cell.IsLowerBound ? 1 : 0),
            version = cells.Select(of => Array.IndexOf(versions, of.Cell.Version)),
            reason = cells.Select(of => Array.IndexOf(reasons, of.Cell.Reason)),
            values = IndexedCell.Shown
                .Select((shown, i) =>
                    (shown.Metric.Name, PageData.ColumnsOf([.. cells.Select(of => of.Cell.Figures[i])])))
                .ToDictionary(),
        };
        return PageJson.Of(columns, Digits);

        IEnumerable<int> Places<T>(OrderedDictionary<string, T> all, Func<IndexedCell, string> of) =>
            cells.Select(cell => all.IndexOf(of(cell.Cell)));
    }

    static string SystemOf(IndexedSweep sweep) =>
        sweep.Machine is { } machine ? $"{machine.Os}, .NET {machine.DotnetVersion}" : Text.Missing;

    // The first of each key, in their order.
    static OrderedDictionary<string, T> Distinct<T>(IEnumerable<T> all, Func<T, string> keyOf)
    {
        var distinct = new OrderedDictionary<string, T>();
        foreach (var one in all)
            distinct.TryAdd(keyOf(one), one);
        return distinct;
    }

    [GeneratedRegex(@"^import \{[^}]*\} from '[^']*';\n", RegexOptions.Multiline)]
    private static partial Regex Imports();
}
