using System.Text;
using Markdig.Extensions.Tables;
using Markdig.Syntax;

/// <summary>report.html: report.md and its appendix as one page that loads nothing. Where this build has the explorer
/// its charts are interactive, else they are the pictures that lie in the folder, if it has such. Never larger than
/// MostBytes: what is too much is left out and said to be.</summary>
sealed class HtmlPage(string folder, string front, string appendix, Sweep sweep, bool hasPictures)
{
    /// <summary>Size of the page at the most.</summary>
    public const int MostBytes = 2_000_000;

    const int OpenRows = 60;

    /// <summary>The heading of the charts of report.md.</summary>
    public const string OfCharts = "Charts";

    /// <summary>That of the charts of the appendix.</summary>
    public const string OfAllCharts = "All charts";

    /// <summary>That of its tables.</summary>
    public const string OfCells = "Cells";

    static readonly string? explorer = HtmlFrame.Resource("explorer.js");

    // What stands under one heading of the second level, or before the first.
    sealed record Part(string Title, string Id, string Heading)
    {
        public string Body { get; set; } = "";
    }

    readonly PageData figures = new(sweep);
    readonly HtmlBlocks blocks = new(folder, sweep.Libraries);
    string data = "";

    /// <summary>Writes the page into the folder.</summary>
    public static void Write(string folder, string front, string appendix, Sweep sweep, bool hasPictures)
    {
        var page = new HtmlPage(folder, front, appendix, sweep, hasPictures).ToString();
        WholeFile.Write(Path.Combine(folder, "report.html"), path => File.WriteAllText(path, page));
    }

    public override string ToString()
    {
        var (title, parts) = Parts(front);
        var below = Parts(appendix).Parts.Where(part => part.Title != "").ToList();
        // Nothing is drawn twice: the explorer draws all, and without it those of the front are among all.
        if (explorer != null)
            below.RemoveAll(part => part.Title == OfAllCharts);
        else if (below.Exists(part => part.Title == OfAllCharts))
            parts.RemoveAll(part => part.Title == OfCharts);
        parts.AddRange(below);
        var charts = parts.Find(part => part.Title == OfCharts);
        if (explorer != null && charts != null)
        {
            data = figures.ToJson(curves: true);
            var withoutScripts = hasPictures
                ? "Without scripts see report.md, which has the charts as pictures."
                : "Without scripts this page has no charts.";
            charts.Body += $"""<div id="explorer"><noscript><p>{withoutScripts}</p></noscript></div>""" + "\n";
        }
        return Fitting(title, parts);
    }

    // What is left out first: the cells, then the curves, then what is longest.
    string Fitting(string title, List<Part> parts)
    {
        var leftOut = new HashSet<Part>();
        var page = Whole(title, parts);
        if (IsTooLarge(page) && parts.Find(part => part.Title == OfCells) is { } cells)
        {
            LeaveOut(cells);
            page = Whole(title, parts);
        }
        if (IsTooLarge(page) && data != "")
        {
            data = figures.ToJson(curves: false);
            page = Whole(title, parts);
        }
        while (IsTooLarge(page) && leftOut.Count < parts.Count)
        {
            LeaveOut(parts.Except(leftOut).MaxBy(Length)!);
            page = Whole(title, parts);
        }
        return page;

        void LeaveOut(Part part)
        {
            leftOut.Add(part);
            part.Body = "<p>Too long for this page: it is in appendix.md, and its figures in raw.jsonl.</p>\n";
            if (part.Title == OfCharts)
                data = "";
        }

        int Length(Part part) => part.Body.Length + (part.Title == OfCharts ? data.Length : 0);
    }

    static bool IsTooLarge(string page) => Encoding.UTF8.GetByteCount(page) > MostBytes;

    string Whole(string title, List<Part> parts)
    {
        var ofLibraries = sweep.Libraries.Select(
            (name, i) => $"tbody th.c{i}::before {{ background: {sweep.Looks.ColorOf(name)}; }}\n"
        );
        var style = HtmlFrame.Resource("page.css")! + string.Concat(ofLibraries);
        var script = data == "" ? HtmlFrame.Resource("page.js")! : explorer!;
        var frame = new HtmlFrame(title, style, script)
        {
            Contents = [.. parts.Where(part => part.Id != "").Select(part => (part.Id, part.Title))],
            Main = string.Concat(parts.Select(part => part.Heading + part.Body)),
            Footer = "Made from raw.jsonl by <code>report render</code>; "
                + "the same text is in report.md and appendix.md.",
            Data = data,
        };
        return frame.ToString();
    }

    (string Title, List<Part> Parts) Parts(string markdown)
    {
        var title = "Network benchmark";
        List<Part> parts = [new("", "", "")];
        var body = new StringBuilder();
        List<Block> group = []; // of the cells and methods, what stands under one heading of the third level
        foreach (var block in HtmlBlocks.Parse(markdown))
        {
            if (block is HeadingBlock { Level: 2 } heading)
            {
                Close();
                var words = HtmlBlocks.WordsOf(heading);
                var id = blocks.IdOf(heading);
                parts.Add(new(words, id, HtmlBlocks.Headed(heading, id)));
            }
            else if (block is HeadingBlock { Level: 1 } first)
            {
                title = HtmlBlocks.WordsOf(first);
                body.Append(HtmlBlocks.Headed(first, null));
            }
            else if (parts[^1].Title is OfCells or TraceSection.Title)
            {
                if (block is HeadingBlock { Level: 3 })
                    CloseGroup();
                group.Add(block);
            }
            else if (explorer == null || !hasPictures || parts[^1].Title != OfCharts)
            {
                body.Append(blocks.Html(block));
            }
        }
        Close();
        return (title, parts);

        void Close()
        {
            CloseGroup();
            parts[^1].Body = body.ToString();
            body.Clear();
        }

        void CloseGroup()
        {
            if (group is [HeadingBlock heading, .. var rest])
            {
                var rows = rest.OfType<Table>().Sum(table => table.Count - 1);
                body.Append(blocks.Html(heading))
                    .Append($"<details{(rows > OpenRows ? "" : " open")}><summary>")
                    .Append(
                        $"{Text.Count(rest.OfType<Table>().Count(), "table")}, {Text.Count(rows, "row")}</summary>\n"
                    );
                foreach (var block in rest)
                    body.Append(blocks.Html(block));
                body.Append("</details>\n");
            }
            else
            {
                foreach (var block in group)
                    body.Append(blocks.Html(block));
            }
            group.Clear();
        }
    }
}
