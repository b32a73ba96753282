using Microsoft.Playwright;
using Newtonsoft.Json.Linq;

/// <summary>What was interleaved is shown as its ratio to the baseline, and the rates are one click away.
/// </summary>
public sealed class RatioInBrowserTests(Chromium chromium) : PageInBrowser(chromium)
{
    [Fact]
    public async Task The_ratio_is_shown_until_the_rates_are_asked_for()
    {
        Made([.. Rounds("udp", "unreliable", 1), .. Rounds("enet", "unreliable", 0.8)]);
        await using var open = await Explorer("table=yes");
        var table = open.Page.Locator("#view");
        var other = open.Page.Locator(".controls button").First;
        var status = open.Page.Locator("#explorer [role=status]");
        Assert.EndsWith("; times the baseline's", await table.Locator("caption").InnerTextAsync());
        var ofOneClient = await table.Locator("tr:has(th:text-is('1')) td").AllInnerTextsAsync();
        Assert.Equal(["0.800 (0.800–0.800)", "1.00"], ofOneClient);
        Assert.Contains("Whiskers: the 95 % interval", await status.TextContentAsync());

        Assert.Equal("Absolute rates", await other.InnerTextAsync());
        await other.ClickAsync();
        Assert.Contains("metric=throughput_per_s", open.Hash);
        Assert.Equal("5,200 (800–9,600)", await table.Locator("td").First.InnerTextAsync());
        Assert.Contains("Whiskers: range of the slices", await status.TextContentAsync());
        Assert.Equal("Ratio to the baseline", await other.InnerTextAsync());
        await other.ClickAsync();
        Assert.Contains("metric=ratio_to_baseline", open.Hash);
        await Choice(open.Page, "View").SelectOptionAsync("cpu");
        Assert.False(await other.IsVisibleAsync());
        open.AssertQuiet();
    }

    [Fact]
    public async Task Where_the_baseline_has_no_line_of_its_own_one_at_1_stands_for_it()
    {
        Made([.. Rounds("tcp", "reliable-ordered", 1), .. Rounds("enet", "reliable-unordered", 0.8)]);
        await using var open = await Explorer("mode=reliable-unordered");
        Assert.Contains("baseline", await open.Words());
        await Choice(open.Page, "Delivery mode").SelectOptionAsync("reliable-ordered");
        Assert.DoesNotContain("baseline", await open.Words());
        open.AssertQuiet();
    }

    [Fact]
    public async Task What_was_measured_separately_is_shown_by_its_rates_without_a_choice()
    {
        await using var open = await Explorer("mode=unreliable&table=yes");
        Assert.EndsWith("messages/s", await open.Page.Locator("#view caption").InnerTextAsync());
        Assert.False(await open.Page.Locator(".controls button").First.IsVisibleAsync());
        open.AssertQuiet();
    }

    void Made(JObject[] records)
    {
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. records]);
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
    }

    // With 1 and 10 clients, two launches of 12 rounds; the slices' median is that of 1,000 to 12,000 messages/s.
    static IEnumerable<JObject> Rounds(string library, string delivery, double speed)
    {
        double[] ofLaunch = [.. Enumerable.Range(1, 12).Select(round => 1_000 * round * speed)];
        return new[] { 1, 10 }
            .SelectMany(clients => MadeUp.Interleaved(library, delivery, clients, [ofLaunch, ofLaunch]));
    }
}
