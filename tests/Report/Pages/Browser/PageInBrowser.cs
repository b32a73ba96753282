using System.Diagnostics;
using Microsoft.Playwright;

/// <summary>report.html in a real browser, as readers use it. Each test ends with a look at what the page asked for
/// and said: nothing.</summary>
[Collection(OneBrowser.Name)]
public abstract class PageInBrowser : OfReport
{
    /// <summary>The table of the verdict.</summary>
    protected const string Verdict = "#t";

    // The same for all tests that look at it.
    static readonly Lazy<Scratch> ofAllViews = new(RenderAllViews);

    private protected readonly Chromium chromium;

    protected PageInBrowser(Chromium chromium)
    {
        this.chromium = chromium;
        Assert.SkipWhen(Chromium.Missing != null, Chromium.Missing ?? "");
    }

    /// <summary>Opens the page that the test has rendered, else that of a sweep with something to show in every view.
    /// </summary>
    protected async Task<OpenPage> Page(string hash = "", BrowserNewContextOptions? options = null)
    {
        var own = scratch.PathOf("report.html");
        var page = File.Exists(own) ? own : ofAllViews.Value.PathOf("report.html");
        return await chromium.Open(page, hash, options);
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
        var clock = Stopwatch.StartNew();
        while (!await holds())
        {
            Assert.True(clock.ElapsedMilliseconds < Chromium.MostMs, "It did not come in time.");
            await Task.Delay(100);
        }
    }

    static Scratch RenderAllViews()
    {
        var rendered = Scratch.OfAllTests();
        MadeUp.Write(rendered.Folder, Sweeps.OfAllViews);
        Tool.Run("render", rendered.Folder, "--charts", "none").WithCode(0);
        return rendered;
    }

    /// <summary>A script for the texts of less contrast to what is behind them than 4.5 to 1.</summary>
    protected const string Faint = """
        () => {
          const channels = color => (color.match(/[\d.]+/g) ?? []).map(Number);
          const luminance = color => channels(color).slice(0, 3).map(c => c / 255)
            .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
          const behind = one => {
            for (; one; one = one.parentElement) {
              const color = getComputedStyle(one).backgroundColor;
              if ((channels(color)[3] ?? 1) === 1) return color;
            }
            return 'rgb(255, 255, 255)';
          };
          const fields = [...document.querySelectorAll('.chart svg path[fill^="rgb"]')];
          const field = text => {
            const own = text.getBoundingClientRect();
            const x = own.x + own.width / 2;
            const y = own.y + own.height / 2;
            const under = fields.findLast(path => {
              const box = path.getBoundingClientRect();
              return box.x <= x && x <= box.right && box.y <= y && y <= box.bottom;
            });
            return under ? under.getAttribute('fill') : behind(text);
          };
          const faint = [];
          for (const one of document.querySelectorAll('body *')) {
            const own = [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
            if (!own || !one.checkVisibility({ opacityProperty: true })) continue;
            if (one.closest('script, style, [disabled]')) continue;
            const style = getComputedStyle(one);
            const svg = one instanceof SVGElement;
            const text = luminance(svg ? style.fill : style.color);
            const ground = luminance(svg ? field(one) : behind(one));
            const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
            if (ratio >= 4.5) continue;
            const name = one.className.baseVal ?? one.className;
            faint.push(`${one.tagName} ${name} ${ratio.toFixed(2)} ${one.textContent.trim().slice(0, 40)}`);
          }
          return faint;
        }
        """;
}
