using Microsoft.Playwright;
using Newtonsoft.Json.Linq;

/// <summary>index.html, all sweeps side by side, in a real browser.</summary>
public sealed class SweepsInBrowserTests(Chromium chromium) : PageInBrowser(chromium)
{
    const string Side = "#side";
    const string Wanted = "AMD EPYC, 2 CPUs";

    [Fact]
    public async Task Ratios_of_machines_stand_side_by_side_and_what_is_missing_or_invalid_is_shown_so()
    {
        await using var open = await Open();
        Assert.Equal("x baseline (messages/s)", await Chosen(open, "Figure"));
        string[] heads =
        [
            "1 x 1, 32 B Fast CPU, 2 CPUs: quick 2026-11-22 5 launches",
            $"1 x 1, 32 B {Wanted}: quick 2026-11-21 1 launch",
            "10 x 1, 32 B Fast CPU, 2 CPUs: quick 2026-11-22 5 launches",
        ];
        Assert.Equal(heads, (await Heads(open))[1..]);
        Assert.Equal(["udp (baseline)", "enet", "kcp2k", "litenetlib"], await open.Column(Side, 1));
        string[] ofFast =
            ["1.00", "0.800 0.800–0.800", "0.400 0.400–0.400", "0.900 invalid: the machine slept for 2 s"];
        Assert.Equal(ofFast, await Figures(open, 2));
        Assert.Equal(["1.00", "0.500 0.500–0.500", "–", "–"], await Figures(open, 3));
        await Assertions.Expect(open.Page.Locator(".note")).ToHaveTextAsync(
            "Some of these figures are of one launch: the order of the libraries is not proven by it.");
        Assert.Equal(["0.900"], await open.Page.Locator($"{Side} del").AllInnerTextsAsync());
        // A figure and a bar of each that is valid, and where there is room a tick at the baseline.
        Assert.Equal(6, await open.Page.Locator($"{Side} .bar").CountAsync());
        open.AssertQuiet();
    }

    [Fact]
    public async Task What_is_chosen_stands_in_the_address_which_shows_the_same_again()
    {
        await using var open = await Open();
        var page = open.Page;
        await page.GetByRole(AriaRole.Checkbox, new() { Name = "kcp2k" }).UncheckAsync();
        await page.GetByRole(AriaRole.Checkbox, new() { Name = "litenetlib" }).UncheckAsync();
        Assert.Equal(["udp (baseline)", "enet"], await open.Column(Side, 1));
        await page.GetByRole(AriaRole.Checkbox, new() { Name = "10 x 1, 32 B" }).UncheckAsync();
        await page.GetByRole(AriaRole.Checkbox, new() { Name = "Fast CPU" }).UncheckAsync();
        await Choice(page, "Figure").SelectOptionAsync("throughput_per_s");
        await page.GetByLabel("Older sweeps of a machine too").CheckAsync();
        Assert.Equal(3, (await Heads(open)).Length); // two sweeps of one machine
        await page.Locator($"{Side} thead th:nth-child(2) button").ClickAsync();
        Assert.Equal(["enet", "udp (baseline)"], await open.Column(Side, 1));
        const string Hash = "libraries=enet,udp-baseline&loads=1-x-1-32-b&machines=amd-epyc-2-cpus"
            + "&figure=throughput_per_s&older=yes&sort=side.1.up";
        Assert.Equal(Hash.Split('&').Order(), open.Hash.Split('&').Order());
        await using (var other = await Open(open.Hash))
        {
            Assert.Equal(await Heads(open), await Heads(other));
            foreach (var column in new[] { 1, 2, 3 })
                Assert.Equal(await open.Column(Side, column), await other.Column(Side, column));
            Assert.False(await other.Page.GetByRole(AriaRole.Checkbox, new() { Name = "kcp2k" }).IsCheckedAsync());
            other.AssertQuiet();
        }
        await page.GoBackAsync();
        Assert.Equal(["udp (baseline)", "enet"], await open.Column(Side, 1));
        // Another work has loads and figures of its own.
        await Choice(page, "What was done").SelectOptionAsync("sum-calls");
        Assert.DoesNotContain("loads=", open.Hash);
        await Choice(page, "Figure").SelectOptionAsync("version");
        Assert.Contains("libraries=", open.Hash);
        open.AssertQuiet();
    }

    [Fact]
    public async Task Of_many_loads_those_are_shown_that_most_machines_have_as_far_as_there_is_room()
    {
        foreach (var (machine, loads) in new[] { ("One", Enumerable.Range(1, 12)), ("Two", [11, 12]) })
        {
            var cells = loads.SelectMany(clients => MadeUp.Cell("enet", "unreliable", clients, [9_000]));
            MadeUp.Write(scratch.PathOf("results", machine), [MadeUp.Machine(("cpu_model", machine)), .. cells]);
        }
        await using var open = await Open();
        Assert.Equal("Loads: 6 of 12", await open.Page.Locator("summary").First.InnerTextAsync());
        var heads = await Heads(open);
        Assert.Equal(8, heads.Length - 1);
        Assert.Equal(["Two", "One"], heads[^2..].Select(head => head.Split(' ')[5].TrimEnd(',')));
        Assert.All(heads[^4..], head => Assert.Matches("^1[12] x 1, 32 B (One|Two), ", head));
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "All: loads" }).ClickAsync();
        Assert.Equal("loads=all", open.Hash);
        Assert.Equal(14, (await Heads(open)).Length - 1);
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Usual: loads" }).ClickAsync();
        Assert.Equal(heads, await Heads(open));
        open.AssertQuiet();
    }

    [Fact]
    public async Task At_a_given_rate_the_server_s_cost_is_shown_as_all_have_much_the_same_rate()
    {
        MadeUp.Write(scratch.PathOf("results", "one"),
        [
            MadeUp.Machine(),
            .. MadeUp.Cell(
                "http", "reliable-unordered", 10, [9_000], ("settings.work", "sum"), ("settings.rate", 9_000)),
        ]);
        await using var open = await Open();
        Assert.StartsWith("sum calls at a rate: ", await open.Page.Locator(".title").First.InnerTextAsync());
        Assert.Equal("server CPU, µs per call", await Chosen(open, "Figure"));
        Assert.StartsWith("10 clients at 9,000 calls/s ", (await Heads(open))[1]);
        await Choice(open.Page, "Figure").SelectOptionAsync("messages_per_server_core_s");
        // Of 100 µs each.
        Assert.Equal(["10,000"], await Figures(open, 2));
        open.AssertQuiet();
    }

    [Fact]
    public async Task None_and_all_are_a_key_away_and_nothing_chosen_is_told()
    {
        await using var open = await Open();
        var none = open.Page.GetByRole(AriaRole.Button, new() { Name = "None: libraries" });
        await none.FocusAsync();
        await open.Page.Keyboard.PressAsync("Enter");
        Assert.Equal("libraries=none", open.Hash);
        Assert.Equal(0, await open.Page.Locator(Side).CountAsync());
        var status = open.Page.Locator("#explorer [role=status]");
        Assert.StartsWith("Nothing is left to show", await status.TextContentAsync());
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "All: libraries" }).PressAsync("Enter");
        Assert.Equal("", open.Hash);
        Assert.Equal(4, (await open.Column(Side, 1)).Length);
        var summary = open.Page.Locator("summary").First;
        Assert.Equal("Loads: 2 of 2", await summary.InnerTextAsync());
        await summary.PressAsync("Enter");
        Assert.False(await open.Page.GetByRole(AriaRole.Checkbox, new() { Name = "10 x 1, 32 B" }).IsVisibleAsync());
        open.AssertQuiet();
    }

    [Theory]
    [InlineData("work=nosuch&loads=__proto__&figure=constructor&machines=%3Cb%3E&older=x&sort=side.99.up")]
    [InlineData("libraries=%E0%A4%A&=&&loads=1e99&javascript:alert(1)=1")]
    public async Task An_address_that_makes_no_sense_is_passed_over(string hash)
    {
        await using var plain = await Open();
        await using var open = await Open(hash);
        Assert.Equal(await Heads(plain), await Heads(open));
        Assert.Equal(await plain.Column(Side, 2), await open.Column(Side, 2));
        open.AssertQuiet();
    }

    [Fact]
    public async Task On_a_phone_nothing_but_tables_scrolls_sideways()
    {
        const int Width = 400;
        BrowserNewContextOptions phone = new() { ViewportSize = new() { Width = Width, Height = 740 } };
        await using var open = await Open("", phone);
        Assert.False(await open.Page.GetByRole(AriaRole.Checkbox, new() { Name = "kcp2k" }).IsVisibleAsync());
        foreach (var summary in await open.Page.Locator("summary").AllAsync())
            await summary.ClickAsync();
        foreach (var figure in new[] { "ratio_to_baseline", "throughput_per_s", "version" })
        {
            await Choice(open.Page, "Figure").SelectOptionAsync(figure);
            Assert.Equal(Width, await open.Page.EvaluateAsync<int>("document.documentElement.scrollWidth"));
        }
        open.AssertQuiet();
    }

    [Theory]
    [InlineData(ColorScheme.Light)]
    [InlineData(ColorScheme.Dark)]
    public async Task Text_stands_out_in_both_schemes(ColorScheme scheme)
    {
        await using var open = await Open("figure=throughput_per_s", new() { ColorScheme = scheme });
        Assert.Empty(await open.Page.EvaluateAsync<string[]>(Faint));
        open.AssertQuiet();
    }

    [Fact]
    public async Task What_strings_of_records_hold_stays_text()
    {
        const string Script = "</script ><script>alert(1)</script><img src=x onerror=alert(2)>";
        const string Foreign = """
            [...document.querySelectorAll('main a')].map(one => one.getAttribute('href'))
              .filter(address => !/^(#[a-z0-9-]+|[a-z%0-9A-F.]+\/(raw\.jsonl|report\.md))$/.test(address))
            """;
        var machine = MadeUp.Machine(
            ("preset", Script), ("cpu_model", Script), ("os", MadeUp.Hostile), ("suite_commit", Script));
        foreach (var folder in new[] { "a", "javascript:alert(3)" })
        {
            MadeUp.Write(scratch.PathOf("results", folder),
            [
                machine,
                .. MadeUp.Cell(Script, "unreliable", 1, [9_000], ("ready.library_version", Script)),
                .. MadeUp.Cell("__proto__", "unreliable", 1, [9_000], ("ready.library_version", MadeUp.Hostile)),
            ]);
        }
        await using var open = await Open("figure=version&older=yes");
        Assert.Equal(0, await open.Page.Locator("main :is(script, img, iframe, [onerror])").CountAsync());
        Assert.Empty(await open.Page.EvaluateAsync<string[]>(Foreign));
        Assert.Equal(2, (await open.Column(Side, 1)).Length);
        open.AssertQuiet();
    }

    // Of a newer machine five launches, of an older one a launch in two sweeps.
    async Task<OpenPage> Open(string hash = "", BrowserNewContextOptions? options = null)
    {
        var page = scratch.PathOf("results", "index.html");
        if (!File.Exists(page))
        {
            if (!Directory.Exists(scratch.PathOf("results")))
                Write();
            Tool.Run("index", scratch.PathOf("results"), "--charts", "none").WithCode(0);
        }
        return await chromium.Open(page, hash, options);
    }

    void Write()
    {
        MadeUp.Write(scratch.PathOf("results", "fast"),
        [
            MadeUp.Machine(("date_utc", "2026-11-22T00:00:00Z"), ("cpu_model", "Fast CPU")),
            .. Rounds("udp", 1, 5),
            .. Rounds("enet", 0.8, 5),
            .. Rounds("kcp2k", 0.4, 5),
            .. Rounds("litenetlib", 0.9, 5, MadeUp.Slept(2)),
            .. Rounds("udp", 1, 5, ("settings.clients", 10)),
        ]);
        foreach (var day in new[] { 20, 21 })
        {
            MadeUp.Write(scratch.PathOf("results", $"slow-{day}"),
            [
                MadeUp.Machine(("date_utc", $"2026-11-{day}T00:00:00Z")),
                .. Rounds("udp", 1, 1),
                .. Rounds("enet", 0.5, 1),
                .. MadeUp.Cell("http", "reliable-unordered", 1, [9_000], ("settings.work", "sum")),
            ]);
        }
    }

    static JObject[] Rounds(string library, double speed, int launches, params (string, object?)[] fields)
    {
        double[] ofLaunch = [.. Enumerable.Range(1, 12).Select(round => 1_000 * round * speed)];
        var clients = fields.Any(field => field.Item1 == "settings.clients") ? 10 : 1;
        return MadeUp.Interleaved(library, "unreliable", clients, [.. Enumerable.Repeat(ofLaunch, launches)], fields);
    }

    static async Task<string> Chosen(OpenPage open, string label) =>
        await Choice(open.Page, label).Locator("option:checked").InnerTextAsync();

    static async Task<string[]> Heads(OpenPage open) =>
        [.. (await open.Page.Locator($"{Side} thead th").AllInnerTextsAsync()).Select(Line)];

    static async Task<string[]> Figures(OpenPage open, int column) =>
        [.. (await open.Column(Side, column)).Select(Line)];

    static string Line(string text) =>
        string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}
