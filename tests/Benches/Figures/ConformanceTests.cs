using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>Every bench measures and accounts as CONTRACT.md says, in each delivery mode.</summary>
[Collection(Measuring.Name)]
public sealed class ConformanceTests
{
    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void A_run_ends_well_and_writes_the_records_of_both_sides(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        run.Ended.WithCode(0);
        Assert.Empty(run.Ended.Out);
        Assert.Empty(run.Ended.Error);
        Assert.Equal("ready", Record.KindOf(run.Records[0]));
        Assert.Equal(["client", "interval", "ready", "server"],
            run.Records.Select(Record.KindOf).Distinct().Order());
        Assert.Equal(["client", "server"], Intervals(run).Select(interval => (string)interval["side"]!)
            .Distinct().Order());
        Assert.All(run.Records, record => Assert.Equal("a_run.of-2", (string?)record["run_id"]));
        Assert.All([run.Client, run.Server], side => Assert.NotEmpty((string)side["library_version"]!));
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Every_record_has_the_fields_of_the_contract(string bench, string delivery) =>
        Assert.Empty(Measured.Of(bench, delivery).Records
            .SelectMany(record => Contract.Faults(record, Record.KindOf(record))).Distinct());

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Every_sent_message_ends_in_exactly_one_way(string bench, string delivery)
    {
        var client = Measured.Of(bench, delivery).Client;
        Record.AssertAddsUp(client);
        Assert.InRange((long)client["completed_window"]!, (long)client["received_window"]!,
            Record.Sum(client, "received_window", "received_warmup"));
        Assert.Equal(0, (long)client["not_sent"]!);
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Reliable_messages_come_back_once_and_whole(string bench, string delivery)
    {
        var client = Measured.Of(bench, delivery).Client;
        Assert.Equal(0, Record.Sum(client, "corrupt_warmup", "corrupt_window", "foreign"));
        if (delivery == "unreliable") return;
        Assert.Equal(0, Record.Sum(client, "lost_warmup", "lost_window", "unanswered_warmup",
            "unanswered_window", "duplicates", "late_arrivals"));
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void The_server_received_what_the_clients_sent(string bench, string delivery)
    {
        var (client, server) = (Measured.Of(bench, delivery).Client, Measured.Of(bench, delivery).Server);
        var sent = Record.Sum(client, "sent_warmup", "sent_window");
        var received = (long)server["received"]!;
        Assert.InRange(received, delivery == "unreliable" ? 1 : sent, sent);
        Assert.Equal(40 * received, (long)server["bytes_received"]!);
        Assert.InRange((long)server["sent"]!, Record.Sum(client, "received_warmup", "received_window"), received);
        Assert.InRange((long)server["received_window"]!, 0, received);
        Assert.InRange((long)server["sent_window"]!, 0, received);
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Warm_up_is_not_counted(string bench, string delivery)
    {
        var client = Measured.Of(bench, delivery).Client;
        Assert.True((long)client["sent_warmup"]! > 0);
        Assert.True((long)client["sent_window"]! > 0);
        Assert.Equal(Record.Sum(client, "received_window", "received_drain"), (long)client["rtt_count"]!);
        Assert.InRange((double)client["warmup_s"]!, 0.3, 10);
        // 50,000 round trips and three intervals of half a second do not fit in 10/3 x 0.3 s.
        Assert.True((bool)client["not_warm"]!);
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void The_window_is_as_long_as_asked(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        Assert.InRange((double)run.Client["elapsed_s"]!, 0.299, 0.301);
        Assert.All([run.Client, run.Server],
            side => Assert.InRange((double)side["cost"]!["elapsed_s"]!, 0.001, 5)); // a busy machine marks late
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Round_trips_lie_within_the_time_that_there_was(string bench, string delivery)
    {
        var client = Measured.Of(bench, delivery).Client;
        var (least, most) = ((long)client["rtt_min_ns"]!, (long)client["rtt_max_ns"]!);
        var sum = (long)client["rtt_sum_ns"]!;
        Assert.InRange(least, 1_000, most);
        Assert.InRange(most, least, 6_000_000_000); // the window, and the drain of reliable modes
        Assert.InRange((double)sum / (long)client["rtt_count"]!, least, most);
    }

    // A bench whose server confirms waits two seconds for it before it gives up.
    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void The_connections_are_closed_and_the_server_knows(string bench, string delivery) =>
        Assert.InRange((double)Measured.Of(bench, delivery).Client["disconnect_s"]!, 0, 1.5);

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Settings_echo_the_flags(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        var expected = Contract.Flags.ToDictionary(flag => flag.Name, flag => flag.Default);
        foreach (var flag in Measured.Flags.Chunk(2)) expected[flag[0]] = flag[1];
        expected["--delivery"] = delivery;
        expected["--port"] = (string)Record.Single(run.Records, "ready")["port"]!;
        foreach (var side in new[] { run.Client, run.Server })
            Assert.Equal(expected.Select(flag => (flag.Key[2..].Replace('-', '_'), Plain(flag.Value))),
                ((JObject)side["settings"]!).Properties().Select(
                    setting => (setting.Name, Plain(((JValue)setting.Value).ToString(CultureInfo.InvariantCulture)))));
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Intervals_only_grow_and_pass_through_the_phases_in_order(string bench, string delivery)
    {
        foreach (var side in Intervals(Measured.Of(bench, delivery)).GroupBy(interval => (string)interval["side"]!))
        {
            foreach (var field in new[] { "elapsed_s", "sent", "received", "cpu_user_s", "cpu_system_s" })
                Assert.Equal(side.Select(interval => (double)interval[field]!).Order(),
                    side.Select(interval => (double)interval[field]!));
            var phases = side.Select(interval =>
                Array.IndexOf(["warmup", "warm", "window", "drain"], (string)interval["phase"]!));
            Assert.Equal(phases.Order(), phases);
        }
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void The_report_tool_finds_no_fault_in_the_records(string bench, string delivery)
    {
        Assert.SkipUnless(Tool.IsBuilt, "report is not built.");
        using var scratch = new Scratch();
        File.WriteAllLines(scratch.PathOf("raw.jsonl"), Measured.Of(bench, delivery).Lines);
        Tool.Run("check", scratch.PathOf("raw.jsonl")).WithCode(0);
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void The_smallest_payload_and_a_larger_one_come_back_whole(string bench, string delivery)
    {
        foreach (var (bytes, content) in new[] { (24, "zeros"), (1000, "random") })
        {
            var run = Bench.Run(bench, "run", "--delivery", delivery, "--payload-bytes", $"{bytes}",
                "--payload", content, "--warmup-seconds", "0", "--seconds", "0.2").WithCode(0);
            var client = Record.Single(run.Records, "client");
            var server = Record.Single(run.Records, "server");
            Record.AssertAddsUp(client);
            Assert.True((long)client["received_window"]! > 0);
            Assert.Equal(0, Record.Sum(client, "corrupt_window", "lost_window", "foreign"));
            Assert.Equal(bytes * (long)server["received"]!, (long)server["bytes_received"]!);
        }
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void An_open_loop_has_as_many_messages_due_as_its_rate_says(string bench)
    {
        var run = Bench.Run(bench, "run", "--rate", "500", "--clients", "2",
            "--parallel", "4", "--warmup-seconds", "0.1", "--seconds", "1").WithCode(0);
        var client = Record.Single(run.Records, "client");
        Record.AssertAddsUp(client);
        Assert.InRange(Record.Sum(client, "sent_window", "not_sent"), 490, 510);
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Without_a_file_stdout_has_the_records_and_nothing_else(string bench)
    {
        var run = Bench.Run(bench, ["run", .. Bench.Short]).WithCode(0);
        Assert.Empty(run.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))).Distinct());
        Assert.Empty(run.Error);
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Records_are_appended_to_the_file_even_behind_a_torn_line(string bench, string delivery) =>
        Assert.Equal(Measured.Torn, Measured.Of(bench, delivery).FirstLine);

    // 3 and 3.0 are the same, and so are true and True.
    static string Plain(string value) =>
        double.TryParse(value, CultureInfo.InvariantCulture, out var number) ? $"{number}"
            : bool.TryParse(value, out var yes) ? $"{yes}" : value;

    static IEnumerable<JObject> Intervals(Measured run) =>
        run.Records.Where(record => Record.KindOf(record) == "interval");
}
