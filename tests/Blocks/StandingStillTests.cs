using System.Diagnostics;

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
        AssertPoolsKeepToTheirThreads();
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

    [Fact]
    public void Nobody_stands_still_for_over_2_s_in_a_block_whose_round_takes_longer()
    {
        // A round of 3 s, and a window of 1 s at its end.
        using var run = twins.StartMeasuring("--slice-ms", "1000", "--seconds", "30");
        var clock = Stopwatch.StartNew();
        var longest = LongestStillSeconds(twins.All, () => clock.Elapsed.TotalSeconds > 7);
        Assert.InRange(longest, 0.9, MostStillSeconds + ToleranceSeconds);
        run.PressCtrlC();
        run.Wait();
    }

    [Fact]
    public void Nobody_stands_still_for_over_2_s_while_others_connect_one_after_another()
    {
        // Each takes over 0.8 s, so that the first waits for over 3 s.
        string[] names = [.. Twins.Names, "four", "five"];
        Array.ForEach(names, name => twins.Add(name, "sleep 0.4; exec"));
        using var run = twins.Start(string.Join(",", names.Select(name => $"{name}/unreliable")));
        int[] first = [];
        Command.Until(() =>
        {
            first = [twins.ProcessOf("one", "server"), twins.ProcessOf("one", "client")];
            return Array.TrueForAll(first, process => process > 0 && Twins.StandsStill(process));
        });
        var longest = LongestStillSeconds(first, () => run.HasExited || twins.ProcessOf("five", "client") > 0);
        Assert.InRange(longest, 0.9, MostStillSeconds + ToleranceSeconds);
        run.Wait().WithCode(0);
    }

    // Of any of these processes, until it is over.
    static double LongestStillSeconds(int[] processes, Func<bool> isOver)
    {
        var last = processes.ToDictionary(process => process, _ => Stopwatch.StartNew());
        var longest = 0.0;
        while (!isOver())
        {
            foreach (var process in processes)
            {
                longest = Math.Max(longest, last[process].Elapsed.TotalSeconds);
                if (!Twins.StandsStill(process))
                {
                    last[process].Restart();
                }
            }
            Thread.Sleep(LookMs);
        }
        return longest;
    }

    // Hill climbing takes standing still for a reason to start threads.
    void AssertPoolsKeepToTheirThreads()
    {
        foreach (var process in twins.All)
        {
            var environment = File.ReadAllText($"/proc/{process}/environ").Split('\0');
            Assert.Contains("DOTNET_HillClimbing_Disable=1", environment);
        }
    }
}
