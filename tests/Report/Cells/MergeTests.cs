using Newtonsoft.Json.Linq;

/// <summary>
/// The report takes the records of several client machines as one launch, and says what stood still,
/// slept. The run that most tests start from, worked out by hand: 5 udp clients,
/// 1 in flight, 2 machines.
/// <code>
/// machine 1   2 clients, 20,000 answers in 1 s, each 100 µs [99,328 + 1,024 / 2, CPU 1 s, 20,000 B,  50 MiB
/// machine 2   3 clients, 20,000 answers in 2 s, each 300 µs [299,008 + 4,096 / 2, CPU 3 s, 60,000 B, 70 MiB
/// together    20,000 + 10,000 messages/s; p50 rank 20,000: 99.8 µs; p99 rank 39,600: 301 µs;
///             4 s / 40,000 = 100 µs; 80,000 / 40,000 = 2 B; 120 MiB; Little: (2 + 3) / 5 = 1
///             busiest 3 s / 2 s / 2 CPUs, half of the passes idle: 37.5 %; on the wire, which each of
///             the three records has a part of: 3 x 1,480 B / 40,000; switches 2 x 20,150 / 40,000
/// </code>
/// </summary>
public sealed class MergeTests : IDisposable
{
    const string Name = "| udp (floor) | 5 | 1 | ", Run = "r1-udp-unreliable-5x1-32";

    const int Each = 20_000; // answers to a client machine

    readonly Scratch scratch = new();

    public MergeTests() => Assert.SkipUnless(Tool.IsBuilt, "report is not built.");

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void The_client_machines_of_a_run_are_one_launch()
    {
        var page = Render(TwoMachines());
        Assert.Contains("1 cell (library, delivery mode, clients, messages in flight), 1 launch.", page);
        Assert.Contains(Name + "30,000 | n/a | n/a | 99.8 | 301 | 301 | 0 | 0 / 0 | – |  |", page);
        Assert.Contains(Name + "100 (100 + 0) | 50.0 (50.0 + 0) | 37.5 / 50.0 | 2.00 / 1.00 | 0 / 0 " +
            "| 0.111 | 0.00150 | 0 | 1.01 / 0.504 | 116 / 57.4 | 120 / 60.0 |", page);
    }

    [Fact]
    public void The_share_of_each_client_machine_is_shown_below_the_table()
    {
        var records = MadeUp.With(TwoMachines(), ("server.window.received", 40_200));
        Set(records, 1, ("client.window.sent", 20_200), ("client.window.outcomes.lost", 200));
        string[] table =
        [
            "By client machine:", "",
            "| library | clients | parallel | client machine | clients of it | msgs/s median | p50 µs | p99 µs " +
                "| CPU µs/msg | lost % |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
            Name + "1 | 2 | 20,000 | 99.8 | 99.8 | 50.0 | 0 |",
            Name + "2 | 3 | 10,000 | 301 | 301 | 150 | 0.990 |",
        ];
        Assert.Contains($" |\n\n{string.Join('\n', table)}\n\n", Render(records));
        Assert.DoesNotContain("By client machine", Render(OneMachine()));
    }

    [Fact]
    public void Launches_differ_in_client_machine_but_cells_in_client_machines()
    {
        var again = MadeUp.With(TwoMachines(), ("run_id", "r2"), ("settings.port", 2));
        var page = Render([.. TwoMachines(), .. again]);
        Assert.Contains(Name + "30,000 | 30,000–30,000 |", page);
        Assert.DoesNotContain("client_machine |", page);
        Assert.Contains("| client_machines | 2 |", page);

        page = Render([.. TwoMachines(), .. MadeUp.With(OneMachine(), ("run_id", "r3"))]);
        Assert.Contains("### unreliable, payload_bytes 32, client_machines 1\n", page);
        Assert.Contains("### unreliable, payload_bytes 32, client_machines 2\n", page);
    }

    [Fact]
    public void What_is_so_of_one_machine_is_so_of_the_launch()
    {
        var records = TwoMachines();
        Set(records, 0, ("client.window.elapsed_ns", 900_000_000));
        Assert.EndsWith("stopped early |", RowOf(Render(records)));
        Assert.EndsWith("not warm |", RowOf(Render(MadeUp.With(TwoMachines(), ("launch.not_warm", true)))));
    }

    [Theory]
    [InlineData(0, "client machine 1 of 2")]
    [InlineData(1, "client machine 2 of 2")]
    public void A_launch_without_the_record_of_a_machine_failed(int lacking, string machine)
    {
        var page = Render([.. TwoMachines().Where(record => (int?)record["client_machine"] != lacking)]);
        Assert.StartsWith(Name + "failed", RowOf(page));
        Assert.Matches($@"\| 1 launch failed: .*{machine} .*missing\. \|$", RowOf(page));
        Assert.Contains("Without figures: 1 failed cell", page);
    }

    [Fact]
    public void A_machine_with_two_records_makes_the_run_id_a_repeated_one()
    {
        JObject[] records = TwoMachines(), second = [.. records.Where(record => (int?)record["client_machine"] == 1)];
        var page = Render([.. records, .. second]);
        Assert.Contains("invalid: its run id was used more than once", RowOf(page));

        JObject[] third = MadeUp.With([.. second.Select(record => (JObject)record.DeepClone())], ("client_machine", 2));
        page = Render([.. records, .. third]);
        Assert.Contains("its run id was used more than once", RowOf(page));
    }

    [Fact]
    public void Each_record_and_the_sum_of_all_must_add_up()
    {
        var records = TwoMachines();
        Set(records, 1, ("client.window.sent", 20_001));
        Assert.Contains("invalid: client machine 2: window: sent is 20001, but its outcomes add up to 20000",
            RowOf(Render(records)));

        Assert.Contains("invalid: clients sent 40,000 messages, the server received 40,001",
            RowOf(Render(MadeUp.With(TwoMachines(), ("server.window.received", 40_001)))));

        records = TwoMachines();
        Set(records, 0, ("client.ready.flags.parallel", 2));
        Assert.Contains("its client machines had different settings", Render(records));

        Assert.Contains("invalid: Little's law: (round trips + idle time) / (lanes x elapsed) is 0.500",
            Render(MadeUp.With(TwoMachines(), ("settings.parallel", 2))));
    }

    public static TheoryData<double, double?, double, string> Gaps => new()
    {
        { 3.2, 0, 0, "invalid: the clients stood still for 3.2 s" },
        { 0.02, 12, 0, "invalid: the machine slept for 12 s" },
        { 0.02, null, 40, "invalid: the machine slept or its clock was set forward by 40 s" },
        { 0.02, 0, 40, "the wall clock was set by 40 s, which no figure uses" },
        { 0.02, 0, -40, "the wall clock was set by -40 s, which no figure uses" },
        { 0.02, null, -40, "the wall clock was set by -40 s, which no figure uses" },
        { 1, 1, 1, "" },
        { 1, null, -1, "" },
    };

    [Theory, MemberData(nameof(Gaps))]
    public void A_launch_that_stood_still_or_slept_is_invalid(
        double pause, double? suspended, double jump, string note)
    {
        (string, object?)[] fields = [MadeUp.StoodStill(pause),
            ("client.window.outside.suspended_s", suspended), ("client.window.outside.clock_jump_s", jump)];
        Assert.EndsWith($"| {note} |", RowOf(Render(MadeUp.With(OneMachine(), fields))));
        if (note == "") return;
        var records = TwoMachines();
        Set(records, 1, fields);
        Assert.Contains($"client machine 2: {note.Replace("invalid: ", "")} |", RowOf(Render(records)));
    }

    [Fact]
    public void A_clock_that_was_set_back_by_whole_seconds_is_a_good_record()
    {
        Render(MadeUp.With(OneMachine(), ("client.window.outside.clock_jump_s", -40)));
        Tool.Run("check", scratch.Folder).WithCode(0);
    }

    [Fact]
    public void A_retried_run_is_listed_but_no_failure()
    {
        var retried = MadeUp.Failed(OneMachine(), ("kind", "retried"), ("reason", "It hung."));
        var page = Render([retried, .. OneMachine()]);
        Assert.Contains("- udp retried (1 run): It hung.\n", page);
        Assert.Contains("Without figures: 0 failed cells", page);
        Assert.EndsWith("| 0 | 0 / 0 | – |  |", RowOf(page));

        // Not measured again as yet: nothing is known of the cell.
        Assert.Contains("Without figures: 0 failed cells", Render([retried]));
    }

    [Fact]
    public void A_traced_cell_says_so_and_is_held_apart()
    {
        var traced = MadeUp.With(OneMachine(), ("run_id", "r2"), ("settings.trace", true));
        var page = Render([.. OneMachine(), .. traced]);
        Assert.Contains("### unreliable, payload_bytes 32, trace no\n", page);
        Assert.Contains("### unreliable, payload_bytes 32, trace yes\n", page);
        var rows = page.Split('\n').Where(line => line.StartsWith(Name) && line.Contains(" – ")).ToArray();
        Assert.EndsWith("| 0 | 0 / 0 | – |  |", rows[0]);
        Assert.EndsWith("| 0 | 0 / 0 | – | traced: slower than untraced |", rows[1]);
    }

    [Fact]
    public void A_run_until_stopped_did_not_stop_early()
    {
        var records = MadeUp.With(OneMachine(), ("settings.seconds", -1.0), ("window.elapsed_ns", 500_000_000));
        Assert.DoesNotContain("stopped early", Render(records));
        MadeUp.With(records, ("settings.seconds", 2.0));
        Assert.Contains("stopped early", Render(records));
    }

    [Fact]
    public void The_page_is_the_same_with_info_records()
    {
        var page = Render(OneMachine());
        Assert.Equal(page, Render([Record.Parse(Contract.Examples["info"]), .. OneMachine()]));
    }

    [Fact]
    public void Each_machine_is_a_column_named_by_its_role()
    {
        JObject Machine(string role, int? share, string model) =>
            MadeUp.Machine(("role", role), ("client_machine", share), ("cpu_model", model));
        var page = Render(
            [Machine("server", null, "A"), Machine("clients", 0, "B"), Machine("clients", 1, "C")]);
        Assert.StartsWith("# Network benchmark, 2026-11-21, A, 2 CPUs, 3 machines\n", page);
        Assert.Contains("| fact | server | clients 1 | clients 2 |\n|---|---|---|---|\n| date_utc |", page);
        Assert.Contains("\n| cpu_model | A | B | C |\n", page);
        foreach (var fact in new[] { "run_id", "role", "client_machine", "sweep" })
            Assert.DoesNotContain($"\n| {fact} |", page);
        // Once, though each machine's record has it; what is empty is left out.
        Assert.Equal(2, page.Split("\nThe sweep: preset quick, seed 1, libraries tcp,udp, " +
            "delivery reliable-ordered,unreliable, clients 1,100, parallel 1, payload_bytes 32, " +
            "profile default, rate 0, ladder no, pin none, " +
            "warmup_seconds 1, seconds 1.5, repeats 2, trace no.\n").Length);

        page = Render([Machine("all", null, "A")]);
        Assert.StartsWith("# Network benchmark, 2026-11-21, A, 2 CPUs\n", page);
        Assert.Contains("| fact | all |\n", page);
    }

    string Render(JObject[] records)
    {
        MadeUp.Write(scratch.Folder, records);
        var ended = Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(0);
        Assert.DoesNotContain(ended.Error, line => line.StartsWith("Skipped"));
        return File.ReadAllText(scratch.PathOf("report.md"));
    }

    // The row of the cell, which stands before those of its shares.
    static string RowOf(string page) => page.Split('\n').First(line => line.StartsWith(Name));

    static JObject[] TwoMachines()
    {
        var records = Launch(2, 40_000);
        Set(records, 0, Clients(100_000, seconds: 1, cpuSeconds: 1, bytes: 20_000, mib: 50));
        Set(records, 1, Clients(300_000, seconds: 2, cpuSeconds: 3, bytes: 60_000, mib: 70));
        return records;
    }

    // 5 clients in 250 µs: 20,000 a second.
    static JObject[] OneMachine()
    {
        var records = Launch(1, 20_000);
        Set(records, 0, Clients(250_000, seconds: 1, cpuSeconds: 1, bytes: 20_000, mib: 50));
        return records;
    }

    static (string, object?)[] Clients(long rttNs, double seconds, double cpuSeconds, long bytes, long mib) =>
    [
        .. MadeUp.Answered(Each, rttNs).Where(field => field.Item1.StartsWith("client.")),
        ("client.window.elapsed_ns", MadeUp.Ns(seconds)), .. Made.Cpu("client", cpuSeconds, 0),
        ("client.window.allocated_bytes", bytes), ("client.window.outside.rss_peak_bytes", mib << 20),
    ];

    // All but what the clients of each machine measured.
    static JObject[] Launch(int machines, int received) => MadeUp.With(MadeUp.Run(Run, machines),
    [
        ("settings.delivery", "unreliable"), ("settings.clients", 5), ("settings.warmup_seconds", 0.0), ("settings.seconds", 1.0),
        ("server.window.received", received), ("server.window.sent", received), .. Made.Cpu("server", 2, 0),
        ("server.window.allocated_bytes", 40_000), ("server.window.outside.rss_peak_bytes", 60 << 20),
    ]);

    // Fields of one client machine alone.
    static void Set(JObject[] records, int machine, params (string Path, object? Value)[] fields) =>
        MadeUp.With([.. records.Where(record => (int?)record["client_machine"] == machine)], fields);
}
