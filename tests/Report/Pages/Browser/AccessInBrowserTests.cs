using Microsoft.Playwright;

/// <summary>The page is there for everybody: by the keyboard, for screen readers, on paper, on a phone, in the dark.
/// </summary>
public sealed class AccessInBrowserTests(Chromium chromium) : PageInBrowser(chromium)
{
    [Fact]
    public async Task Tables_are_sorted_by_the_keyboard_with_what_is_missing_last()
    {
        const int WithMissing = 6;
        await using var open = await Page();
        var first = await open.Column(Verdict, 3);
        var button = Head(open, 3);
        await button.FocusAsync();
        await open.Page.Keyboard.PressAsync("Enter");
        // enet in reliable mode is half as fast as tcp; kcp2k's is a tenth of udp.
        string[] ascending = ["1,000", "5,000", "8,000", "10,000", "10,000"];
        Assert.Equal(ascending, (await open.Column(Verdict, 3)).Select(rate => rate.Replace("≥ ", "")));
        Assert.Equal("ascending", await Sort());
        var status = open.Page.Locator("body > [role=status]");
        Assert.Contains("Sorted by msgs/s, ascending.", await status.TextContentAsync());
        await open.Page.Keyboard.PressAsync("Space");
        var descending = (await open.Column(Verdict, 3)).Select(rate => rate.Replace("≥ ", ""));
        Assert.Equal(ascending.Reverse(), descending);
        Assert.Equal("descending", await Sort());
        await open.Page.Keyboard.PressAsync("Enter");
        Assert.Equal(first, await open.Column(Verdict, 3));
        Assert.Null(await Sort());
        // The p99 at a rate, which three rows do not know.
        await Head(open, WithMissing).FocusAsync();
        foreach (var key in new[] { "Enter", "Space" })
        {
            await open.Page.Keyboard.PressAsync(key);
            Assert.Equal(["553", "553", "n/a", "n/a", "n/a"], await open.Column(Verdict, WithMissing));
        }
        open.AssertQuiet();

        Task<string?> Sort() => open.Page.Locator($"{Verdict} thead th:nth-child(3)").GetAttributeAsync("aria-sort");
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
        Assert.Contains("Throughput against clients, unreliable, payload_bytes 32, 1 in flight per client", chart);
        Assert.Contains("enet: 8,000 (7,843–8,157); ", chart);
        foreach (var name in new[] { "View", "Delivery mode", "Metric", "Load" })
            Assert.Equal(1, await page.GetByRole(AriaRole.Combobox, new() { Name = name }).CountAsync());
        Assert.Equal(1, await page.GetByRole(AriaRole.Group, new() { Name = "Libraries" }).CountAsync());
        Assert.Equal(1, await page.GetByRole(AriaRole.Checkbox, new() { Name = "enet", Exact = true }).CountAsync());
        const string Nameless = """
            () => {
              const isNamed = one => one.ariaLabel || one.labels?.length || one.textContent.trim()
                || one.getAttribute('aria-labelledby');
              return [...document.querySelectorAll('button, select, input, a[href], [role=region]')]
                .filter(one => one.checkVisibility())
                .filter(one => !isNamed(one))
                .map(one => one.outerHTML);
            }
            """;
        Assert.Empty(await page.EvaluateAsync<string[]>(Nameless));
        // From the first to the last control of the explorer by Tab alone.
        await Choice(page, "View").FocusAsync();
        var reached = new List<string>();
        for (var i = 0; i < 14; i++)
        {
            await page.Keyboard.PressAsync("Tab");
            reached.Add(await Focused());
        }
        Assert.Contains("Show as table", reached);
        Assert.Contains("udp (baseline)", reached);
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
        Assert.Equal("rgb(255, 255, 255)", await page.EvaluateAsync<string>(BackgroundColor));
        Assert.Empty(await page.EvaluateAsync<string[]>(Faint));
        var paper = await page.PdfAsync(new() { Format = "A4" });
        Assert.Equal("%PDF"u8.ToArray(), paper[..4]);
        await page.EmulateMediaAsync(new() { Media = Media.Screen });
        await Assertions.Expect(page.Locator("details[open]")).ToHaveCountAsync(0);
        open.AssertQuiet();
    }

    [Theory]
    [InlineData(ColorScheme.Light, "rgb(255, 255, 255)")]
    [InlineData(ColorScheme.Dark, "rgb(13, 17, 23)")]
    public async Task Text_stands_out_in_both_schemes(ColorScheme scheme, string ground)
    {
        await using var open = await Explorer("mode=unreliable&table=yes", new() { ColorScheme = scheme });
        var page = open.Page;
        Assert.Equal(ground, await page.EvaluateAsync<string>(BackgroundColor));
        Assert.Empty(await page.EvaluateAsync<string[]>(Faint));
        await Choice(page, "View").SelectOptionAsync("map");
        Assert.Empty(await page.EvaluateAsync<string[]>(Faint));
        // The chart follows when the scheme changes.
        await Choice(page, "View").SelectOptionAsync("clients");
        var other = scheme == ColorScheme.Dark ? ColorScheme.Light : ColorScheme.Dark;
        await page.EmulateMediaAsync(new() { ColorScheme = other });
        await Until(async () => (await page.EvaluateAsync<string[]>(Faint)).Length == 0);
        open.AssertQuiet();
    }

    [Fact]
    public async Task On_a_phone_nothing_but_tables_scrolls_sideways()
    {
        const int Width = 360;
        BrowserNewContextOptions phone = new() { ViewportSize = new() { Width = Width, Height = 740 } };
        await using var open = await Explorer("mode=unreliable&table=yes", phone);
        foreach (var view in new[] { "clients", "parallel", "percentiles", "rate", "cpu", "memory", "map" })
        {
            await Choice(open.Page, "View").SelectOptionAsync(view);
            Assert.Equal(Width, await open.Page.EvaluateAsync<int>("document.documentElement.scrollWidth"));
        }
        open.AssertQuiet();
    }

    const string BackgroundColor = "getComputedStyle(document.body).backgroundColor";
}
