/// <summary>The verb manual: what a person types is sent, and what came back is said.</summary>
public sealed class ManualTests
{
    const string Hint = @"^Type 'c 100' .* or 'q' to quit\.$";

    // With its first delivery mode, and one of the other kind: of each LinesTests holds that a bench does as it is told.
    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void It_sends_what_is_typed_and_says_what_came_back(string bench)
    {
        var delivery = Bench.DeliveriesOf(bench)[0];
        // Of the other kind than the delivery that is asked for, if the library has one.
        var letter = delivery == "unreliable" ? "r" : "u";
        var other = Bench.DeliveriesOf(bench).FirstOrDefault(mode => mode == "unreliable" == (letter == "u"));
        using var manual = Command.Start("dotnet", Tool.LeadPath, "manual", Bench.LibraryOf(bench),
            "--delivery", delivery, "--clients", "3");
        manual.Write($"c 100\ns 4\n\nx\nc\nc 0\nc 1000001\nc 1 x\n S  4 {letter}\nc 5\nq\nc 7\n");
        var ended = manual.Wait(30).WithCode(0);
        Assert.Empty(ended.Out);
        var library = Bench.LibraryOf(bench);
        string[] expected =
        [
            Hint, $"^3 clients connected: {library} {delivery}$", Answered(300, delivery), Arrived(12, delivery),
            Hint, Hint, Hint, Hint, Hint, Hint,
            .. other == null ? [$@"^{library} has no such delivery\.$"]
                : new[] { $"^3 clients connected: {library} {other}$", Arrived(12, other) },
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
            (manual => manual.Type("q"), 0), (manual => manual.CloseInput(), 0), (manual => manual.PressCtrlC(), 130),
        ];
        var manuals = ways.Select(_ => Command.StartGroup("dotnet", Tool.LeadPath, "manual", Bench.LibraryOf(Bench.Model))).ToArray();
        try
        {
            foreach (var (manual, way) in manuals.Zip(ways))
            {
                manual.Type("c 1");
                manual.SaidWith("came back");
                var children = Bench.ChildrenOf(manual.Id);
                Assert.Equal(["client", "server"], children.Keys.Order());
                way.End(manual);
                manual.Wait(15).WithCode(way.ExitCode).AssertNoStackTrace();
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
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists("/usr/bin/script"),
            "script (util-linux) is missing.");
        const char ctrlC = '\x03';
        var library = Bench.LibraryOf(Repo.Benches.First(Bench.IsBuilt));
        using var terminal = Command.StartGroup("script", "--quiet", "--return", "--command",
            $"dotnet '{Tool.LeadPath}' manual {library} --clients 2", "/dev/null");
        terminal.LineWith("Type 'c 100'");
        terminal.Type("c 10");
        Assert.Matches("clients sent 20, 20 came back", terminal.LineWith("came back"));
        terminal.Type("s 3");
        Assert.Contains("the server sent 6, 6 arrived", terminal.LineWith("arrived"));
        terminal.Type($"{ctrlC}");
        terminal.Wait(15).WithCode(130).AssertNoStackTrace();
    }

    static string Answered(int messages, string delivery) => $@"^clients sent {messages}, {Of(messages, delivery)} came back, "
        + @"round trips \d+ to \d+ µs, median \d+ µs$";

    static string Arrived(int messages, string delivery) => $"^the server sent {messages}, {Of(messages, delivery)} arrived$";

    // What is unreliable may get lost on a busy machine; ENet drops some itself.
    static string Of(int messages, string delivery) => delivery == "unreliable" ? @"\d+" : $"{messages}";
}
