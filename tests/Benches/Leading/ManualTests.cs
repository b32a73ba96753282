/// <summary>The verb manual: what a person types is sent, and what came back is said.</summary>
public sealed class ManualTests
{
    const string Hint = @"^Type 'c 100' .* or 'q' to quit\.$";

    // With its first delivery mode, and one of the other kind, which one of these has and one has not: of each bench
    // LinesTests holds that it does as it is told. It ends by what is typed, and at the end of the input.
    [Theory, InlineData("bench-udp", "q"), InlineData("bench-litenetlib", "")]
    public void It_sends_what_is_typed_and_says_what_came_back_until_its_end(string bench, string end)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test finds processes in /proc.");
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        var library = Bench.LibraryOf(bench);
        var delivery = Bench.DeliveriesOf(bench)[0];
        // Of the other kind than the delivery that is asked for, if the library has one.
        var letter = delivery == "unreliable" ? "r" : "u";
        var other = Bench.DeliveriesOf(bench).FirstOrDefault(mode => mode == "unreliable" == (letter == "u"));
        // Of the second kind of line the server would send, of which no bench knows any more.
        string[] strange = ["s 4", "", "x", "c", "c 0", "c 1000001", "c 1 x", "c 1 r r"];
        string[] typed = ["c 100", .. strange, $" C  4 {letter}", "c 5", .. end == "" ? (string[])[] : [end, "c 7"]];
        string[] words = [Tool.LeadPath, "manual", library, "--delivery", delivery, "--clients", "3"];
        using var manual = Command.Start("dotnet", words);
        manual.Type(typed[0]);
        manual.SaidWith("came back");
        var children = Bench.ChildrenOf(manual.Id);
        Assert.Equal(["client", "server"], children.Keys.Order());
        manual.Write(string.Join('\n', typed[1..]) + "\n");
        var ended = manual.Wait().WithCode(0);
        Assert.Empty(ended.Out);
        Assert.DoesNotContain(children.Values, Bench.IsRunning);
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
    public void A_terminal_shows_the_answers_and_its_Ctrl_C_ends_it_without_a_process_left()
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
        // It is started by script's shell, or in its place.
        var children = Bench.StartedBy(terminal.Id).SelectMany(WithAllBelow).Where(Bench.IsRunning).ToArray();
        Assert.Equal(2, children.Length);
        terminal.Type($"{ctrlC}");
        terminal.Wait().WithCode(130).AssertNoStackTrace();
        Assert.DoesNotContain(children, Bench.IsRunning);
    }

    static IEnumerable<int> WithAllBelow(int process) =>
        Bench.StartedBy(process).SelectMany(WithAllBelow).Prepend(process);

    // What is unreliable may get lost on a busy machine; ENet drops some itself.
    static string Answered(int messages, string delivery)
    {
        var answered = delivery == "unreliable" ? @"\d+" : $"{messages}";
        return $@"^clients sent {messages}, {answered} came back, round trips \d+ to \d+ µs, median \d+ µs$";
    }
}
