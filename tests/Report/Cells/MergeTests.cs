using Newtonsoft.Json.Linq;

/// <summary>
/// The report takes the records of several client machines as one launch, and says what stood still,
/// slept or was measured again. The run that most tests start from, worked out by hand: 5 udp clients,
/// 1 in flight, 2 machines.
/// <code>
/// machine 1   2 clients, 20,000 answers in 1 s, each 100 µs [99,328 + 1,024 / 2, CPU 1 s, 20,000 B,  50 MiB
/// machine 2   3 clients, 20,000 answers in 2 s, each 300 µs [299,008 + 4,096 / 2, CPU 3 s, 60,000 B, 70 MiB
/// together    20,000 + 10,000 messages/s; p50 rank 20,000: 99.8 µs; p99 rank 39,600: 301 µs;
///             4 s / 40,000 = 100 µs; 80,000 / 40,000 = 2 B; 120 MiB; Little: (2 + 3) / 5 = 1
///             busiest 3 s / 2.0008 s / 2 CPUs, half of the passes idle: 37.5 %; on the wire, which each of
///             the three records has a part of: 3 x 1,480 B / 40,000; switches 2 x 20,150 / 40,000
/// </code>
/// </summary>
public sealed class MergeTests : IDisposable
{
    const string Name = "| udp (floor) | 5 | 1 | ", Run = "r1-udp-unreliable-5x1-32";

    readonly Scratch scratch = new();

    string Raw => scratch.PathOf("raw.jsonl");

    public MergeTests() => Assert.SkipUnless(Tool.IsBuilt && Tool.CanLead, "report or runner is not built.");

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void The_client_machines_of_a_run_are_one_launch()
    {
        var page = Render(TwoMachines());
        Assert.Contains("1 cell (library, delivery mode, clients, messages in flight), 1 launch.", page);
        Assert.Contains(Name + "30,000 | n/a | n/a | 99.8 | 301 | 301 | 0 | 0 / 0 | – |  |", page);
        Assert.Contains(Name + "100 (100 + 0) | 50.0 (50.0 + 0) | 37.5 / 50.0 | 2.00 / 1.00 | 0 / 0 " +
            "| 0.111 | 0.00150 | 0 | 1.01 / 0.504 | 116 / 57.4 | 120 / 60.0 |", page);
        Assert.Equal("30,000 msg/s  p99 301 µs", Last());
    }

    [Fact]
    public void The_share_of_each_client_machine_is_shown_below_the_table()
    {
        var records = TwoMachines();
        Set(records[1], ("sent_window", 20_200), ("lost_window", 200));
        Set(records[2], ("received", 40_200));
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
        var again = TwoMachines();
        foreach (var record in again) Set(record, ("run_id", "r2"), ("settings.port", 2));
        var page = Render([.. TwoMachines(), .. again]);
        Assert.Contains(Name + "30,000 | 30,000–30,000 |", page);
        Assert.DoesNotContain("client_machine |", page);
        Assert.Contains("| client_machines | 2 |", page);

        var alone = OneMachine();
        foreach (var record in alone) Set(record, ("run_id", "r3"));
        page = Render([.. TwoMachines(), .. alone]);
        Assert.Contains("### unreliable, payload_bytes 32, client_machines 1\n", page);
        Assert.Contains("### unreliable, payload_bytes 32, client_machines 2\n", page);
    }

    [Theory, InlineData("not_warm", true, "not warm"), InlineData("elapsed_s", 0.9, "stopped early")]
    public void What_is_so_of_one_machine_is_so_of_the_launch(string field, object value, string note)
    {
        var records = TwoMachines();
        Set(records[0], (field, value));
        Assert.EndsWith($"{note} |", RowOf(Render(records)));
    }

    [Theory]
    [InlineData(0, "The record of client machine 1 of 2 is missing.")]
    [InlineData(1, "The record of client machine 2 of 2 is missing.")]
    public void A_launch_without_the_record_of_a_machine_failed(int lacking, string reason)
    {
        var records = TwoMachines().Where((_, index) => index != lacking).ToArray();
        var page = Render(records);
        Assert.StartsWith(Name + "failed", RowOf(page));
        Assert.EndsWith($"| 1 launch failed: {reason} |", RowOf(page));
        Assert.Contains("Without figures: 1 failed cell", page);
        Assert.Equal($"failed: {reason}", Last());
    }

    [Fact]
    public void A_machine_with_two_records_makes_the_run_id_a_repeated_one()
    {
        var records = TwoMachines();
        var page = Render([.. records, records[1]]);
        Assert.Contains("2 launches.", page);
        Assert.Contains("invalid: its run id was used more than once", RowOf(page));

        Set(records[1], ("settings.client_machine", 2));
        page = Render([TwoMachines()[0], TwoMachines()[1], records[1], records[2]]);
        Assert.Contains("its run id was used more than once", RowOf(page));
    }

    [Fact]
    public void Each_record_and_the_sum_of_all_must_add_up()
    {
        var records = TwoMachines();
        Set(records[1], ("sent_window", 20_001));
        Assert.Contains("invalid: client machine 2: sent_window is 20001, but its outcomes add up to 20000",
            RowOf(Render(records)));

        records = TwoMachines();
        Set(records[2], ("received", 40_001));
        Assert.Contains("invalid: clients sent 40,000 messages, the server received 40,001",
            RowOf(Render(records)));

        records = TwoMachines();
        Set(records[0], ("settings.parallel", 2));
        Assert.Contains("its client machines had different settings", Render(records));

        records = TwoMachines();
        foreach (var record in records) Set(record, ("settings.parallel", 2));
        Assert.Contains("invalid: Little's law: mean round trip x throughput / lanes is 0.500",
            Render(records));
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
        var records = OneMachine();
        Set(records[0], ("pause_s", pause), ("suspended_s", suspended), ("clock_jump_s", jump));
        Assert.EndsWith($"| {note} |", RowOf(Render(records)));
        if (note == "") return;
        records = TwoMachines();
        Set(records[1], ("pause_s", pause), ("suspended_s", suspended), ("clock_jump_s", jump));
        Assert.Contains($"client machine 2: {note.Replace("invalid: ", "")} |", RowOf(Render(records)));
    }

    [Fact]
    public void A_clock_that_was_set_back_by_whole_seconds_is_a_good_record()
    {
        var records = OneMachine();
        Set(records[0], ("clock_jump_s", -40));
        Render(records);
        Tool.Run("check", Raw).WithCode(0);
    }

    [Fact]
    public void A_retried_run_is_listed_but_no_failure()
    {
        var retried = Of("error", 1, 0);
        Set(retried, ("kind", "retried"), ("exit_code", 1), ("reason", "It hung."));
        var page = Render([retried, .. OneMachine()]);
        Assert.Contains("- udp retried (1 run): It hung.\n", page);
        Assert.Contains("Without figures: 0 failed cells", page);
        Assert.EndsWith("| 0 | 0 / 0 | – |  |", RowOf(page));
        Assert.Equal("20,000 msg/s  p99 251 µs", Last());

        // Not measured again as yet: nothing is known of the cell.
        Assert.Contains("Without figures: 0 failed cells", Render([retried]));
    }

    [Fact]
    public void A_traced_cell_says_so_and_is_held_apart()
    {
        var traced = OneMachine();
        foreach (var record in traced) Set(record, ("run_id", "r2"), ("settings.trace", true));
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
        var records = OneMachine();
        foreach (var record in records) Set(record, ("settings.seconds", -1.0), ("elapsed_s", 0.5));
        Assert.DoesNotContain("stopped early", Render(records));
        foreach (var record in records) Set(record, ("settings.seconds", 2.0));
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
        JObject Machine(string role, int? share, string model)
        {
            var machine = Record.Parse(Contract.Examples["machine"]);
            Set(machine, ("role", role), ("client_machine", share), ("cpu_model", model));
            return machine;
        }
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
            "profile default, rate 0, ladder no, pin none, canary no, reruns 0, " +
            "warmup_seconds 1, seconds 1.5, repeats 2, trace no.\n").Length);

        page = Render([Machine("all", null, "A")]);
        Assert.StartsWith("# Network benchmark, 2026-11-21, A, 2 CPUs\n", page);
        Assert.Contains("| fact | all |\n", page);
    }

    string Render(JObject[] records)
    {
        File.WriteAllLines(Raw, records.Select(record => record.ToString(Newtonsoft.Json.Formatting.None)));
        var ended = Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(0);
        Assert.DoesNotContain(ended.Error, line => line.StartsWith("Skipped"));
        return File.ReadAllText(scratch.PathOf("report.md"));
    }

    string Last() => Assert.Single(Tool.Lead("last", "--out", Raw, "--run-id", Run).WithCode(0).Out);

    // The row of the cell, which stands before those of its shares.
    static string RowOf(string page) => page.Split('\n').First(line => line.StartsWith(Name));

    static JObject[] TwoMachines() =>
    [
        Client(2, 0, rttNs: 100_000, bucketNs: 99_328, seconds: 1, cpuSeconds: 1, bytes: 20_000, mib: 50),
        Client(2, 1, rttNs: 300_000, bucketNs: 299_008, seconds: 2, cpuSeconds: 3, bytes: 60_000, mib: 70),
        Server(2, 40_000),
    ];

    // 5 clients in 250 µs: 20,000 a second.
    static JObject[] OneMachine() =>
    [
        Client(1, 0, rttNs: 250_000, bucketNs: 249_856, seconds: 1, cpuSeconds: 1, bytes: 20_000, mib: 50),
        Server(1, 20_000),
    ];

    static JObject Client(int machines, int machine, long rttNs, long bucketNs, double seconds,
        double cpuSeconds, long bytes, long mib)
    {
        const int Count = 20_000;
        var client = Of("client", machines, machine);
        Set(client, ("elapsed_s", seconds), ("sent_warmup", 0), ("received_warmup", 0),
            ("sent_window", Count), ("received_window", Count), ("received_drain", 0),
            ("completed_window", Count), ("rtt_count", Count), ("rtt_min_ns", rttNs),
            ("rtt_max_ns", rttNs), ("rtt_sum_ns", Count * rttNs),
            ("rtt_ns", new JArray { new JArray(bucketNs, Count) }), ("cost.cpu_user_s", cpuSeconds),
            ("cost.cpu_system_s", 0.0), ("cost.allocated_bytes", bytes), ("cost.rss_peak_bytes", mib << 20));
        return client;
    }

    static JObject Server(int machines, int received)
    {
        var server = Of("server", machines, 0);
        Set(server, ("received", received), ("sent", received), ("received_window", received),
            ("sent_window", received), ("cost.cpu_user_s", 2.0), ("cost.cpu_system_s", 0.0),
            ("cost.allocated_bytes", 40_000), ("cost.rss_peak_bytes", 60 << 20));
        return server;
    }

    static JObject Of(string kind, int machines, int machine)
    {
        var record = Record.Parse(Contract.Examples[kind]);
        Set(record, ("run_id", Run), ("settings.run_id", Run), ("settings.delivery", "unreliable"),
            ("settings.clients", 5), ("settings.warmup_seconds", 0.0), ("settings.seconds", 1.0),
            ("settings.client_machines", machines), ("settings.client_machine", machine));
        return record;
    }

    // Fields that the record has; settings.clients is a field of a part of it. Others are left.
    static void Set(JObject record, params (string Path, object? Value)[] fields)
    {
        foreach (var (path, value) in fields)
            record.SelectToken(path)?.Replace(value == null ? JValue.CreateNull() : JToken.FromObject(value));
    }
}
