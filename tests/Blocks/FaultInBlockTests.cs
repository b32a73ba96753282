using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>What befalls one library of a block ends its part alone; and however a block ends, nothing is left behind,
/// least of all what stands still.</summary>
public sealed class FaultInBlockTests : IDisposable
{
    const int Hangup = 1;
    const int Kill = 9;
    // Of which some are over before anything befalls one, and some are not.
    const int Rounds = 40;

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
            while (Volatile.Read(ref hangs))
            {
                Command.Send(process, Command.Suspend);
                Thread.Sleep(1);
            }
        });
        stops.Start();
        try
        {
            // Whichever command it does not heed.
            const string heeds = "start to send|begin its window|end its window|come to rest";
            Assert.Matches($@"^The {side} did not ({heeds}) within 10 s\.$", AssertOthersAreMeasured(run, Rounds));
        }
        finally
        {
            Volatile.Write(ref hangs, false);
            stops.Join();
        }
    }

    // What it was told behind its first line it does not hear.
    [Theory]
    [InlineData("start", "The client did not start to send within 10 s.")]
    [InlineData("begin", "The server did not begin its window within 10 s.")]
    [InlineData("end", "The server did not end its window within 10 s.")]
    [InlineData("drain", "The client did not come to rest within 10 s.")]
    public void A_side_that_does_not_heed_a_command_ends_its_librarys_part_alone(string command, string reason)
    {
        twins.Add("two", $"sed -u '1!{{/^{command}$/d}}' |");
        using var run = twins.Start(Twins.Words);
        Assert.Equal(reason, AssertOthersAreMeasured(run, 6));
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
        var ofRounds = twins.Records.Where(record => (string?)record["phase"] == "rounds");
        Assert.True(Record.Sum(ofRounds, "received") > 0);
        Assert.NotEmpty(Launches());
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
        var early = twins.Records.Where(record => (string?)record["reason"] == Bench.NoWindow);
        Assert.Equal([130, 130, 130], early.Select(error => (int)error["exit_code"]!));
        Assert.Empty(Launches());
    }

    [Fact]
    public void Ctrl_C_while_they_connect_ends_all()
    {
        using var run = twins.Start(Twins.Words);
        Command.Until(() => twins.ProcessOf("one", "client") > 0, 20);
        run.PressCtrlC();
        run.Wait(20).WithCode(130).AssertNoStackTrace();
        twins.AssertNoneLeft();
        Assert.Empty(Launches());
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

    // Of three libraries the second has failed; returns why.
    string AssertOthersAreMeasured(Command run, int rounds)
    {
        var ended = run.Wait(90).WithCode(1);
        ended.AssertNoStackTrace();
        var records = twins.Records;
        Assert.Equal(["one", "three"], Launches().Select(launch => (string)launch["library"]!).Order());
        Assert.All(Launches(), launch => Assert.Equal(rounds, launch["rounds"]!["completed"]!.Count()));
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        // Of both sides, where the clients see that their server is gone.
        var errors = records.Where(record => Record.KindOf(record) == "error").ToArray();
        Assert.NotEmpty(errors);
        foreach (var error in errors)
        {
            Assert.StartsWith("r1-two-", (string?)error["run_id"]);
            Assert.Equal(1, (int)error["exit_code"]!);
            Assert.Single(ended.Error, line => line.Contains((string)error["reason"]!));
        }
        twins.AssertNoneLeft();
        return (string)errors[0]["reason"]!;
    }

    JObject[] Launches() => [.. twins.Records.Where(record => Record.KindOf(record) == "launch")];
}
