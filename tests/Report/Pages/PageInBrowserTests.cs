using System.Text.RegularExpressions;
using Microsoft.Playwright;

/// <summary>report.html in a real browser, as readers use it: with the mouse, the keyboard, on paper, on a phone,
/// in the dark. Each test ends with a look at what the page asked for and said: nothing.</summary>
public sealed class PageInBrowserTests : IClassFixture<Chromium>, IDisposable
{
    const string Verdict = "#t";

    readonly Chromium chromium;
    readonly Scratch scratch = new();

    public PageInBrowserTests(Chromium chromium)
    {
        this.chromium = chromium;
        Assert.SkipUnless(Tool.IsBuilt, "report is not built.");
        Assert.SkipWhen(Chromium.Missing != null, Chromium.Missing ?? "");
    }

    public void Dispose() => scratch.Dispose();

    [Fact]
    public async Task What_is_hovered_is_what_the_records_say()
    {
        await using var open = await Explorer("view=clients&mode=unreliable");
        // 5 launches of 9,800 to 10,200 and of 0.8 and 0.1 times that; the fastest first.
        var tip = await Hover(open, "10 clients: messages/s");
        Assert.Equal(["10 clients: messages/s", "udp (floor)", "10,000 (9,804–10,196)", "enet", "8,000 (7,843–8,157)",
            "kcp2k", "1,000 (980–1,020)"], tip);
        await Choice(open.Page, "View").SelectOptionAsync("parallel");
        Assert.Contains("8,000 (7,843–8,157)", await Hover(open, "4 messages in flight a client: messages/s"));
        await Choice(open.Page, "View").SelectOptionAsync("rate");
        // 5 clients / 6,000/s = 833,333 ns are in the bucket [827,392 ns: 827,392 + 8,192 / 2 = 831 µs.
        Assert.Contains("831", await Hover(open, "6,000 messages/s offered: µs"));
        await Choice(open.Page, "View").SelectOptionAsync("map");
        Assert.Contains("(7,843–8,157)", string.Join(' ', await Hover(open, "100 clients x 4 in flight: messages/s")));
        await Choice(open.Page, "View").SelectOptionAsync("cpu");
        Assert.Contains("server, system", await Hover(open, "enet: µs a message"));
        await Choice(open.Page, "View").SelectOptionAsync("percentiles");
        Assert.Contains("enet", await Hover(open, "99 %: µs"));
        open.AssertQuiet();
    }

    [Fact]
    public async Task Libraries_scale_metric_view_and_zoom_are_chosen_and_the_address_tells_them()
    {
        await using var open = await Explorer();
        var page = open.Page;
        await Choice(page, "Delivery mode").SelectOptionAsync("unreliable");
        Assert.Contains("enet", await open.Words());
        Assert.Contains("Not drawn, as invalid: 1 row.", await Status(page));
        await page.GetByLabel("enet", new() { Exact = true }).UncheckAsync();
        Assert.DoesNotContain("enet", await open.Words());
        Assert.Contains("2 libraries shown, 1 hidden", await Status(page));
        Assert.Contains("hide=enet", open.Hash);

        var log = page.GetByLabel("Logarithmic scale");
        Assert.True(await log.IsCheckedAsync()); // 10 times apart
        Assert.Contains("logarithmic", await Status(page));
        Assert.DoesNotContain("0", await open.Words());
        await log.UncheckAsync();
        Assert.Contains("0", await open.Words());
        Assert.Contains("scale=linear", open.Hash);

        await Choice(page, "Metric").SelectOptionAsync("cpu_server_us_per_message");
        Assert.Contains(await open.Words(), word => word.StartsWith("CPU server, µs a message"));
        Assert.Contains("metric=cpu_server_us_per_message", open.Hash);

        await page.GetByRole(AriaRole.Button, new() { Name = "Zoom in" }).ClickAsync();
        Assert.Contains("zoom=25-75", open.Hash);
        Assert.DoesNotContain("100", await Ticks(open));
        await page.GoBackAsync();
        Assert.DoesNotContain("zoom", open.Hash);
        await Until(async () => (await Ticks(open)).Contains("100"));
        await page.Locator(".chart").HoverAsync();
        await page.Keyboard.DownAsync("Control");
        await page.Mouse.WheelAsync(0, -400);
        await page.Keyboard.UpAsync("Control");
        await page.WaitForURLAsync(address => address.Contains("zoom="));
        await page.GetByRole(AriaRole.Button, new() { Name = "Reset zoom" }).ClickAsync();
        Assert.DoesNotContain("zoom", open.Hash);
        Assert.Contains("100", await Ticks(open));
        foreach (var view in new[] { "parallel", "percentiles", "rate", "cpu", "memory", "map" })
        {
            var before = await open.Chart;
            await Choice(page, "View").SelectOptionAsync(view);
            Assert.Contains($"view={view}", open.Hash);
            Assert.NotEqual(before, await open.Chart);
        }
        open.AssertQuiet();
    }

    [Fact]
    public async Task A_copied_address_shows_the_same_view_and_back_goes_back()
    {
        await using var open = await Explorer();
        await Choice(open.Page, "Delivery mode").SelectOptionAsync("unreliable");
        var first = (open.Hash, Words: await open.Words());
        await Choice(open.Page, "View").SelectOptionAsync("parallel");
        await Choice(open.Page, "Load").SelectOptionAsync("100-x-any");
        await open.Page.GetByRole(AriaRole.Checkbox, new() { Name = "udp (floor)" }).UncheckAsync();
        await open.Page.GetByLabel("Logarithmic scale").CheckAsync();
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Zoom in" }).ClickAsync();
        await Head(open, 3).ClickAsync();
        await open.Page.EvaluateAsync("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { window.copied = text; } } })");
        await open.Page.Locator("nav a[href='#verdict']").First.ClickAsync(); // which is another address
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Copy link" }).ClickAsync();
        var copied = await open.Page.EvaluateAsync<string>("window.copied");
        await using (var other = await Explorer(copied[(copied.IndexOf('#') + 1)..]))
        {
            Assert.Equal(await open.Chart, await other.Chart);
            Assert.Equal(await open.Column(Verdict, 3), await other.Column(Verdict, 3));
            Assert.Equal("100-x-any", await Choice(other.Page, "Load").InputValueAsync());
            other.AssertQuiet();
        }
        while (open.Hash != first.Hash) await open.Page.GoBackAsync();
        await open.Page.Mouse.MoveAsync(0, 0); // the page may have scrolled under it
        await Assertions.Expect(open.Page.Locator(".title")).ToHaveTextAsync(new Regex("^Throughput against clients, unreliable"));
        // A chart that is drawn again has the same words, but not every element's place said in the same way.
        Assert.Equal(first.Words.Order(), (await open.Words()).Order());
        await open.Page.GoForwardAsync();
        await Assertions.Expect(Choice(open.Page, "View")).ToHaveValueAsync("parallel");
        open.AssertQuiet();
    }

    [Theory]
    [InlineData("view=nosuch&mode=%3Cimg%20src=x%20onerror=alert(1)%3E&metric=__proto__&load=constructor&scale=x")]
    [InlineData("view=constructor&zoom=90-10&hide=%E0%A4%A,%3Cb%3E&sort=t.99.up,t.1.sideways,nosuch.1.up&table=no")]
    [InlineData("zoom=1e99--5&=&&a=b=c&%00=%00&javascript:alert(1)=1")]
    public async Task An_address_that_makes_no_sense_is_passed_over(string hash)
    {
        await using var plain = await Explorer();
        await using var open = await Explorer(hash);
        Assert.Equal(await plain.Chart, await open.Chart);
        Assert.Equal(await plain.Column(Verdict, 1), await open.Column(Verdict, 1));
        open.AssertQuiet();
    }

    [Fact]
    public async Task Tables_are_sorted_by_the_keyboard_with_what_is_missing_last()
    {
        await using var open = await Page();
        var first = await open.Column(Verdict, 3);
        var button = Head(open, 3);
        await button.FocusAsync();
        await open.Page.Keyboard.PressAsync("Enter");
        // enet in reliable mode is half as fast as tcp; kcp2k's is a tenth of udp.
        string[] ascending = ["1,000", "5,000", "8,000", "10,000", "10,000", "n/a"];
        Assert.Equal(ascending, (await open.Column(Verdict, 3)).Select(rate => rate.Replace("≥ ", "")));
        Assert.Equal("ascending", await Sort());
        Assert.Contains("Sorted by msgs/s, ascending.", await open.Page.Locator("body > [role=status]").TextContentAsync());
        await open.Page.Keyboard.PressAsync("Space");
        Assert.Equal([.. ascending[..^1].Reverse(), "n/a"], (await open.Column(Verdict, 3)).Select(rate => rate.Replace("≥ ", "")));
        Assert.Equal("descending", await Sort());
        await open.Page.Keyboard.PressAsync("Enter");
        Assert.Equal(first, await open.Column(Verdict, 3));
        Assert.Null(await Sort());
        open.AssertQuiet();

        Task<string?> Sort() => open.Page.Locator($"{Verdict} thead th:nth-child(3)").GetAttributeAsync("aria-sort");
    }

    [Fact]
    public async Task The_view_is_a_table_too()
    {
        await using var open = await Explorer("mode=unreliable");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Show as table" }).ClickAsync();
        var table = open.Page.GetByRole(AriaRole.Region, new() { Name = "The chart as a table" });
        Assert.Equal(["clients", "enet", "kcp2k", "udp (floor)"], await table.Locator("th[scope=col]").AllInnerTextsAsync());
        Assert.Equal(["1", "10", "100"], await table.Locator("th[scope=row]").AllInnerTextsAsync());
        Assert.Equal("8,000 (7,843–8,157)", await table.Locator("td").First.InnerTextAsync());
        Assert.Contains("messages/s", await table.Locator("caption").InnerTextAsync());
        Assert.Contains("table=yes", open.Hash);
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Hide table" }).ClickAsync();
        Assert.Equal(0, await table.CountAsync());
        open.AssertQuiet();
    }

    [Fact]
    public async Task Everything_has_a_role_and_a_name_and_is_reached_by_the_keyboard()
    {
        await using var open = await Explorer("mode=unreliable");
        var page = open.Page;
        foreach (var landmark in new[] { AriaRole.Navigation, AriaRole.Main, AriaRole.Contentinfo })
            Assert.Equal(1, await page.GetByRole(landmark).CountAsync());
        Assert.Equal(1, await page.GetByRole(AriaRole.Heading, new() { Level = 1 }).CountAsync());
        await page.Keyboard.PressAsync("Tab");
        Assert.Equal("Skip to the content", await Focused());
        await page.Keyboard.PressAsync("Enter");
        Assert.Equal("content", await page.EvaluateAsync<string>("document.activeElement.id"));
        var chart = await page.GetByRole(AriaRole.Img).First.GetAttributeAsync("aria-label");
        Assert.Contains("Throughput against clients, unreliable, payload_bytes 32, 1 in flight a client", chart);
        Assert.Contains("enet: 8,000 (7,843–8,157); ", chart);
        foreach (var name in new[] { "View", "Delivery mode", "Metric", "Load" })
            Assert.Equal(1, await page.GetByRole(AriaRole.Combobox, new() { Name = name }).CountAsync());
        Assert.Equal(1, await page.GetByRole(AriaRole.Group, new() { Name = "Libraries" }).CountAsync());
        Assert.Equal(1, await page.GetByRole(AriaRole.Checkbox, new() { Name = "enet", Exact = true }).CountAsync());
        Assert.Empty(await page.EvaluateAsync<string[]>("""
            () => [...document.querySelectorAll('button, select, input, a[href], [role=region]')].filter(one => one.checkVisibility())
              .filter(one => !(one.ariaLabel || one.labels?.length || one.textContent.trim() || one.getAttribute('aria-labelledby')))
              .map(one => one.outerHTML)
            """));
        // From the first to the last control of the explorer by Tab alone.
        await Choice(page, "View").FocusAsync();
        var reached = new List<string>();
        for (var i = 0; i < 14; i++)
        {
            await page.Keyboard.PressAsync("Tab");
            reached.Add(await Focused());
        }
        Assert.Contains("Show as table", reached);
        Assert.Contains("udp (floor)", reached);
        open.AssertQuiet();

        Task<string> Focused() => page.EvaluateAsync<string>(
            "(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()");
    }

    [Fact]
    public async Task On_paper_are_the_charts_and_all_tables_and_no_controls()
    {
        await using var open = await Explorer("mode=unreliable", new() { ColorScheme = ColorScheme.Dark });
        var page = open.Page;
        await page.EvaluateAsync("document.querySelectorAll('details').forEach(details => details.open = false)");
        await page.EmulateMediaAsync(new() { Media = Media.Print });
        await Assertions.Expect(page.Locator("details:not([open])")).ToHaveCountAsync(0);
        Assert.True(await page.Locator(".chart svg").IsVisibleAsync());
        foreach (var hidden in new[] { "nav", ".controls", "fieldset", ".skip >> nth=0" })
            Assert.False(await page.Locator(hidden).IsVisibleAsync(), hidden);
        Assert.Equal("rgb(255, 255, 255)", await page.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor"));
        Assert.Empty(await page.EvaluateAsync<string[]>(Faint));
        var paper = await page.PdfAsync(new() { Format = "A4" });
        Assert.Equal("%PDF"u8.ToArray(), paper[..4]);
        await page.EmulateMediaAsync(new() { Media = Media.Screen });
        await Assertions.Expect(page.Locator("details[open]")).ToHaveCountAsync(0);
        open.AssertQuiet();
    }

    [Theory]
    [InlineData(ColorScheme.Light, "rgb(255, 255, 255)"), InlineData(ColorScheme.Dark, "rgb(13, 17, 23)")]
    public async Task Text_stands_out_in_both_schemes(ColorScheme scheme, string ground)
    {
        await using var open = await Explorer("mode=unreliable&table=yes", new() { ColorScheme = scheme });
        var page = open.Page;
        Assert.Equal(ground, await page.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor"));
        Assert.Empty(await page.EvaluateAsync<string[]>(Faint));
        await Choice(page, "View").SelectOptionAsync("map");
        Assert.Empty(await page.EvaluateAsync<string[]>(Faint));
        // The chart follows when the scheme changes.
        await Choice(page, "View").SelectOptionAsync("clients");
        await page.EmulateMediaAsync(new() { ColorScheme = scheme == ColorScheme.Dark ? ColorScheme.Light : ColorScheme.Dark });
        await Until(async () => (await page.EvaluateAsync<string[]>(Faint)).Length == 0);
        open.AssertQuiet();
    }

    [Fact]
    public async Task On_a_phone_nothing_but_tables_scrolls_sideways()
    {
        await using var open = await Explorer("mode=unreliable&table=yes", new() { ViewportSize = new() { Width = 360, Height = 740 } });
        foreach (var view in new[] { "clients", "parallel", "percentiles", "rate", "cpu", "memory", "map" })
        {
            await Choice(open.Page, "View").SelectOptionAsync(view);
            Assert.Equal(360, await open.Page.EvaluateAsync<int>("document.documentElement.scrollWidth"));
        }
        open.AssertQuiet();
    }

    [Fact]
    public async Task What_strings_of_records_hold_stays_text()
    {
        const string script = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--]]>";
        string[] hostile = [script, MadeUp.Hostile, "javascript:alert(3)", "[x](javascript:alert(4)) ![x](x.svg) <http://x.example>",
            "../../../etc/passwd", "constructor", "__proto__", new string('x', 1 << 20), "\u2028\u2029\0"];
        MadeUp.Write(scratch.Folder, [
            MadeUp.Machine(("cpu_model", script), ("os", hostile[3]), ("suite_commit", MadeUp.Hostile), ("run_id", script)),
            .. hostile.SelectMany((text, i) => MadeUp.Cell(text, "unreliable", 1 + i % 2, [10_000, 10_100], ("ready.note", script + text),
                ("ready.library_version", text), ("settings.address", i % 2 == 0 ? script : "127.0.0.1"))),
            .. hostile.Select(text => MadeUp.Example("error", ("library", text), ("reason", script + text), ("settings", null)))]);
        Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(0);
        await using var open = await chromium.Open(scratch.PathOf("report.html"));
        var page = open.Page;
        Assert.Equal(0, await page.Locator("main :is(script, iframe, object, embed, base, form, link, meta, b, [onclick], [onerror])").CountAsync());
        Assert.Empty(await page.EvaluateAsync<string[]>("""
            [...document.querySelectorAll('main a, main img')].map(one => one.getAttribute('href') ?? one.src)
              .filter(address => !/^(#[a-z0-9-]+|data:image\/svg\+xml;base64,.*)$/.test(address))
            """));
        Assert.Contains("alert(1)", await page.Locator("main").InnerTextAsync());
        if (await page.Locator("#explorer .chart").CountAsync() > 0)
            foreach (var view in await Choice(page, "View").Locator("option").EvaluateAllAsync<string[]>("all => all.map(one => one.value)"))
            {
                await Choice(page, "View").SelectOptionAsync(view);
                await page.Locator(".chart").HoverAsync();
            }
        await page.WaitForTimeoutAsync(200);
        open.AssertQuiet();
    }

    // Texts of less contrast to what is behind them than 4.5 to 1.
    const string Faint = """
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
            const [a, at] = [text.getBoundingClientRect(), { x: 0, y: 0 }];
            [at.x, at.y] = [a.x + a.width / 2, a.y + a.height / 2];
            const under = fields.findLast(path => {
              const box = path.getBoundingClientRect();
              return box.x <= at.x && at.x <= box.right && box.y <= at.y && at.y <= box.bottom;
            });
            return under ? under.getAttribute('fill') : behind(text);
          };
          const faint = [];
          for (const one of document.querySelectorAll('body *')) {
            const own = [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
            if (!own || !one.checkVisibility({ opacityProperty: true }) || one.closest('script, style, [disabled]')) continue;
            const style = getComputedStyle(one);
            const svg = one instanceof SVGElement;
            const [a, b] = [luminance(svg ? style.fill : style.color), luminance(svg ? field(one) : behind(one))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) faint.push(`${one.tagName} ${one.className.baseVal ?? one.className} ${ratio.toFixed(2)} ${one.textContent.trim().slice(0, 40)}`);
          }
          return faint;
        }
        """;

    static async Task<string> Status(IPage page) => (await page.Locator("#explorer [role=status]").TextContentAsync())!;

    static ILocator Choice(IPage page, string label) =>
        page.GetByRole(AriaRole.Combobox, new() { NameRegex = new($"^{label}") });

    // What comes in a moment.
    static async Task Until(Func<Task<bool>> holds)
    {
        for (var i = 0; !await holds(); i++)
        {
            Assert.True(i < 50, "It did not come within 5 s.");
            await Task.Delay(100);
        }
    }

    static ILocator Head(OpenPage open, int column) => open.Page.Locator($"{Verdict} thead th:nth-child({column}) button");

    // Labels of the axis of clients, which alone stand below the plot.
    static async Task<string[]> Ticks(OpenPage open) => await open.Page.Locator(".chart svg text").EvaluateAllAsync<string[]>(
        "all => all.filter(text => text.getBoundingClientRect().y > text.ownerSVGElement.getBoundingClientRect().bottom - 50)"
        + ".map(text => text.textContent)");

    // Moves over the chart until what is said begins so, and returns its lines.
    static async Task<string[]> Hover(OpenPage open, string title)
    {
        await open.Page.Locator(".chart").ScrollIntoViewIfNeededAsync();
        var box = (await open.Page.Locator(".chart").BoundingBoxAsync())!;
        var seen = new HashSet<string>();
        foreach (var y in new[] { 0.5, 0.25, 0.35, 0.7 })
            for (var x = 0.06; x < 0.96; x += 0.02)
            {
                await open.Page.Mouse.MoveAsync((float)(box.X + x * box.Width), (float)(box.Y + y * box.Height));
                if (await open.Page.Locator(".tip b").CountAsync() == 0) continue;
                var told = await open.Page.Locator(".tip b").First.TextContentAsync() ?? "";
                seen.Add(told);
                if (told == title)
                    return [title, .. (await open.Page.Locator(".tip th, .tip td.n").AllTextContentsAsync())];
            }
        throw new Xunit.Sdk.XunitException($"Never told '{title}', but: {string.Join("; ", seen)}");
    }

    async Task<OpenPage> Page(string hash = "", BrowserNewContextOptions? options = null)
    {
        if (!File.Exists(scratch.PathOf("report.html")))
        {
            MadeUp.Write(scratch.Folder, Sweeps.OfAllViews);
            Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(0);
        }
        return await chromium.Open(scratch.PathOf("report.html"), hash, options);
    }

    async Task<OpenPage> Explorer(string hash = "", BrowserNewContextOptions? options = null)
    {
        var open = await Page(hash, options);
        var there = await open.Page.Locator("#explorer").CountAsync() > 0;
        if (!there) await open.DisposeAsync();
        Assert.SkipUnless(there, "report was built without npm: install Node.js 18 or newer with npm, and build it again.");
        return open;
    }
}
