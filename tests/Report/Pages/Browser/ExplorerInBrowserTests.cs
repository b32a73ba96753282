using Microsoft.Playwright;

/// <summary>The interactive charts under the mouse: what is hovered, chosen, zoomed, and shown as a table.</summary>
public sealed class ExplorerInBrowserTests(Chromium chromium) : PageInBrowser(chromium)
{
    [Fact]
    public async Task What_is_hovered_is_what_the_records_say()
    {
        await using var open = await Explorer("view=clients&mode=unreliable");
        // 5 launches of 9,800 to 10,200 and of 0.8 and 0.1 times that; the fastest first.
        var tip = await Hover(open, "10 clients: messages/s");
        string[] said =
        [
            "10 clients: messages/s",
            "udp (baseline)",
            "10,000 (9,804–10,196)",
            "enet",
            "8,000 (7,843–8,157)",
            "kcp2k",
            "1,000 (980–1,020)",
        ];
        Assert.Equal(said, tip);
        await Choice(open.Page, "View").SelectOptionAsync("parallel");
        Assert.Contains("8,000 (7,843–8,157)", await Hover(open, "4 messages in flight per client: messages/s"));
        await Choice(open.Page, "View").SelectOptionAsync("rate");
        // 5 clients / 6,000/s = 833,333 ns are in the bucket [827,392 ns: 827,392 + 8,192 / 2 = 831 µs.
        Assert.Contains("831", await Hover(open, "6,000 messages/s offered: µs"));
        await Choice(open.Page, "View").SelectOptionAsync("map");
        var told = string.Join(' ', await Hover(open, "100 clients x 4 in flight: messages/s"));
        Assert.Contains("(7,843–8,157)", told);
        await Choice(open.Page, "View").SelectOptionAsync("cpu");
        Assert.Contains("server, system", await Hover(open, "enet: µs per message"));
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
        Assert.Contains(await open.Words(), word => word.StartsWith("CPU server, µs per message"));
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
        await Until(() => Task.FromResult(open.Hash.Contains("zoom=")));
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
    public async Task The_view_is_a_table_too()
    {
        await using var open = await Explorer("mode=unreliable");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Show as table" }).ClickAsync();
        var table = open.Page.GetByRole(AriaRole.Region, new() { Name = "The chart as a table" });
        var columns = await table.Locator("th[scope=col]").AllInnerTextsAsync();
        Assert.Equal(["clients", "enet", "kcp2k", "udp (baseline)"], columns);
        Assert.Equal(["1", "10", "100"], await table.Locator("th[scope=row]").AllInnerTextsAsync());
        Assert.Equal("8,000 (7,843–8,157)", await table.Locator("td").First.InnerTextAsync());
        Assert.Contains("messages/s", await table.Locator("caption").InnerTextAsync());
        Assert.Contains("table=yes", open.Hash);
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Hide table" }).ClickAsync();
        Assert.Equal(0, await table.CountAsync());
        open.AssertQuiet();
    }

    static async Task<string> Status(IPage page) =>
        (await page.Locator("#explorer [role=status]").TextContentAsync())!;

    // Labels of the axis of clients, which alone stand below the plot.
    static async Task<string[]> Ticks(OpenPage open) =>
        await open.Page.Locator(".chart svg text").EvaluateAllAsync<string[]>("""
            all => {
              const bottomOf = one => one.getBoundingClientRect().bottom;
              return all
                .filter(text => text.getBoundingClientRect().y > bottomOf(text.ownerSVGElement) - 50)
                .map(text => text.textContent);
            }
            """);

    // Moves over the chart until what is said begins so, and returns its lines.
    static async Task<string[]> Hover(OpenPage open, string title)
    {
        await open.Page.Locator(".chart").ScrollIntoViewIfNeededAsync();
        var box = (await open.Page.Locator(".chart").BoundingBoxAsync())!;
        var seen = new HashSet<string>();
        foreach (var y in new[] { 0.5, 0.25, 0.35, 0.7 })
        {
            for (var x = 0.06; x < 0.96; x += 0.01)
            {
                await open.Page.Mouse.MoveAsync((float)(box.X + x * box.Width), (float)(box.Y + y * box.Height));
                if (await open.Page.Locator(".tip b").CountAsync() == 0)
                    continue;
                var told = await open.Page.Locator(".tip b").First.TextContentAsync() ?? "";
                seen.Add(told);
                if (told != title)
                    continue;
                var lines = await open.Page.Locator(".tip th, .tip td.n").AllTextContentsAsync();
                return [title, .. lines];
            }
        }
        throw new Xunit.Sdk.XunitException($"Never told '{title}', but: {string.Join("; ", seen)}");
    }
}
