using Newtonsoft.Json.Linq;

/// <summary>
/// The report tool says what changed between two sweeps, and how large chance is on a machine. Sweeps are
/// made of tests/data's records: 1 client x 1 in flight, each launch with a rate of its own.
/// </summary>
public sealed class CompareTests : IDisposable
{
    const int Worse = 1, Refused = 2;
    const double Rate = 10_000;

    static readonly string[] tiny = File.ReadAllLines(Repo.PathOf("tests", "data", "tiny.jsonl"));

    static readonly string[] run = [.. tiny.Where(line => line.Contains("\"run_id\":\"r1-udp-unreliable-1x1-32\""))];

    // 1 % up and down around the same median.
    static readonly double[] five = [9_800, 9_900, 10_000, 10_100, 10_200];

    readonly Scratch scratch = new();

    public CompareTests() => Assert.SkipUnless(Tool.IsBuilt, "report is not built.");

    public void Dispose() => scratch.Dispose();

    [Theory]
    [InlineData(0.9, "worse", 1)]
    [InlineData(0.99, "within noise", 0)]
    [InlineData(0.955, "worse", 1)]
    [InlineData(1.1, "better", 0)]
    public void A_change_is_called_when_it_is_large_and_no_chance(double factor, string verdict, int exitCode)
    {
        var page = Compare([.. Cell(five)], [.. Cell(five, factor)], exitCode);
        Assert.EndsWith($" {verdict} |", RowOf(page));
        Assert.Contains($"0 not comparable**, of 1 cell.", page);
        Assert.Contains($"**{(verdict == "better" ? 1 : 0)} better, {(verdict == "worse" ? 1 : 0)} worse, " +
            $"{(verdict == "within noise" ? 1 : 0)} within noise", page);
    }

    // The exact distribution of a resample's median is that of its 3rd of 5 values; over all 25 ratios 2.5 %
    // lie at 0.870 (1.8 to 4.0 % are at or below), 97.5 % at 0.939 (96.7 to 98.2 %): worked out with
    // fractions in Python. All of one side above the other: p = 2 / (10 over 5) = 2 / 252.
    [Fact]
    public void Ratio_interval_and_p_are_those_worked_out_elsewhere() =>
        Assert.StartsWith("| udp | unreliable | 1 | 1 | payload_bytes 32 | msgs/s | 10,000 | 9,000 | 0.900 " +
            "| 0.870–0.939 | 0.00794 | 1.00 | 1.00 | worse |",
            RowOf(Compare(
                [.. Cell(five)], [.. Cell([8_700, 8_900, 9_000, 9_200, 9_300])], Worse)));

    public static TheoryData<double[], string> Intervals => new()
    {
        // Mean and t of 4 and 8 degrees of freedom, 2.77645 and 2.30600 (mpmath's incomplete beta function).
        { five, "9,804–10,196 (95 %)" },
        { [9_000, 9_100, 9_300, 9_600, 10_000, 10_100, 10_500, 10_800, 11_300], "9,357–10,577 (95 %)" },
        // The mean of the 5th and 6th of 10 drawn: 1.9 to 4.8 % are at or below 9,200, and the values are
        // symmetric about 10,000 (fractions in Python).
        { [8_900, 9_000, 9_200, 9_500, 9_900, 10_100, 10_500, 10_800, 11_000, 11_100],
            "9,200–10,800 (95 %)" },
    };

    [Theory, MemberData(nameof(Intervals))]
    public void The_intervals_of_a_report_are_those_worked_out_elsewhere(double[] rates, string interval)
    {
        Write("sweep", [.. Cell(rates)]);
        Tool.Run("render", scratch.PathOf("sweep"), "--charts", "svg").WithCode(0);
        Assert.Contains($" | {interval} | ", File.ReadAllText(scratch.PathOf("sweep", "report.md")));
    }

    [Fact]
    public void Of_200_cells_in_which_nothing_changed_few_are_called()
    {
        const int Trials = 20, Cells = 10; // so few that p does not count
        var called = 0;
        for (var trial = 0; trial < Trials; trial++)
            called += Called(Compare(Null(Cells, 5, 2 * trial), Null(Cells, 5, 2 * trial + 1), null));
        Say($"{called} of {Trials * Cells} cells were called");
        Assert.InRange(called, 0, 12);
    }

    [Fact]
    public void Of_many_cells_in_which_nothing_changed_none_is_called_in_nearly_all_sweeps()
    {
        const int Trials = 10;
        var sweeps = Enumerable.Range(0, Trials).Count(trial =>
            Called(Compare(Null(30, 8, 2 * trial), Null(30, 8, 2 * trial + 1), null)) > 0);
        Say($"{sweeps} of {Trials} sweeps of 30 cells had a cell called");
        Assert.InRange(sweeps, 0, 1);
    }

    [Fact]
    public void Among_many_cells_one_change_needs_more_launches_and_the_page_says_how_many()
    {
        JObject[] Sweep(double[] rates, double first) => [.. Enumerable.Range(1, 12).SelectMany(
            parallel => Cell(rates, parallel == 1 ? first : 1, parallel: parallel))];
        var page = Compare(Sweep(five, 1), Sweep(five, 0.9), 0);
        Assert.EndsWith("| within noise |", RowOf(page));
        // 2 / 252 x 12 / 5 % = 1.9; 2 / (12 over 6) = 0.0022 is less than 5 % / 12 = 0.0042.
        Assert.Contains("unless 2 or more cells change**; 6 launches a side", page);

        page = Compare(Sweep([.. five, 10_050], 1), Sweep([.. five, 10_050], 0.9), Worse);
        Assert.EndsWith("| worse |", RowOf(page));
        Assert.Contains("**0 better, 1 worse, 11 within noise", page);
        Assert.DoesNotContain("unless", page);
    }

    [Fact]
    public void A_cell_that_is_not_comparable_says_why_and_is_no_regression()
    {
        void Not(string reason, JObject[] before, JObject[] after)
        {
            var page = Compare(before, after, 0);
            Assert.EndsWith($"| not comparable: {reason} |", RowOf(page));
            Assert.Contains("1 not comparable**", page);
        }
        JObject[] sound = [.. Cell(five)], slow = [.. Cell(five, 0.5)];
        Not("only in BASE", sound, []);
        Not("only in NEW", [], sound);
        Not("NEW 4 launches, of at least 5", sound, [.. Cell(five[1..], 0.5)]);
        Not("BASE 4 launches, of at least 5", [.. Cell(five[1..])], slow);

        var failed = MadeUp.Failed([.. Cell(five[..1])], ("run_id", "r9"), ("reason", "It *hung*."));
        Not("NEW failed: It \\*hung\\*.", sound, [.. slow, failed]);

        JObject[] invalid = [.. Cell(five, 0.5)];
        MadeUp.With(First(invalid), MadeUp.StoodStill(3.2));
        Not("NEW invalid: the clients stood still for 3.2 s", sound, invalid);

        JObject[] mixed = [.. Cell(five, 0.5)];
        MadeUp.With(First(mixed), ("ready.library_version", "0.1"));
        Not("NEW mixes versions of the library", sound, mixed);
        Not("BASE traced", MadeUp.With([.. Cell(five)], ("settings.trace", true)),
            MadeUp.With([.. Cell(five, 0.5)], ("settings.trace", true)));
    }

    [Fact]
    public void Pinned_cells_are_not_compared_with_unpinned_ones()
    {
        var page = Compare([.. Cell(five)],
            MadeUp.With([.. Cell(five, 0.5)], ("settings.server_cpus", "0"), ("settings.client_cpus", "1")), 0);
        Assert.Contains("2 not comparable**, of 2 cells.", page);
        Assert.Contains("| payload_bytes 32, server_cpus 0, client_cpus 1 |", page);
        Assert.Contains("only in BASE |", page);
        Assert.Contains("only in NEW |", page);
    }

    [Fact]
    public void Versions_that_differ_are_what_one_compares()
    {
        var page = Compare([.. Cell(five)], MadeUp.With([.. Cell(five, 0.9)], ("ready.library_version", "11.0")), Worse);
        Assert.EndsWith("| worse |", RowOf(page));
        Assert.Contains("| **udp** | 10.0.12 (756470756470), ", page);
        Assert.Contains(" | 11.0 (756470756470), ", page);
        Assert.DoesNotContain("**udp**", Compare([.. Cell(five)], [.. Cell(five)], 0));
    }

    [Theory, InlineData(1.1, "worse", 1), InlineData(0.9, "better", 0)]
    public void At_a_given_rate_the_p99_is_judged(double factor, string verdict, int exitCode)
    {
        JArray lag = [new JArray(1_008, 10_000)]; // 1 µs
        // Throughput is the rate on both sides; the round trips of a launch take 1 s / its number.
        JObject[] Open(double times) => [.. five.SelectMany((rate, launch) =>
        {
            var records = Launch(launch, Rate, 1e9 / rate * times);
            return MadeUp.With(records, ("settings.rate", (int)Rate), ("client.window.outcomes.send_lag_ns", lag));
        })];
        var row = RowOf(Compare(Open(1), Open(factor), exitCode));
        Assert.Contains("| p99 µs | 100 | ", row.Replace("99.8", "100"));
        Assert.EndsWith($"| {verdict} |", row);

        lag = [new JArray(1_998_848, 10_000)]; // 2 ms
        Assert.Contains("| not comparable: BASE invalid for latency: messages were sent up to 2.01 ms late (p99)",
            RowOf(Compare(Open(1), Open(factor), 0)));
    }

    [Fact]
    public void The_least_change_is_larger_with_a_hypervisor_and_with_a_noise_floor()
    {
        JObject[] before = [.. Cell(five)], after = [.. Cell(five, 0.955)];
        Assert.Contains("exceeds 3 % (the default without a hypervisor)", Compare(before, after, Worse));

        (string, object?) kvm = ("hypervisor", "kvm");
        Write("base", [Machine(kvm), .. before], false);
        Write("new", [Machine(kvm), .. after], false);
        Assert.Contains("exceeds 5 % (the default with a hypervisor, kvm)", Run(0));

        Write("base", before);
        Write("new", after);
        foreach (var side in new[] { "base", "new" })
        {
            var file = scratch.PathOf(side, "noise.json");
            File.WriteAllText(file, FloorOf(0.061).ToString());
            Assert.Contains($"exceeds 6.1 % (the noise floor of {side.ToUpper()})", Run(0));
            File.WriteAllText(file, FloorOf(0.001).ToString());
            Assert.Contains("exceeds 3 % (the default", Run(Worse));
            File.WriteAllText(file, FloorOf(0.061, ("cpu_model", "Another")).ToString());
            Assert.Contains("cpu_model is Example CPU", Command().WrongUsage());
            foreach (var odd in new[] { "", "{", "[]", "{\"v\":2}", FloorOf(-1).ToString(), "[[[[" })
            {
                File.WriteAllText(file, odd);
                Assert.Contains("is none of `report noise`", Command().WrongUsage());
            }
            File.Delete(file);
        }

        Directory.CreateDirectory(scratch.PathOf("noise"));
        File.WriteAllText(scratch.PathOf("noise", "noise.json"), FloorOf(0.061).ToString());
        Assert.Contains("(the noise floor of --noise)", Run(0, "--noise", scratch.PathOf("noise")));
        Command("--noise", scratch.PathOf("nowhere")).WrongUsage();
        File.WriteAllText(scratch.PathOf("noise", "noise.json"), FloorOf(0.061, ("kernel", "9")).ToString());
        Command("--noise", scratch.PathOf("noise")).WrongUsage();
    }

    [Fact]
    public void The_noise_floor_of_a_sweep_is_what_compare_reads()
    {
        Write("noise", [.. Null(4, 20, 1), .. Cell(five, parallel: 9)]);
        var page = string.Join('\n', Noise().WithCode(0).Out);
        var noise = Record.Parse(File.ReadAllText(scratch.PathOf("noise", "noise.json")));
        Assert.Equal((2, 4, 80), ((int)noise["v"]!, (int)noise["cells"]!, (int)noise["launches"]!));
        // The median of 10 normal values has a deviation of about 1.18 x 4 % / sqrt(10), the ratio of two
        // sqrt(2) times that, 2.1 %; 95 % are within 1.96 times that, 4.1 %.
        Assert.InRange((double)noise["noise_floor"]!, 0.03, 0.055);
        Assert.InRange((double)noise["false_alarm_rate"]!, 0, 0.05);
        Assert.Contains($"The noise floor is **{100 * (double)noise["noise_floor"]!:F2} %**", page);
        Assert.Contains("- udp unreliable, 1 client x 9, payload_bytes 32: 5 launches, of at least 10", page);
        Say(page.Split('\n').First(line => line.Contains("its rule called")));

        Write("base", [.. Cell(five)]);
        Write("new", [.. Cell(five, 0.965)]);
        Run(Worse);
        Assert.Contains("the noise floor of --noise", Run(0, "--noise", scratch.PathOf("noise")));

        var before = File.ReadAllText(scratch.PathOf("noise", "noise.json"));
        Assert.Equal(page, string.Join('\n', Noise(german).Out));
        Assert.Equal(before, File.ReadAllText(scratch.PathOf("noise", "noise.json")));
    }

    [Fact]
    public void A_noise_floor_needs_one_sweep_of_one_machine_with_enough_launches()
    {
        Write("noise", [.. Cell(five)]);
        Assert.Contains("5 launches, of at least 10", Noise().WrongUsage());
        Write("noise", [Machine(), Machine(("run_id", "another")), .. Null(1, 10, 1)], false);
        Assert.Contains("more than one sweep", Noise().WrongUsage());
        Write("noise", [.. Null(1, 10, 1)], false);
        Assert.Contains("no record of its machine", Noise().WrongUsage());
        Assert.False(File.Exists(scratch.PathOf("noise", "noise.json")));
    }

    [Fact]
    public void Different_machines_are_refused_unless_forced()
    {
        Write("base", [.. Cell(five)]);
        foreach (var (fact, value, said) in new (string, object, string)[]
        {
            ("cpu_model", "Another", "cpu_model is Example CPU in BASE, but Another in NEW"),
            ("hypervisor", "kvm", "hypervisor is n/a in BASE, but kvm in NEW"),
            ("memory_bytes", 1, "memory_bytes is 25769803776 in BASE, but 1 in NEW"),
            ("dotnet_version", "9", "dotnet_version is 10.0.12 in BASE, but 9 in NEW"),
            ("dotnet_environment", new JObject { ["DOTNET_gcServer"] = "1" },
                "dotnet_environment is none in BASE, but DOTNET_gcServer 1 in NEW"),
        })
        {
            Write("new", [Machine((fact, value)), .. Cell(five, 0.9)], false);
            Assert.Contains(said, Command().WrongUsage());
            Assert.Contains($"**The machines differ in {fact}; the comparison was forced.**",
                Run(Worse, "--force"));
        }
        foreach (var fact in new[] { "run_id", "date_utc", "suite_commit" })
        {
            Write("new", [Machine((fact, "2026-11-22T00:00:00Z")), .. Cell(five, 0.9)], false);
            Assert.DoesNotContain("forced", Run(Worse));
        }
        Write("new", [Machine(("role", "server")), .. Cell(five)], false);
        Assert.Contains(
            "the machine of role all is recorded in BASE, but n/a in NEW", Command().WrongUsage());
        Write("new", [Machine(), Machine(("kernel", "9")), .. Cell(five)], false);
        Assert.Contains("NEW has records of two machines: kernel", Command().WrongUsage());
    }

    [Fact]
    public void Whatever_is_no_comparison_ends_in_2_and_not_as_a_regression_does()
    {
        Write("base", [.. Cell(five)]);
        Tool.Run("compare", scratch.PathOf("base")).WrongUsage();
        Command().WrongUsage(); // there is no NEW
        Write("new", [.. Cell(five)], false);
        Assert.Contains("NEW has no record of its machine", Command().WrongUsage());
        Write("new", [.. Cell(five, 0.9)]);
        Command("--out", scratch.PathOf("nowhere", "page.md")).WrongUsage();
        Write("new", []);
        Assert.Equal("No cell is comparable.", Command().WithCode(0).Sentence());
        var help = string.Join(' ', Tool.Run("compare", "--help").WithCode(0).Out);
        Assert.Contains("0: none is worse, 1: at least one is, 2: wrong usage or refused", help);
    }

    [Fact]
    public void The_same_records_give_the_same_bytes_in_any_culture_and_order()
    {
        JObject[] before = Null(12, 10, 1), after = Null(12, 10, 2);
        Compare(before, after, null, "--out", scratch.PathOf("1.md"));
        Compare(before, after, null, "--out", scratch.PathOf("2.md"));
        Tool.RunWith(german, "compare", scratch.PathOf("base"), scratch.PathOf("new"),
            "--out", scratch.PathOf("3.md"));
        Compare([.. before.Reverse()], [.. after.Reverse()], null, "--out", scratch.PathOf("4.md"));
        var page = File.ReadAllBytes(scratch.PathOf("1.md"));
        Assert.NotEmpty(page);
        Assert.All(new[] { "2.md", "3.md", "4.md" },
            file => Assert.Equal(page, File.ReadAllBytes(scratch.PathOf(file))));
    }

    [Fact]
    public void Hostile_strings_stay_inert()
    {
        const string Hostile = "<b>|\u001b[31m\n# x `y` [z](w) **a**\u202e";
        var page = Compare([.. Cell(five)], MadeUp.With([.. Cell(five)], ("library", Hostile),
            ("ready.library_version", Hostile), ("settings.address", Hostile)), 0);
        Assert.DoesNotContain("<b>", page.Replace("\\<b\\>", ""));
        Assert.DoesNotContain('\u001b', page);
        Assert.DoesNotContain('\u202e', page);
        Assert.DoesNotContain("\n# x", page);
        Assert.Contains(@"\<b\>\| \[31m \# x \`y\` \[z\](w) \*\*a\*\*", page);
        foreach (var table in page.Split("\n\n").Where(part => part.StartsWith('|')))
            Assert.Single(table.Trim().Split('\n')
                .Select(row => row.Replace("\\|", "").Split('|').Length).Distinct());

        Write("new", [Machine(("cpu_model", Hostile)), .. Cell(five)], false);
        Assert.DoesNotContain('\u001b', Command().WrongUsage());
        Assert.DoesNotContain("<b>", Run(0, "--force").Replace("\\<b\\>", ""));
    }

    static readonly (string, string)[] german = [("LANG", "de_DE.UTF-8"), ("LC_ALL", "de_DE.UTF-8"),
        ("TZ", "Asia/Kolkata"), ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0")];

    // Exit code null: 0 or 1, whichever chance brings.
    string Compare(JObject[] before, JObject[] after, int? exitCode, params string[] flags)
    {
        Write("base", before);
        Write("new", after);
        return Run(exitCode, flags);
    }

    string Run(int? exitCode, params string[] flags)
    {
        var ended = Command(flags);
        Assert.DoesNotContain(ended.Error, line => line.StartsWith("Skipped"));
        return string.Join('\n', ended.WithCode(exitCode ?? Math.Min(ended.ExitCode, Worse)).Out);
    }

    Ended Command(params string[] flags) =>
        Tool.Run(["compare", scratch.PathOf("base"), scratch.PathOf("new"), .. flags]);

    Ended Noise(params (string, string)[] variables) =>
        Tool.RunWith(variables, "noise", scratch.PathOf("noise"));

    void Write(string folder, JObject[] records, bool withMachine = true)
    {
        Directory.CreateDirectory(scratch.PathOf(folder));
        File.WriteAllLines(scratch.PathOf(folder, "raw.jsonl"),
            (withMachine ? records.Prepend(Machine()) : records)
            .Select(record => record.ToString(Newtonsoft.Json.Formatting.None)));
    }

    static string RowOf(string page) =>
        page.Split('\n').First(line => line.StartsWith("| udp | unreliable | 1 | 1 |"));

    static int Called(string page) =>
        page.Split('\n').Count(row => row.EndsWith("| worse |") || row.EndsWith("| better |"));

    static void Say(string what) => TestContext.Current.TestOutputHelper!.WriteLine(what);

    // Cells without a difference, each launch's rate drawn from a normal distribution of 4 %.
    static JObject[] Null(int cells, int launches, int seed)
    {
        var random = new Random(seed);
        double Normal() => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) *
            Math.Cos(2 * Math.PI * random.NextDouble());
        return [.. Enumerable.Range(1, cells).SelectMany(parallel => Cell(
            [.. Enumerable.Range(0, launches).Select(_ => Rate * (1 + 0.04 * Normal()))],
            parallel: parallel))];
    }

    static IEnumerable<JObject> Cell(double[] rates, double factor = 1, int parallel = 1) =>
        rates.SelectMany((rate, launch) => MadeUp.With(
            Launch(launch, rate * factor, parallel * 1e9 / (rate * factor)),
            ("settings.parallel", parallel), ("run_id", $"r{launch}-{parallel}")));

    // 10,000 round trips, all in one bucket.
    static JObject[] Launch(int launch, double rate, double rttNs) => MadeUp.With(
        [.. run.Select(Record.Parse)],
        [("run_id", $"r{launch}"), ("settings.seconds", 0.1), .. MadeUp.Lasting(10_000 / rate), .. MadeUp.Answered(10_000, (long)rttNs)]);

    static JObject[] First(JObject[] records) =>
        [.. records.TakeWhile(record => (string?)record["run_id"] == (string?)records[0]["run_id"])];

    static JObject Machine(params (string, object?)[] facts) =>
        MadeUp.With([Record.Parse(tiny[0])], [("hypervisor", null), .. facts])[0];

    static JObject FloorOf(double floor, params (string, object?)[] facts)
    {
        var machine = Machine(facts);
        foreach (var other in new[] { "v", "record", "run_id", "date_utc", "preset", "sweep_seed", "repeats",
            "role", "client_machine", "sweep", "suite_commit", "suite_dirty" }) machine.Remove(other);
        return new() { ["v"] = 2, ["noise_floor"] = floor, ["machine"] = new JObject { ["all"] = machine } };
    }
}
