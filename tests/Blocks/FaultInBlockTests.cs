using System.Diagnostics;

/// <summary>What befalls one library of a block ends its part alone; and however a block ends, nothing is left behind,
/// least of all what stands still.</summary>
public sealed class FaultInBlockTests : IDisposable
{
    const int Hangup = 1;
    const int Kill = 9;
    // Of which some are over before anything befalls one, and some are not.
    const int Rounds = 20;

    readonly Twins twins = new();

    public void Dispose() => twins.Dispose();

    [Theory, InlineData("server"), InlineData("client")]
    public void A_side_that_is_killed_ends_its_librarys_part_alone(string side)
    {
        using var run = twins.StartMeasuring("--rounds", $"{Rounds}");
        using (var process = Process.GetProcessById(twins.ProcessOf("two", side)))
        {
            process.Kill();
        }
        twins.AssertOthersAreMeasured(run, Rounds);
    }

    [Fact]
    public void A_side_that_does_not_start_ends_its_librarys_part_alone()
    {
        twins.Add("two", "exit 7;");
        using var run = twins.Start(Twins.Words);
        var reason = twins.AssertOthersAreMeasured(run, 6);
        Assert.Equal("The server ended with exit code 7 before the run was over.", reason);
    }

    [Fact]
    public void Ctrl_C_in_the_rounds_ends_them_and_writes_what_was_measured()
    {
        using var run = twins.StartMeasuring();
        // The first window is at the end of the first round; no record says that it was.
        Thread.Sleep(3000);
        run.PressCtrlC();
        run.Wait().WithCode(130).AssertNoStackTrace();
        twins.AssertNoneLeft();
        Assert.Empty(twins.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        foreach (var own in twins.Records.GroupBy(record => (string)record["run_id"]!))
        {
            Assert.All(Record.Slices(own, "client"), Record.AssertAddsUp);
            Assert.Single(own, record => Record.KindOf(record) is "launch" or "error");
        }
        var ofRounds = twins.Records.Where(record => (string?)record["phase"] == "rounds");
        Assert.True(Record.Sum(ofRounds, "received") > 0);
        Assert.NotEmpty(twins.Launches);
    }

    [Fact]
    public void Ctrl_C_twice_ends_at_once()
    {
        using var run = twins.StartMeasuring();
        run.PressCtrlC();
        run.PressCtrlC();
        run.Wait().WithCode(130);
        twins.AssertNoneLeft();
    }

    [Fact]
    public void Ctrl_C_in_the_warm_up_ends_all_with_an_error_record()
    {
        using var run = twins.StartMeasuring("--warmup-seconds", "60");
        run.PressCtrlC();
        var ended = run.Wait().WithCode(130);
        ended.AssertNoStackTrace();
        twins.AssertNoneLeft();
        var early = twins.Records.Where(record => (string?)record["reason"] == Bench.NoWindow);
        Assert.Equal([130, 130, 130], early.Select(error => (int)error["exit_code"]!));
        Assert.Empty(twins.Launches);
    }

    [Fact]
    public void Ctrl_C_while_they_connect_ends_all()
    {
        using var run = twins.Start(Twins.Words);
        Command.Until(() => twins.ProcessOf("one", "client") > 0);
        run.PressCtrlC();
        run.Wait().WithCode(130).AssertNoStackTrace();
        twins.AssertNoneLeft();
        Assert.Empty(twins.Launches);
    }

    [Theory, InlineData(Kill), InlineData(Hangup)]
    public void A_runner_that_is_killed_or_whose_terminal_closes_leaves_nothing(int signal)
    {
        using var run = twins.StartMeasuring();
        // The sides, and the shell that lets them go on.
        var started = Bench.StartedBy(run.Id);
        Assert.Equal(7, started.Length);
        Command.Send(run.Id, signal);
        twins.AssertNoneLeft(started);
    }
}
