using System.Diagnostics;

/// <summary>While one library of a block is measured, the others use no CPU and wait for no longer than they bear.</summary>
[Collection(Measuring.Name)]
public sealed class StandingStillTests : IDisposable
{
    // A turn here takes 35 ms and more: none lies between two looks that are less apart.
    const int LookMs = 4, MostApartMs = 25;
    const double MostStillSeconds = 2, ToleranceSeconds = 0.5;

    readonly Twins twins = new();

    public void Dispose() => twins.Dispose();

    [Fact]
    public void One_pair_runs_at_a_time_and_who_stands_still_uses_no_CPU()
    {
        using var run = twins.StartMeasuring("--rate", "0", "--rounds", "60");
        var (looks, busy, lastMs) = (0, 0, 0L);
        var before = twins.All.ToDictionary(process => process, Twins.TicksOf);
        var stood = new HashSet<int>();
        for (var clock = Stopwatch.StartNew(); !run.HasExited && looks < 500; Thread.Sleep(LookMs))
        {
            var startMs = clock.ElapsedMilliseconds;
            var still = twins.All.Where(Twins.StandsStill).ToHashSet();
            var ticks = twins.All.ToDictionary(process => process, Twins.TicksOf);
            still.IntersectWith(twins.All.Where(Twins.StandsStill));
            if (clock.ElapsedMilliseconds - lastMs < MostApartMs)
            {
                looks++;
                // While the turn goes over the sides of two may be seen.
                if (6 - still.Count > 2) busy++;
                // The kernel counts in ticks of 10 ms.
                foreach (var process in still.Intersect(stood)) Assert.InRange(ticks[process] - before[process], 0, 1);
            }
            (lastMs, stood, before) = (startMs, still, ticks);
        }
        Assert.True(looks > 50);
        Assert.InRange(busy, 0, looks / 10);
        run.PressCtrlC();
        run.Wait();
    }

    // Hill climbing takes standing still for a reason to start threads.
    [Fact]
    public void Their_pools_keep_to_their_threads()
    {
        using var run = twins.StartMeasuring();
        Assert.All(twins.All, process => Assert.Contains("DOTNET_HillClimbing_Disable=1", File.ReadAllText($"/proc/{process}/environ").Split('\0')));
        run.PressCtrlC();
        run.Wait();
    }

    [Fact]
    public void Nobody_stands_still_for_over_2_s_in_a_block_whose_round_takes_longer()
    {
        // A round of 3 s, and a window of 1 s at its end.
        using var run = twins.StartMeasuring("--slice-ms", "1000", "--seconds", "30");
        var last = twins.All.ToDictionary(process => process, _ => Stopwatch.StartNew());
        var longest = 0.0;
        for (var clock = Stopwatch.StartNew(); clock.Elapsed.TotalSeconds < 9; Thread.Sleep(LookMs))
            foreach (var process in last.Keys.Where(process => !Twins.StandsStill(process)))
            {
                longest = Math.Max(longest, last[process].Elapsed.TotalSeconds);
                last[process].Restart();
            }
        Assert.InRange(longest, 0.9, MostStillSeconds + ToleranceSeconds);
        run.PressCtrlC();
        run.Wait();
    }

    [Theory, InlineData(1), InlineData(50)]
    public void Nothing_is_lost_repeated_or_timed_out_by_standing_still(int clients)
    {
        // Each library in each of its modes; of a single client each once.
        foreach (var kind in clients == 1 ? [""] : new[] { "unreliable", "reliable" })
        {
            var words = Repo.Benches.Where(Bench.IsBuilt).SelectMany(bench => Bench.DeliveriesOf(bench).Take(clients == 1 ? 1 : 3)
                .Where(delivery => delivery.StartsWith(kind)).Select(delivery => $"{Bench.LibraryOf(bench)}/{delivery}")).ToArray();
            File.Delete(twins.Raw);
            using var run = Command.Start("dotnet", Tool.LeadPath, "run", string.Join(',', words), "--run-id", "r1", "--clients", $"{clients}",
                "--warmup-seconds", "0.1", "--rounds", "8", "--seconds", "0.3", "--slice-ms", "40", "--settle-ms", "10", "--out", twins.Raw);
            Assert.Empty(run.Wait(180).WithCode(0).Error);
            var launches = twins.Records.Where(record => Record.KindOf(record) == "launch").ToArray();
            Assert.Equal(words.Order(), launches.Select(launch => $"{launch["library"]}/{launch["settings"]!["delivery"]}").Order());
            foreach (var launch in launches)
            {
                var own = twins.Records.Where(record => (string?)record["run_id"] == (string?)launch["run_id"]).ToArray();
                var slices = Record.Slices(own, "client");
                Assert.All(slices, Record.AssertAddsUp);
                Assert.Equal(0, Record.Sum(slices, "corrupt", "unanswered", "duplicates", "foreign"));
                var (sent, lost) = (Record.Sum(slices, "sent"), Record.Sum(slices, "lost"));
                if ((string?)launch["settings"]!["delivery"] != "unreliable") Assert.Equal(0, lost);
                Assert.InRange(Record.Sum(Record.Slices(own, "server"), "received"), sent - lost, sent);
                Assert.Equal(launch["rounds"]!["lost"]!.Sum(value => (long)value!), Record.Sum(Record.Slice(own, "client", "rounds"), "lost"));
            }
        }
    }
}
