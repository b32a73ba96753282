/// <summary>The verdict on each library, and how `report show` says it in a terminal and elsewhere.</summary>
public sealed class ShowTests : OfReport
{
    const char Escape = '\u001b';
    const string Colour = "\u001b[38;";
    const string Bold = "\u001b[1m";

    [Fact]
    public void The_verdict_holds_all_under_one_load_against_the_baseline()
    {
        MadeUp.Write(scratch.Folder,
        [
            MadeUp.Machine(("repeats", 2)),
            .. MadeUp.Cell("udp", "unreliable", 1, [40_000, 41_000]),
            .. MadeUp.Cell("udp", "unreliable", 100, [10_000, 10_200]),
            .. MadeUp.Cell("enet", "unreliable", 1, [4_000, 4_040]),
            .. MadeUp.Cell("enet", "unreliable", 100, [5_000, 5_100]),
            .. MadeUp.Cell("kcp2k", "unreliable", 100, [4_900, 5_020]),
            .. MadeUp.Cell("zzz", "unreliable", 100, [9_000], MadeUp.Slept(2)),
            .. MadeUp.Cell("enet", "reliable-ordered", 1, [3_000]),
        ]);
        var shown = Show("--width", "220");
        var atOneLoad = shown.SkipWhile(line => !line.StartsWith("32-byte messages: 100 clients")).ToArray();
        string[] Row(string library)
        {
            var line = atOneLoad.First(line => line.StartsWith($"  {library} "));
            return line.Split("  ", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)[1..];
        }
        const string Headline = "unreliable: enet and kcp2k tie (5,050 and 4,960 msgs/s). Baseline, plain UDP: 10 k.";
        Assert.Equal(Headline, atOneLoad[1]);
        Assert.Contains(atOneLoad, line => line.StartsWith("One launch: not a ranking."));
        Assert.Equal(["5,050", "0.500"], Row("enet")[..2]);
        Assert.Equal(["10,100", "1.00"], Row("udp (baseline)")[..2]);
        Assert.DoesNotContain(atOneLoad, line => line.StartsWith("reliable-ordered"));
        Assert.Contains(atOneLoad, line => line.StartsWith("zzz: the machine slept for 2 s"));
        Assert.DoesNotContain(shown, line => line.StartsWith("  zzz"));
        // The fastest first, those without a figure not at all.
        var bars = atOneLoad.Where(line => line.Contains('█')).Take(3);
        Assert.Equal(["udp (baseline)", "enet", "kcp2k"], bars.Select(bar => bar.Split('█')[0].Trim()));
        Assert.Contains("All rows bear the note \"measured separately\".", atOneLoad);
        Assert.Contains("appendix.md has the other loads.", shown);
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
        Assert.Contains(shown, line => line.Contains("x baseline (interval)"));
        var enet = shown.Where(line => line.StartsWith("  enet "));
        Assert.Contains(enet, line => line.Contains(" 2.00 (2.00–2.00)"));
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
            .. MadeUp.Cell(MadeUp.Hostile, "unreliable", 1, [10_000], ("settings.address", MadeUp.Hostile)),
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
