/// <summary>The verb manual: what a person types is sent, and what came back is said.</summary>
public sealed class ManualTests
{
    const string Hint = @"^Type 'c 100' .* or 'q' to quit\.$";

    // With its first delivery mode, and one of the other kind, which one of these has and one has not: of each bench
    // LinesTests holds that it does as it is told.
    [Theory, InlineData("bench-udp"), InlineData("bench-enet")]
    public void It_sends_what_is_typed_and_says_what_came_back(string bench)
    {
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        var library = Bench.LibraryOf(bench);
        var delivery = Bench.DeliveriesOf(bench)[0];
        // Of the other kind than the delivery that is asked for, if the library has one.
        var letter = delivery == "unreliable" ? "r" : "u";
        var other = Bench.DeliveriesOf(bench).FirstOrDefault(mode => mode == "unreliable" == (letter == "u"));
        // Of the second kind of line the server would send, of which no bench knows any more.
        string[] strange = ["s 4", "", "x", "c", "c 0", "c 1000001", "c 1 x", "c 1 r r"];
        string[] typed = ["c 100", .. strange, $" C  4 {letter}", "c 5", "q", "c 7"];
        string[] words = [Tool.LeadPath, "manual", library, "--delivery", delivery, "--clients", "3"];
        using var manual = Command.Start("dotnet", words);
        manual.Write(string.Join('\n', typed) + "\n");
        var ended = manual.Wait().WithCode(0);
        Assert.Empty(ended.Out);
        string[] ofOther = other == null
            ? [$@"^{library} has no such delivery\.$"]
            : [$"^3 clients connected: {library} {other}$", Answered(12, other)];
        string[] expected =
        [
            Hint,
            $"^3 clients connected: {library} {delivery}$",
            Answered(300, delivery),
            .. strange.Select(_ => Hint),
            .. ofOther,
            Answered(15, delivery),
        ];
        Assert.True(expected.Length == ended.Error.Length, $"Expected {expected.Length} lines, got {ended}");
        Assert.All(expected.Zip(ended.Error), line => Assert.Matches(line.First, line.Second));
    }

    [Fact]
    public void It_ends_on_q_at_the_end_of_the_input_and_on_Ctrl_C_without_a_process_left()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test finds processes in /proc.");
        (Action<Command> End, int ExitCode)[] ways =
        [
            (manual => manual.Type("q"), 0),
            (manual => manual.CloseInput(), 0),
            (manual => manual.PressCtrlC(), 130),
        ];
        string[] words = [Tool.LeadPath, "manual", Bench.LibraryOf(Bench.Model)];
        var manuals = ways.Select(_ => Command.StartGroup("dotnet", words)).ToArray();
        try
        {
            foreach (var (manual, way) in manuals.Zip(ways))
            {
                manual.Type("c 1");
                manual.SaidWith("came back");
                var children = Bench.ChildrenOf(manual.Id);
                Assert.Equal(["client", "server"], children.Keys.Order());
                way.End(manual);
                manual.Wait().WithCode(way.ExitCode).AssertNoStackTrace();
                Assert.DoesNotContain(children.Values, Bench.IsRunning);
            }
        }
        finally
        {
            Array.ForEach(manuals, manual => manual.Dispose());
        }
    }

    [Fact]
    public void A_terminal_shows_the_answers_and_its_Ctrl_C_ends_it()
    {
        var canHaveTerminal = OperatingSystem.IsLinux() && File.Exists("/usr/bin/script");
        Assert.SkipUnless(canHaveTerminal, "script (util-linux) is missing.");
        const char ctrlC = '\x03';
        var manual = $"dotnet '{Tool.LeadPath}' manual {Bench.LibraryOf(Bench.Model)} --clients 2";
        string[] words = ["--quiet", "--return", "--command", manual, "/dev/null"];
        using var terminal = Command.StartGroup("script", words);
        terminal.LineWith("Type 'c 100'");
        terminal.Type("c 10");
        Assert.Matches("clients sent 20, 20 came back", terminal.LineWith("came back"));
        terminal.Type($"{ctrlC}");
        terminal.Wait().WithCode(130).AssertNoStackTrace();
    }

    // What is unreliable may get lost on a busy machine; ENet drops some itself.
    static string Answered(int messages, string delivery)
    {
        var answered = delivery == "unreliable" ? @"\d+" : $"{messages}";
        return $@"^clients sent {messages}, {answered} came back, round trips \d+ to \d+ µs, median \d+ µs$";
    }
}
