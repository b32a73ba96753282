using Microsoft.Playwright;

/// <summary>What records say is shown as text, whatever it is.</summary>
public sealed class HostileInBrowserTests : PageInBrowser
{
    public HostileInBrowserTests(Chromium chromium) : base(chromium) { }

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
}
