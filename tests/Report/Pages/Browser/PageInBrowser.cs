using Microsoft.Playwright;

/// <summary>report.html in a real browser, as readers use it. Each test ends with a look at what the page asked for
/// and said: nothing.</summary>
[Collection(OneBrowser.Name)]
public abstract class PageInBrowser : IDisposable
{
    /// <summary>The table of verdicts.</summary>
    protected const string Verdict = "#t";

    private protected readonly Chromium chromium;
    private protected readonly Scratch scratch = new();

    protected PageInBrowser(Chromium chromium)
    {
        this.chromium = chromium;
        Assert.SkipUnless(Tool.IsBuilt, "report is not built.");
        Assert.SkipWhen(Chromium.Missing != null, Chromium.Missing ?? "");
    }

    public void Dispose() => scratch.Dispose();

    /// <summary>Opens the page of a sweep with something to show in every view.</summary>
    protected async Task<OpenPage> Page(string hash = "", BrowserNewContextOptions? options = null)
    {
        if (!File.Exists(scratch.PathOf("report.html")))
        {
            MadeUp.Write(scratch.Folder, Sweeps.OfAllViews);
            Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        }
        return await chromium.Open(scratch.PathOf("report.html"), hash, options);
    }

    /// <summary>Opens it where it has interactive charts; else the test is skipped.</summary>
    protected async Task<OpenPage> Explorer(string hash = "", BrowserNewContextOptions? options = null)
    {
        var open = await Page(hash, options);
        var there = await open.Page.Locator("#explorer").CountAsync() > 0;
        if (!there)
            await open.DisposeAsync();
        Assert.SkipUnless(
            there, "report was built without npm: install Node.js 18 or newer with npm, and build it again.");
        return open;
    }

    /// <summary>One of the selections above the chart.</summary>
    protected static ILocator Choice(IPage page, string label) =>
        page.GetByRole(AriaRole.Combobox, new() { NameRegex = new($"^{label}") });

    /// <summary>The button that sorts the verdicts by a column.</summary>
    protected static ILocator Head(OpenPage open, int column) =>
        open.Page.Locator($"{Verdict} thead th:nth-child({column}) button");

    /// <summary>Waits for what comes in a moment.</summary>
    protected static async Task Until(Func<Task<bool>> holds)
    {
        for (var i = 0; !await holds(); i++)
        {
            Assert.True(i < 50, "It did not come within 5 s.");
            await Task.Delay(100);
        }
    }
}
