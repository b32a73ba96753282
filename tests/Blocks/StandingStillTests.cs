using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>While one library of a block is measured, the others use no CPU and wait for no longer than they bear.
/// </summary>
[Collection(Measuring.Name)]
public sealed class StandingStillTests : IDisposable
{
    // A turn here takes 35 ms and more: none lies between two looks that are less apart.
    const int LookMs = 4;
    const int MostApartMs = 25;
    const double MostStillSeconds = 2;
    const double ToleranceSeconds = 0.5;

    readonly Twins twins = new();

    public void Dispose() => twins.Dispose();

    [Fact]
    public void One_pair_runs_at_a_time_and_who_stands_still_uses_no_CPU()
    {
        using var run = twins.StartMeasuring("--rate", "0", "--rounds", "60");
        var looks = 0;
        var busy = 0;
        var lastMs = 0L;
        var before = twins.All.ToDictionary(process => process, Twins.TicksOf);
        var stood = new HashSet<int>();
        var clock = Stopwatch.StartNew();
        while (!run.HasExited && looks < 500)
        {
            var startMs = clock.ElapsedMilliseconds;
            var still = twins.All.Where(Twins.StandsStill).ToHashSet();
            var ticks = twins.All.ToDictionary(process => process, Twins.TicksOf);
            still.IntersectWith(twins.All.Where(Twins.StandsStill));
            if (clock.ElapsedMilliseconds - lastMs < MostApartMs)
            {
                looks++;
                // While the turn goes over the sides of two may be seen.
                if (6 - still.Count > 2)
                {
                    busy++;
                }
                // The kernel counts in ticks of 10 ms.
                Assert.All(still.Intersect(stood), process => Assert.InRange(ticks[process] - before[process], 0, 1));
            }
            lastMs = startMs;
            stood = still;
            before = ticks;
            Thread.Sleep(LookMs);
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
        foreach (var process in twins.All)
        {
            var environment = File.ReadAllText($"/proc/{process}/environ").Split('\0');
            Assert.Contains("DOTNET_HillClimbing_Disable=1", environment);
        }
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
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed.TotalSeconds < 9)
        {
            foreach (var process in last.Keys.Where(process => !Twins.StandsStill(process)))
            {
                longest = Math.Max(longest, last[process].Elapsed.TotalSeconds);
                last[process].Restart();
            }
            Thread.Sleep(LookMs);
        }
        Assert.InRange(longest, 0.9, MostStillSeconds + ToleranceSeconds);
        run.PressCtrlC();
        run.Wait();
    }

    [Theory, InlineData(1), InlineData(50)]
    public void Nothing_is_lost_repeated_or_timed_out_by_standing_still(int clients)
    {
        // Each library in each of its modes; of a single client each once.
        string[] kinds = clients == 1 ? [""] : ["unreliable", "reliable"];
        foreach (var kind in kinds)
        {
            string[] words =
            [
                .. from bench in Repo.Benches.Where(Bench.IsBuilt)
                from delivery in Bench.DeliveriesOf(bench).Take(clients == 1 ? 1 : 3)
                where delivery.StartsWith(kind)
                select $"{Bench.LibraryOf(bench)}/{delivery}",
            ];
            File.Delete(twins.Raw);
            string[] load = ["--clients", $"{clients}", "--warmup-seconds", "0.1", "--seconds", "0.3"];
            string[] turns = ["--rounds", "8", "--slice-ms", "40", "--settle-ms", "10"];
            string[] flags = ["--run-id", "r1", "--out", twins.Raw, .. load, .. turns];
            using var run = Command.Start("dotnet", [Tool.LeadPath, "run", string.Join(',', words), .. flags]);
            Assert.Empty(run.Wait(180).WithCode(0).Error);
            var launches = twins.Records.Where(record => Record.KindOf(record) == "launch").ToArray();
            var measured = launches.Select(launch => $"{launch["library"]}/{launch["settings"]!["delivery"]}");
            Assert.Equal(words.Order(), measured.Order());
            Assert.All(launches, AssertNothingAmiss);
        }
    }

    void AssertNothingAmiss(JObject launch)
    {
        var own = twins.Records.Where(record => (string?)record["run_id"] == (string?)launch["run_id"]).ToArray();
        var slices = Record.Slices(own, "client");
        Assert.All(slices, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(slices, "corrupt", "unanswered", "duplicates", "foreign"));
        var sent = Record.Sum(slices, "sent");
        var lost = Record.Sum(slices, "lost");
        if ((string?)launch["settings"]!["delivery"] != "unreliable")
        {
            Assert.Equal(0, lost);
        }
        Assert.InRange(Record.Sum(Record.Slices(own, "server"), "received"), sent - lost, sent);
        var lostInRounds = launch["rounds"]!["lost"]!.Sum(value => (long)value!);
        Assert.Equal(lostInRounds, Record.Sum(Record.Slice(own, "client", "rounds"), "lost"));
    }
}
