/// <summary>The verdict on each library, and how `report show` says it in a terminal and elsewhere.</summary>
public sealed class ShowTests : IDisposable
{
    const char Escape = '\u001b';
    const string Colour = "\u001b[38;";
    const string Bold = "\u001b[1m";

    readonly Scratch scratch = new();

    public ShowTests() => Assert.SkipUnless(Tool.IsBuilt, "report is not built.");

    public void Dispose() => scratch.Dispose();

    // Each side takes 100 µs per message, the wire 200 bytes of enet and 100 of the baseline. From 1 to 100 clients a
    // server grows by 99 x 2 KiB of enet and 99 x 1 KiB of the baseline.
    [Fact]
    public void The_verdict_holds_all_under_one_load_and_then_each_under_its_best_against_the_baseline()
    {
        static (string, object?)[] Cost(int bytes, int kib) =>
            [("window.outside.interface_sent_bytes", 10_000 * bytes), ("rss_bytes", 1_000_000 + 1024 * kib)];
        MadeUp.Write(scratch.Folder,
        [
            MadeUp.Machine(("repeats", 2)),
            .. MadeUp.Cell("udp", "unreliable", 1, [40_000, 41_000], Cost(100, 0)),
            .. MadeUp.Cell("udp", "unreliable", 100, [10_000, 10_200], Cost(100, 99)),
            .. MadeUp.Cell("enet", "unreliable", 1, [4_000, 4_040], Cost(200, 0)),
            .. MadeUp.Cell("enet", "unreliable", 100, [5_000, 5_100], Cost(200, 198)),
            .. MadeUp.Cell("enet", "unreliable", 200, [50_000, 50_000], [.. Cost(200, 398), MadeUp.Slept(2)]),
            .. MadeUp.Cell("kcp2k", "unreliable", 100, [4_900, 5_020], Cost(100, 0)),
            .. MadeUp.Cell("zzz", "unreliable", 100, [9_000], MadeUp.Slept(2)),
            .. MadeUp.Cell("enet", "reliable-ordered", 1, [3_000]),
        ]);
        var shown = Show("--width", "220");
        const string Load = "32-byte messages: 100 clients with 1 message in flight each";
        const string Best = "32-byte messages: each at its best load";
        var atOneLoad = shown.SkipWhile(line => line != Load).TakeWhile(line => line != Best).ToArray();
        var atBest = shown.SkipWhile(line => line != Best).ToArray();
        static string[] Row(string[] lines, string library, int which = 0)
        {
            var line = lines.Where(line => line.StartsWith($"  {library} ")).ElementAt(which);
            return line.Split("  ", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)[1..];
        }
        const string Headline = "unreliable: enet and kcp2k tie (5,050 and 4,960 msgs/s). Baseline, plain UDP: 10 k.";
        Assert.Equal(Headline, atOneLoad[1]);
        Assert.StartsWith("2 launches: a first look.", atOneLoad[2]);
        Assert.Equal(["5,050", "0.500", "5,000–5,100"], Row(atOneLoad, "enet")[..3]);
        Assert.Equal(["10,100", "1.00", "10,000–10,200"], Row(atOneLoad, "udp (baseline)")[..3]);
        Assert.DoesNotContain(atOneLoad, line => line.StartsWith("reliable-ordered"));
        Assert.Contains("zzz: invalid: the machine slept for 2 s", atOneLoad);
        Assert.DoesNotContain(shown, line => line.StartsWith("  zzz"));
        // The fastest first, those without a figure not at all.
        var bars = atOneLoad.Where(line => line.Contains('█')).Take(3);
        Assert.Equal(["udp (baseline)", "enet", "kcp2k"], bars.Select(bar => bar.Split('█')[0].Trim()));

        // 20 ms are in the bucket [19,922,944 ns of 262,144, the baseline's 10 ms in that of half of both.
        Assert.Equal(["100 x 1", "5,050", "0.500", "5,000–5,100", "20,054 (2.00x)"], Row(atBest, "enet", 1)[..5]);
        Assert.Equal(["100 (1.00x)", "200", "2.00", "0"], Row(atBest, "enet", 1)[5..]);
        Assert.Equal(["1 x 1", "40,500", "1.00", "40,000–41,000"], Row(atBest, "udp (baseline)")[..4]);
        Assert.Equal("n/a", Row(atBest, "kcp2k")[^2]); // of one number of clients nothing is known
        Assert.Contains("enet: 1 other load invalid or failed", atBest);
        Assert.Contains("All rows bear the note \"measured separately\".", atBest);
        // Of reliable-ordered there is no baseline.
        Assert.Equal(["1 x 1", "3,000", "n/a"], Row(atBest, "enet")[..3]);
    }

    [Fact]
    public void Interleaved_the_bars_are_of_the_ratio_to_the_baseline()
    {
        double[] rounds = [.. Enumerable.Range(1, 12).Select(round => 1_000.0 * round)];
        double[] twice = [.. rounds.Select(rate => 2 * rate)];
        MadeUp.Write(scratch.Folder,
        [
            MadeUp.Machine(),
            .. MadeUp.Interleaved("udp", "unreliable", 1, [rounds]),
            .. MadeUp.Interleaved("enet", "unreliable", 1, [twice]),
        ]);
        var shown = Show("--width", "120");
        Assert.Contains(shown, line => line.Contains("x baseline") && line.Contains("interval"));
        var enet = shown.Where(line => line.StartsWith("  enet "));
        Assert.Contains(enet, line => line.Contains(" 2.00 ") && line.Contains("2.00–2.00 (rounds)"));
        const string Title = "messages/s, times the baseline's of the same rounds";
        var bars = shown.SkipWhile(line => line != Title).Skip(1).Take(2);
        Assert.Equal(["enet 2.00", "udp (baseline) 1.00"], bars.Select(WithoutBar));
        Assert.DoesNotContain("messages/s", shown);
    }

    [Theory]
    [InlineData(40)]
    [InlineData(97)]
    public void Hostile_strings_stay_inert_and_no_line_is_wider_than_told(int width)
    {
        var error = MadeUp.Example(
            "error",
            ("kind", "unavailable"),
            ("library", MadeUp.Hostile),
            ("reason", MadeUp.Hostile + new string('x', 1 << 20)));
        MadeUp.Write(scratch.Folder,
        [
            MadeUp.Machine(("cpu_model", MadeUp.Hostile)),
            error,
            .. MadeUp.Cell(MadeUp.Hostile, "unreliable", 1, [10_000]),
            .. MadeUp.Cell("[red]x[/] [[", "unreliable", 1, [9_000], ("settings.address", MadeUp.Hostile)),
        ]);
        var shown = Show("--width", $"{width}");
        Assert.All(shown, line => Assert.True(line.Length <= width, line));
        Assert.DoesNotContain(string.Concat(shown), letter => char.IsControl(letter) || letter == '\u202e');
        Assert.Contains(shown, line => line.StartsWith("  [red]x[/] [[ "));
        Assert.Contains(shown, line => line.TrimStart().StartsWith("[red]x[/] [[  █"));
        Assert.True(shown.Length < 200);
        if (width == 40)
            Assert.Contains("Too wide for here:", string.Join('\n', shown));
    }

    [Fact]
    public void Colour_is_where_there_is_a_terminal_that_wants_it()
    {
        Assert.SkipWhen(Runner.Missing("script") != null, "There is no script (util-linux) here.");
        MadeUp.Write(scratch.Folder, [MadeUp.Machine(), .. MadeUp.Cell("enet", "unreliable", 1, [10_000])]);
        string InTerminal(params (string, string)[] variables)
        {
            var line = $"dotnet '{Tool.Path}' show '{scratch.Folder}' --width 100";
            using var command = Command.StartIn(
                scratch.Folder,
                [("TERM", "xterm-256color"), .. variables],
                "script",
                "-qec",
                line,
                "/dev/null");
            command.CloseInput();
            return string.Join('\n', command.Wait().WithCode(0).Out);
        }
        var coloured = InTerminal();
        Assert.Contains(Colour, coloured);
        Assert.Contains(Bold, coloured);
        var plain = InTerminal(("NO_COLOR", "1"));
        Assert.DoesNotContain(Colour, plain);
        Assert.DoesNotContain(Bold, plain);
        // Not even where a CI would show it.
        (string, string)[] ofCi = [("TERM", "xterm-256color"), ("GITHUB_ACTIONS", "true"), ("CI", "true")];
        var piped = Tool.RunWith(ofCi, "show", scratch.Folder, "--width", "100").WithCode(0).Out;
        Assert.DoesNotContain(Escape, string.Concat(piped));
        Assert.Contains(piped, line => line.Contains("10,000"));
    }

    [Fact]
    public void What_cannot_be_shown_is_told_in_one_sentence()
    {
        Tool.Run("show", scratch.Folder).WrongUsage();
        Tool.Run("show", scratch.Folder, "--width", "39").WrongUsage();
        MadeUp.Write(scratch.Folder, MadeUp.Machine());
        var ended = Tool.Run("show", scratch.Folder).WithCode(0);
        Assert.Equal("raw.jsonl holds no measurement.", ended.Sentence());
        Assert.Contains("Nothing was measured.", ended.Out);
    }

    string[] Show(params string[] flags) => Tool.Run(["show", scratch.Folder, .. flags]).WithCode(0).Out;

    // The words of a line with a bar, with one space between them.
    static string WithoutBar(string line) =>
        string.Join(' ', line.Replace("█", "").Split(' ', StringSplitOptions.RemoveEmptyEntries));
}
