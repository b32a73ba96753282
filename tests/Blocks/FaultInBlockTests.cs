using System.Diagnostics;

/// <summary>What befalls one library of a block ends its part alone; and however a block ends, nothing is left behind,
/// least of all what stands still.</summary>
public sealed class FaultInBlockTests : IDisposable
{
    const int Hangup = 1, Rounds = 40; // of which some are over before anything befalls one, and some are not

    readonly Twins twins = new();

    public void Dispose() => twins.Dispose();

    [Theory, InlineData("server"), InlineData("client")]
    public void A_side_that_is_killed_ends_its_librarys_part_alone(string side)
    {
        using var run = twins.StartMeasuring("--rounds", $"{Rounds}");
        using (var process = Process.GetProcessById(twins.ProcessOf("two", side))) process.Kill();
        AssertOthersAreMeasured(run, Rounds);
    }

    [Theory, InlineData("server"), InlineData("client")]
    public void A_side_that_hangs_ends_its_librarys_part_alone(string side)
    {
        using var run = twins.StartMeasuring("--rounds", $"{Rounds}");
        var process = twins.ProcessOf("two", side);
        var hangs = true;
        var stops = new Thread(() =>
        {
            while (hangs)
            {
                Command.Send(process, Command.Suspend);
                Thread.Sleep(1);
            }
        });
        stops.Start();
        try
        {
            Assert.Equal($"The {side} did not come to rest within 10 s.", AssertOthersAreMeasured(run, Rounds));
        }
        finally
        {
            hangs = false;
            stops.Join();
        }
    }

    [Fact]
    public void A_side_that_does_not_come_to_rest_ends_its_librarys_part_alone()
    {
        twins.Add("two", "sed -u '/^rest$/d' |");
        using var run = twins.Start(Twins.Words);
        Assert.Equal("The client did not come to rest within 10 s.", AssertOthersAreMeasured(run, 6));
    }

    [Fact]
    public void A_side_that_does_not_start_ends_its_librarys_part_alone()
    {
        twins.Add("two", "exit 7;");
        using var run = twins.Start(Twins.Words);
        Assert.Equal("The server ended with exit code 7 before the run was over.", AssertOthersAreMeasured(run, 6));
    }

    [Fact]
    public void Ctrl_C_in_the_rounds_ends_them_and_writes_what_was_measured()
    {
        using var run = twins.StartMeasuring();
        // The first window is at the end of the first round; no record says that it was.
        Thread.Sleep(3000);
        run.PressCtrlC();
        run.Wait(20).WithCode(130).AssertNoStackTrace();
        twins.AssertNoneLeft();
        Assert.Empty(twins.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        foreach (var own in twins.Records.GroupBy(record => (string)record["run_id"]!))
        {
            Assert.All(Record.Slices(own, "client"), Record.AssertAddsUp);
            Assert.Single(own, record => Record.KindOf(record) is "launch" or "error");
        }
        Assert.True(Record.Sum(twins.Records.Where(record => (string?)record["phase"] == "rounds"), "received") > 0);
        Assert.Contains(twins.Records, record => Record.KindOf(record) == "launch");
    }

    [Fact]
    public void Ctrl_C_twice_ends_at_once()
    {
        using var run = twins.StartMeasuring();
        run.PressCtrlC();
        run.PressCtrlC();
        Assert.InRange(run.Wait(20).WithCode(130).Seconds, 0, 60);
        twins.AssertNoneLeft();
    }

    [Fact]
    public void Ctrl_C_in_the_warm_up_ends_all_with_an_error_record()
    {
        using var run = twins.StartMeasuring("--warmup-seconds", "60");
        run.PressCtrlC();
        var ended = run.Wait(20).WithCode(130);
        ended.AssertNoStackTrace();
        twins.AssertNoneLeft();
        Assert.Equal(3, twins.Records.Count(record => (string?)record["reason"] == Bench.NoWindow && (int)record["exit_code"]! == 130));
        Assert.DoesNotContain(twins.Records, record => Record.KindOf(record) == "launch");
    }

    [Fact]
    public void Ctrl_C_while_they_connect_ends_all()
    {
        using var run = twins.Start(Twins.Words);
        Command.Until(() => twins.ProcessOf("one", "client") > 0, 20);
        run.PressCtrlC();
        run.Wait(20).WithCode(130).AssertNoStackTrace();
        twins.AssertNoneLeft();
        Assert.DoesNotContain(twins.Records, record => Record.KindOf(record) == "launch");
    }

    [Theory, InlineData(9), InlineData(Hangup)]
    public void A_runner_that_is_killed_or_whose_terminal_closes_leaves_nothing(int signal)
    {
        using var run = twins.StartMeasuring();
        // The sides, and the shell that lets them go on.
        var started = Bench.StartedBy(run.Id);
        Assert.Equal(7, started.Length);
        Command.Send(run.Id, signal);
        twins.AssertNoneLeft(started);
    }

    // Of three libraries the second has failed; returns why.
    string AssertOthersAreMeasured(Command run, int rounds)
    {
        var ended = run.Wait(90).WithCode(1);
        ended.AssertNoStackTrace();
        var records = twins.Records;
        Assert.Equal(["one", "three"], records.Where(record => Record.KindOf(record) == "launch")
            .Select(launch => (string)launch["library"]!).Order());
        Assert.All(records.Where(record => Record.KindOf(record) == "launch"),
            launch => Assert.Equal(rounds, launch["rounds"]!["completed"]!.Count()));
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        // Of both sides, where the clients see that their server is gone.
        var errors = records.Where(record => Record.KindOf(record) == "error").ToArray();
        Assert.NotEmpty(errors);
        Assert.All(errors, error => Assert.StartsWith("r1-two-", (string?)error["run_id"]));
        Assert.All(errors, error => Assert.Equal(1, (int)error["exit_code"]!));
        Assert.All(errors, error => Assert.Single(ended.Error, line => line.Contains((string)error["reason"]!)));
        twins.AssertNoneLeft();
        return (string)errors[0]["reason"]!;
    }
}
