using Newtonsoft.Json.Linq;

/// <summary>What else the machine did in a window is told of each cell, and judged by nobody. A launch takes 0.9 s of
/// 2 CPU s, 0.4 s of these in the kernel.</summary>
public sealed class NoiseTests : OfReport
{
    [Fact]
    public void A_launch_that_a_CPU_quota_held_back_says_so_in_its_row()
    {
        var held = MadeUp.With(
            Made.Launch("r1", 1),
            ("window.outside.cpu_quota_periods", 20),
            ("window.outside.cpu_throttled_periods", 18));
        var page = Made.Render(scratch, held);
        var row = Made.Row(page, "bound by", "udp (baseline)");
        Assert.Contains("a CPU quota held it back in 90.0 % of its periods", row["notes"]);
        Assert.Contains("held back by a CPU quota", Pages.FrontIn(scratch.Folder));
    }

    [Fact]
    public void Steal_other_load_and_pressure_are_facts_that_nothing_is_judged_by()
    {
        (double? Steal, double? Load, double? Pressure, (string, object?)[] Fields)[] runs =
        [
            (0, 0, 12, []),
            (3, 0, 12, [("window.outside.machine_steal_s", 0.06)]),
            (0, 20, 12, [("window.outside.machine_cpu_s", 1.3)]),
            (0, 0, 100, [("window.outside.cpu_pressure_s", 1.0)]),
            (40, 30, 12, [("window.outside.machine_steal_s", 0.8), ("window.outside.machine_cpu_s", 1.5)]),
            (null, null, null,
            [
                ("window.outside.machine_steal_s", null),
                ("window.outside.machine_cpu_s", null),
                ("window.outside.cpu_pressure_s", null),
            ]),
        ];
        // Five that are quiet, by which is known what the kernel charges to nobody: nothing.
        var quiet = Enumerable.Range(101, 5).SelectMany(parallel => Made.Launch($"r1-{parallel}", parallel));
        var launches = runs.SelectMany((run, i) => Made.Launch($"r1-{i + 1}", i + 1, run.Fields));
        var page = Made.Render(scratch, [MadeUp.Machine(("repeats", 1)), .. quiet, .. launches]);
        var steal = Told("steal_percent");
        var load = Told("other_load_percent");
        var pressure = Told("cpu_pressure_percent");
        for (var i = 0; i < runs.Length; i++)
        {
            var parallel = i + 1;
            Assert.Equal((parallel, runs[i].Steal), (parallel, steal[parallel]));
            Assert.Equal((parallel, runs[i].Load), (parallel, load[parallel]));
            Assert.Equal((parallel, runs[i].Pressure), (parallel, pressure[parallel]));
            var row = Made.Row(page, "bound by", "udp (baseline)", "1", $"{parallel}");
            Assert.Equal((parallel, "10,000", ""), (parallel, row["msgs/s median"], row["notes"]));
        }
        const string Conditions = "steal 0 %, 40.0 %, other load 0 %, 30.0 %; "
            + "some task waited for a CPU (PSI) 12.0 %, 100 % of the time.";
        Assert.Contains(Conditions, page);
        Assert.DoesNotContain("isturbed", page);
    }

    [Fact]
    public void What_the_kernel_charges_to_nobody_in_the_quietest_launch_is_no_other_load()
    {
        // 0.4 s of system time; the kernel did as much again x 0.4 for the sides in each launch.
        double?[] Loads(params double[] rests)
        {
            var launches = rests.SelectMany((rest, i) =>
                Made.Launch($"r1-{i + 1}", i + 1, ("window.outside.machine_cpu_s", 0.9 + rest)));
            MadeUp.Write(scratch.Folder, launches.Prepend(Made.Machine));
            var told = Told("other_load_percent");
            return [.. Enumerable.Range(1, rests.Length).Select(parallel => told[parallel])];
        }
        Assert.Equal([0, 2, 7, 10.05], Loads(0.16, 0.2, 0.3, 0.361, 0.16)[..4]); // 0.361 s - 0.16 s of 2 s
        // Never more than half of the system time is taken off, and that much of fewer launches.
        Assert.Equal([9.95, 9.95, 9.95, 9.95, 10.05], Loads(0.399, 0.399, 0.399, 0.399, 0.401));
        Assert.Equal([0, 5, 9.95, 10.05], Loads(0, 0.3, 0.399, 0.401));
        // Of five the quietest tells that all is other load.
        Assert.Equal([0, 15, 19.95, 20.05, 20], Loads(0, 0.3, 0.399, 0.401, 0.4));
    }

    [Fact]
    public void Each_machine_of_a_launch_has_its_own_counters_and_the_most_is_told()
    {
        var launch = Made.Launch(
            "r1",
            1,
            ("client.window.outside.machine_cpu_s", 0.5),
            ("client.window.outside.machine_steal_s", 0.1),
            ("server.window.outside.machine_cpu_s", 1.2));
        Made.Render(scratch, [.. Made.TwoMachines, .. launch]);
        // The client's 5 % of 2 s; the server's 1.2 s - 0.4 s - half of 0.2 s.
        Assert.Equal(5, Told("steal_percent")[1]);
        Assert.Equal(35, Told("other_load_percent")[1]);
    }

    // A metric of the exported cells by messages in flight.
    Dictionary<int, double?> Told(string metric)
    {
        var json = Tool.Run("export", scratch.Folder, "--format", "json").WithCode(0).Out;
        var rows = JArray.Parse(string.Join('\n', json)).Where(row => (string?)row["metric"] == metric);
        return rows.ToDictionary(row => (int)row["parallel"]!, row => Rounded((double?)row["median"]));
    }

    static double? Rounded(double? value) => value == null ? null : Math.Round(value.Value, 6);
}
