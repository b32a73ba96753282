using Newtonsoft.Json.Linq;

/// <summary>The report takes the records of several client machines as one launch.</summary>
public sealed class MergeTests : RunOfFive
{
    [Fact]
    public void The_client_machines_of_a_run_are_one_launch()
    {
        var page = Render(TwoMachines());
        Assert.StartsWith(Name + "30,000 | n/a | n/a | 99.8 | 301 | 301 | 0 | 0 / 0 | – | blocks |  |", RowOf(page));
        Assert.Contains(Name + "100 (100 + 0) | 50.0 (50.0 + 0) | 20,000 | 75.0 / 50.0 | 2.00 / 1.00 | 0 / 0 " +
            "| 0.111 | 0.00150 | 1,333 | 74.0 | 45.0 | 0 | 1.01 / 0.504 | 116 / 57.4 | 120 / 60.0 |", page);
    }

    [Fact]
    public void The_share_of_each_client_machine_is_shown_below_the_table()
    {
        var records = MadeUp.With(TwoMachines(), ("server.window.received", 40_200));
        Set(records, 1, ("client.window.sent", 20_200), ("client.window.outcomes.lost", 200));
        string[] table =
        [
            "By client machine:", "",
            "| library | clients | in flight | client machine | clients of it | msgs/s median | p50 µs | p99 µs " +
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
        Assert.Contains("\n1 cell failed, of ", page);
    }

    [Fact]
    public void A_machine_with_two_records_makes_the_run_id_a_repeated_one()
    {
        var records = TwoMachines();
        JObject[] second = [.. records.Where(record => (int?)record["client_machine"] == 1)];
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

        Assert.Contains("invalid: Little's law: the sum of round trips / (slots x elapsed) is 4.50",
            Render(MadeUp.With(TwoMachines(), ("client.window.outcomes.rtt_sum_ns", 15_000_000_000))));
    }

    [Fact]
    public void Each_machine_is_a_column_named_by_its_role()
    {
        static JObject Machine(string role, int? share, string model) =>
            MadeUp.Machine(("role", role), ("client_machine", share), ("cpu_model", model));
        var page = Render([Machine("server", null, "A"), Machine("clients", 0, "B"), Machine("clients", 1, "C")]);
        Assert.Contains("\nMachine: server: A, 2 CPUs, kvm, ", page);
        Assert.Contains("\nMachine: clients 2: C, 2 CPUs, kvm, ", page);
        Assert.Contains("| fact | server | clients 1 | clients 2 |\n|---|---|---|---|\n| date_utc |", page);
        Assert.Contains("\n| cpu_model | A | B | C |\n", page);
        foreach (var fact in new[] { "run_id", "role", "client_machine", "sweep" })
            Assert.DoesNotContain($"\n| {fact} |", page);

        page = Render([Machine("all", null, "A")]);
        Assert.Contains("\nMachine: A, 2 CPUs, kvm, ", page);
        Assert.Contains("| fact | all |\n", page);
    }
}
