using Microsoft.Playwright;
using Newtonsoft.Json.Linq;

/// <summary>What records say is shown as text, whatever it is.</summary>
public sealed class HostileInBrowserTests(Chromium chromium) : PageInBrowser(chromium)
{
    const string Script = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--]]>";
    const string Links = "[x](javascript:alert(4)) ![x](x.svg) <http://x.example>";

    static readonly string[] hostile =
    [
        Script,
        MadeUp.Hostile,
        "javascript:alert(3)",
        Links,
        "../../../etc/passwd",
        "constructor",
        "__proto__",
        new string('x', 1 << 20),
        "\u2028\u2029\0",
    ];

    [Fact]
    public async Task What_strings_of_records_hold_stays_text()
    {
        const string Forbidden =
            "main :is(script, iframe, object, embed, base, form, link, meta, b, [onclick], [onerror])";
        const string ForeignAddresses = """
            [...document.querySelectorAll('main a, main img')].map(one => one.getAttribute('href') ?? one.src)
              .filter(address => !/^(#[a-z0-9-]+|data:image\/png;base64,.*)$/.test(address))
            """;
        var machine = MadeUp.Machine(
            ("cpu_model", Script),
            ("os", Links),
            ("suite_commit", MadeUp.Hostile),
            ("run_id", Script));
        var cells = hostile.SelectMany(CellOf);
        var errors = hostile.Select(text => MadeUp.Example(
            "error", ("library", text), ("reason", Script + text), ("settings", null)));
        MadeUp.Write(scratch.Folder, [machine, .. cells, .. errors]);
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        await using var open = await chromium.Open(scratch.PathOf("report.html"));
        var page = open.Page;
        Assert.Equal(0, await page.Locator(Forbidden).CountAsync());
        Assert.Empty(await page.EvaluateAsync<string[]>(ForeignAddresses));
        Assert.Contains("alert(1)", await page.Locator("main").InnerTextAsync());
        if (await page.Locator("#explorer .chart").CountAsync() > 0)
        {
            var options = Choice(page, "View").Locator("option");
            foreach (var view in await options.EvaluateAllAsync<string[]>("all => all.map(one => one.value)"))
            {
                await Choice(page, "View").SelectOptionAsync(view);
                await page.Locator(".chart").HoverAsync();
            }
        }
        await page.WaitForTimeoutAsync(200);
        open.AssertQuiet();
    }

    static JObject[] CellOf(string text, int i) => MadeUp.Cell(
        text,
        "unreliable",
        1 + i % 2,
        [10_000, 10_100],
        ("ready.note", Script + text),
        ("ready.library_version", text),
        ("settings.address", i % 2 == 0 ? Script : "127.0.0.1"));
}
