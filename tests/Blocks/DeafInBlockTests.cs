/// <summary>A library of a block that hears no command is given up after ten seconds, alone.</summary>
public sealed class DeafInBlockTests : IDisposable
{
    // Of which some are over before one hangs, and some are not.
    const int Rounds = 20;

    readonly List<Twins> all = [];

    public void Dispose() => all.ForEach(twins => twins.Dispose());

    // Both at once: most of the time they wait.
    [Fact]
    public void A_side_that_hangs_ends_its_librarys_part_alone()
    {
        string[] sides = ["server", "client"];
        var blocks = Array.ConvertAll(sides, side => (Side: side, Twins: New()));
        Parallel.ForEach(blocks, block => AssertHangsAlone(block.Twins, block.Side));
    }

    static void AssertHangsAlone(Twins twins, string side)
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
            var reason = twins.AssertOthersAreMeasured(run, Rounds);
            Assert.Matches($@"^The {side} did not ({heeds}) within 1[05] s\.$", reason);
        }
        finally
        {
            Volatile.Write(ref hangs, false);
            stops.Join();
        }
    }

    // What it was told behind its first line it does not hear. All at once, as above.
    [Fact]
    public void A_side_that_does_not_heed_a_command_ends_its_librarys_part_alone()
    {
        (string Command, string Reason)[] unheeded =
        [
            ("start", "The client did not start to send within 10 s."),
            ("begin", "The server did not begin its window within 10 s."),
            ("end", "The server did not end its window within 10 s."),
            ("drain", "The client did not come to rest within 15 s."),
        ];
        var blocks = Array.ConvertAll(unheeded, one => (one.Command, one.Reason, Twins: New()));
        foreach (var (command, _, twins) in blocks)
        {
            twins.Add("two", $"sed -u '1!{{/^{command}$/d}}' |");
        }
        var runs = Array.ConvertAll(blocks, block => block.Twins.Start(Twins.Words));
        try
        {
            foreach (var ((_, reason, twins), run) in blocks.Zip(runs))
            {
                Assert.Equal(reason, twins.AssertOthersAreMeasured(run, 6));
            }
        }
        finally
        {
            Array.ForEach(runs, run => run.Dispose());
        }
    }

    Twins New()
    {
        var twins = new Twins();
        all.Add(twins);
        return twins;
    }
}
