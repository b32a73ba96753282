using System.Security.Cryptography;
using System.Text;

/// <summary>A page that loads nothing: what stands around its content, and a policy that lets it run its own script
/// alone.</summary>
/// <param name="Title">Of the page; not escaped.</param>
/// <param name="Style">Its CSS.</param>
/// <param name="Script">Its JavaScript, a module.</param>
sealed record HtmlFrame(string Title, string Style, string Script)
{
    /// <summary>Ids and titles of the headings that it is navigated by; not escaped.</summary>
    public required (string Id, string Title)[] Contents { get; init; }

    /// <summary>HTML of the content.</summary>
    public required string Main { get; init; }

    /// <summary>HTML of what it says of itself.</summary>
    public required string Footer { get; init; }

    /// <summary>JSON for the script, as it may stand within an element; empty: none.</summary>
    public required string Data { get; init; }

    public override string ToString()
    {
        var policy =
            $"default-src 'none'; script-src {Hash(Script)}; style-src {Hash(Style)}; img-src data:; "
            + "base-uri 'none'; form-action 'none'";
        var page = new StringBuilder();
        page.Append(
            $"""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="{policy}">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>{HtmlBlocks.Encoded(Title)}</title>
            <style>{Style}</style>
            </head>
            <body>
            <a class="skip" href="#content">Skip to the content</a>
            <nav aria-label="Contents"><div><ul>

            """.ReplaceLineEndings("\n")
        );
        foreach (var (id, title) in Contents)
            page.Append($"""<li><a href="#{id}">{HtmlBlocks.Encoded(title)}</a></li>""").Append('\n');
        page.Append("</ul></div></nav>\n<main id=\"content\" tabindex=\"-1\">\n");
        page.Append(Main);
        page.Append($"</main>\n<footer><p>{Footer} This page loads nothing.</p></footer>\n");
        if (Data != "")
            page.Append($"""<script type="application/json" id="data">{Data}</script>""").Append('\n');
        page.Append($"<script type=\"module\">{Script}</script>\n</body>\n</html>\n");
        return page.ToString();
    }

    /// <summary>A text that lies in this assembly; null where this build was made without it.</summary>
    public static string? Resource(string name)
    {
        using var stream = typeof(HtmlFrame).Assembly.GetManifestResourceStream(name);
        return stream == null ? null : new StreamReader(stream).ReadToEnd().ReplaceLineEndings("\n");
    }

    static string Hash(string text) =>
        $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)))}'";
}
