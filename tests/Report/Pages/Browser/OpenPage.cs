using Microsoft.Playwright;

/// <summary>A page in a browser, with all that it said and asked for.</summary>
public sealed class OpenPage : IAsyncDisposable
{
    readonly List<string> noise = [];

    public OpenPage(IPage page)
    {
        Page = page;
        page.Console += (_, message) => Note($"{message.Type}: {message.Text}");
        page.PageError += (_, error) => Note($"error: {error}");
        page.Request += (_, request) =>
        {
            if (!request.IsNavigationRequest && !request.Url.StartsWith("data:"))
                Note($"request: {request.Url}");
        };
        page.Dialog += (_, dialog) =>
        {
            Note($"dialog: {dialog.Message}");
            _ = dialog.DismissAsync();
        };
    }

    public IPage Page { get; }

    /// <summary>Asserts that it made no request, wrote nothing to the console, failed nowhere.</summary>
    public void AssertQuiet()
    {
        lock (noise)
            Assert.Empty(noise);
    }

    /// <summary>What follows # in its address.</summary>
    public string Hash => Page.Url.Contains('#') ? Page.Url[(Page.Url.IndexOf('#') + 1)..] : "";

    /// <summary>The drawn chart's elements, but for the order of their attributes and their ids, which count all
    /// that was ever drawn.</summary>
    public Task<string> Chart => Page.Locator(".chart svg").EvaluateAsync<string>("""
        svg => [...svg.querySelectorAll('*')].map(one => [one.tagName, one.children.length ? '' : one.textContent,
          ...[...one.attributes].map(attribute => `${attribute.name}=${attribute.value}`).sort()].join(' ')).join('\n')
          .replace(/\bzr\d+-[a-z]*\d+/g, 'id')
        """);

    /// <summary>The words of the drawn chart.</summary>
    public async Task<string[]> Words() => [.. await Page.Locator(".chart svg text").AllTextContentsAsync()];

    /// <summary>The texts of a column of a table, from the top.</summary>
    public async Task<string[]> Column(string table, int column) =>
        [.. await Page.Locator($"{table} tbody tr > :nth-child({column})").AllInnerTextsAsync()];

    public async ValueTask DisposeAsync() => await Page.Context.CloseAsync();

    void Note(string what)
    {
        lock (noise)
            noise.Add(what);
    }
}
