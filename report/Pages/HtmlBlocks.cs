using System.Net;
using System.Text.RegularExpressions;
using Markdig;
using Markdig.Extensions.Tables;
using Markdig.Renderers;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

/// <summary>The blocks of report.md as HTML: headings and tables that can be linked to, and the pictures that
/// lie in the folder. Libraries: their names, of which the nth has the class cn.</summary>
sealed partial class HtmlBlocks(string folder, string[] libraries)
{
    const int LongestId = 60;

    static readonly MarkdownPipeline pipeline = new MarkdownPipelineBuilder()
        .UsePipeTables()
        .UseEmphasisExtras(Markdig.Extensions.EmphasisExtras.EmphasisExtraOptions.Strikethrough)
        .DisableHtml()
        .Build();

    readonly HashSet<string> ids = ["content", "explorer", "data"];

    readonly Dictionary<string, string> looks = libraries
        .Select((name, i) => (Name: Text.Plain(name), Class: $"c{i}"))
        .DistinctBy(look => look.Name)
        .ToDictionary(look => look.Name, look => look.Class);

    string lastId = "content";

    /// <summary>The blocks of a page.</summary>
    public static MarkdownDocument Parse(string markdown) => Markdown.Parse(markdown, pipeline);

    /// <summary>Text for HTML.</summary>
    public static string Encoded(string text) => WebUtility.HtmlEncode(text);

    /// <summary>A block as HTML.</summary>
    public string Html(Block block) =>
        block switch
        {
            HeadingBlock heading => Headed(heading, IdOf(heading)),
            Table table => TableOf(table),
            ParagraphBlock { Inline: { FirstChild: LinkInline { IsImage: true } image } inline }
                when inline.LastChild == image => Image(image),
            // What is one click away in report.md is so here too, without another file.
            ParagraphBlock { Inline: { FirstChild: LinkInline { IsImage: false } link } inline }
                when inline.LastChild == link && Image(link) is { Length: > 0 } picture =>
                $"<details><summary>{Encoded(WordsOf(link.Descendants<LiteralInline>()))}</summary>\n"
                    + $"{picture}</details>\n",
            _ => Rendered(renderer => renderer.Render(block)),
        };

    /// <summary>A heading, with a link to itself; id: null of the first level.</summary>
    public static string Headed(HeadingBlock heading, string? id)
    {
        var words = Rendered(renderer => renderer.WriteLeafInline(heading));
        return id == null
            ? $"<h1>{words}</h1>\n"
            : $"""<h{heading.Level} id="{id}">{words}"""
                + $"""<a class="anchor" href="#{id}" aria-label="Link to this heading">#</a></h{heading.Level}>"""
                + "\n";
    }

    // With a box of its own to scroll in, and a name by which the address says how it is sorted.
    string TableOf(Table table)
    {
        var ofLibraries = false;
        var rows = Rendered(renderer =>
        {
            renderer.ImplicitParagraph = true;
            foreach (var row in table.OfType<TableRow>())
            {
                renderer.Write(row.IsHeader ? "<thead><tr>" : "<tr>");
                for (var i = 0; i < row.Count; i++)
                {
                    var cell = (TableCell)row[i];
                    var first = i == 0 ? WordsOf(cell.Descendants<LiteralInline>()) : "";
                    ofLibraries |= row.IsHeader && first == "library";
                    if (row.IsHeader)
                        renderer.Write("<th scope=\"col\"");
                    else
                        renderer.Write(i == 0 ? "<th scope=\"row\"" : "<td");
                    if (!row.IsHeader && i == 0 && ofLibraries)
                        renderer.Write($" class=\"{looks.GetValueOrDefault(first, "plain")}\"");
                    else if (table.ColumnDefinitions[i].Alignment == TableColumnAlign.Right)
                        renderer.Write(" class=\"n\"");
                    renderer.Write(">");
                    renderer.WriteChildren(cell);
                    renderer.Write(row.IsHeader || i == 0 ? "</th>" : "</td>");
                }
                renderer.Write(row.IsHeader ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
            }
        });
        return $"""<div class="table" role="region" aria-labelledby="{lastId}" tabindex="0">"""
            + $"<table id=\"{Unique("t")}\">\n{rows}</tbody></table></div>\n";
    }

    string Image(LinkInline image)
    {
        var file = Path.Combine(folder, Path.GetFileName(image.Url ?? ""));
        if (!Chart().IsMatch(Path.GetFileName(file)) || !File.Exists(file))
            return "";
        var says = Encoded(WordsOf(image.Descendants<LiteralInline>()));
        var bytes = Convert.ToBase64String(File.ReadAllBytes(file));
        return $"<p><img alt=\"{says}\" src=\"data:image/png;base64,{bytes}\"></p>\n";
    }

    // Without markup.
    static string WordsOf(IEnumerable<LiteralInline> literals) =>
        string.Concat(literals.Select(literal => literal.Content.ToString()));

    /// <summary>A heading without markup.</summary>
    public static string WordsOf(HeadingBlock heading) => WordsOf(heading.Inline!.Descendants<LiteralInline>());

    /// <summary>An id that no other element of the page has.</summary>
    public string IdOf(HeadingBlock heading)
    {
        var id = NoId().Replace(WordsOf(heading).ToLowerInvariant(), "-").Trim('-');
        lastId = Unique(id == "" ? "section" : id[..Math.Min(id.Length, LongestId)]);
        return lastId;
    }

    string Unique(string id)
    {
        var unique = id;
        for (var n = 2; !ids.Add(unique); n++)
            unique = $"{id}-{n}";
        return unique;
    }

    static string Rendered(Action<HtmlRenderer> write)
    {
        using var text = new StringWriter { NewLine = "\n" };
        var renderer = new HtmlRenderer(text) { LinkRewriter = url => Beside().IsMatch(url) ? url : "" };
        pipeline.Setup(renderer);
        write(renderer);
        return text.ToString();
    }

    [GeneratedRegex(@"^[a-z-]+(-\d+)?\.png$")]
    private static partial Regex Chart();

    // The files that lie beside the page, or in a folder beside it.
    [GeneratedRegex(@"^([A-Za-z0-9][\w.%-]*/)?[a-z][a-z0-9-]*\.(md|jsonl|png)$")]
    private static partial Regex Beside();

    [GeneratedRegex("[^a-z0-9]+")]
    private static partial Regex NoId();
}
