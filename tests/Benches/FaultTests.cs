/// <summary>What goes wrong around a bench is told in one sentence, leaves no process behind and keeps what was
/// measured. Each bench once, with its first delivery mode; what only the copied files have a part in, on one.</summary>
public sealed class FaultTests : IDisposable
{
    const double EndSeconds = 40;

    static readonly Lazy<Dictionary<string, Ended[]>> strangers = new(MeetStrangers);

    readonly Scratch scratch = new();

    string OutFile => scratch.PathOf("raw.jsonl");

    public FaultTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests find processes in /proc.");

    public void Dispose() => scratch.Dispose();

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void A_port_that_is_taken_fails_in_one_sentence(string bench)
    {
        using var foreign = new ForeignProgram(answers: false);
        foreach (var verb in new[] { "server", "run" })
        {
            using var command = Bench.Start(bench, verb, "--port", foreign.Port);
            var error = command.Wait(15).Failure();
            Assert.Equal("failed", (string?)error["kind"]);
            Assert.Equal("server", (string?)error["side"]);
        }
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void A_server_killed_in_mid_run_fails_the_run(string bench)
    {
        using var run = Bench.StartMeasuring(bench, OutFile);
        var children = Bench.ChildrenOf(run.Id);
        var ready = Record.Single(Record.In(OutFile), "ready");
        Assert.Equal(children["server"], (int)ready["process_id"]!);
        AssertFailsWithoutLosses(run, children, "server");
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Clients_killed_in_mid_run_fail_the_run(string bench)
    {
        using var run = Bench.StartMeasuring(bench, OutFile);
        AssertFailsWithoutLosses(run, Bench.ChildrenOf(run.Id), "client");
        Assert.Contains(Record.In(OutFile), record => Record.KindOf(record) == "server");
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void A_killed_parent_leaves_no_child(string bench)
    {
        using var run = Bench.StartMeasuring(bench, OutFile);
        var children = Bench.ChildrenOf(run.Id);
        Assert.Equal(2, children.Count);
        run.Kill();
        Command.Until(() => !children.Values.Any(Bench.IsRunning), 10);
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Ctrl_C_ends_the_window_and_writes_it(string bench)
    {
        using var run = Bench.StartMeasuring(bench, OutFile);
        var children = Bench.ChildrenOf(run.Id);
        Thread.Sleep(300); // so that there is something to write
        run.PressCtrlC();
        var ended = run.Wait(EndSeconds).WithCode(130);
        Assert.Empty(ended.Error);
        var client = Record.Single(Record.In(OutFile), "client");
        Record.AssertAddsUp(client);
        Assert.InRange((double)client["elapsed_s"]!, 0.2, 10);
        Assert.True((long)client["received_window"]! > 0);
        Assert.NotNull(Record.Single(Record.In(OutFile), "server")["received_window"]);
        Assert.DoesNotContain(children.Values, Bench.IsRunning);
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Ctrl_C_in_the_warm_up_ends_the_run_with_an_error_record(string bench)
    {
        using var run = Command.StartGroup("dotnet", [Bench.PathOf(bench), "run",
            "--warmup-seconds", "20", "--out", OutFile]);
        Command.Until(() => Record.In(OutFile).Any(record => (string?)record["side"] == "client"), 15);
        run.PressCtrlC();
        run.Wait(EndSeconds).WithCode(130).Sentence();
        Record.Single(Record.In(OutFile), "error");
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void A_server_ends_well_on_SIGTERM_and_on_closed_stdin(string bench)
    {
        var (stopped, _) = Bench.StartServer(bench);
        using (stopped)
        {
            stopped.Stop();
            Record.Single(stopped.Wait(15).WithCode(0).Records, "server");
        }
        var (closed, _) = Bench.StartServer(bench, "--until-stdin-closes");
        using (closed)
        {
            closed.CloseInput();
            Record.Single(closed.Wait(15).WithCode(0).Records, "server");
        }
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void A_foreign_program_or_nobody_on_the_port_is_told_in_one_sentence(string bench) =>
        Assert.All(strangers.Value[bench], ended => ended.Failure());

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void A_server_with_another_payload_size_is_refused_by_the_client(string bench)
    {
        var (server, port) = Bench.StartServer(bench, "--payload-bytes", "64");
        using (server)
        {
            var error = Bench.Run(bench, "client", "--port", port, "--payload-bytes", "32").Failure();
            Assert.Contains("64", (string)error["reason"]!);
            Assert.Contains("32", (string)error["reason"]!);
        }
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void An_address_that_does_not_resolve_is_named(string bench)
    {
        foreach (var verb in new[] { new[] { "run" }, ["server"], ["client", "--port", "1"] })
            Assert.Contains("no-such-host.invalid", (string)Bench.Run(bench,
                [.. verb, "--address", "no-such-host.invalid"]).Failure()["reason"]!);
    }

    [Fact]
    public void A_file_that_cannot_be_written_fails_before_anything_starts()
    {
        foreach (var path in new[] { scratch.PathOf("missing", "raw.jsonl"), scratch.Folder, "/proc/x" })
            Assert.Single(Bench.Run(Bench.Model, "run", "--out", path).Failure(4)["reason"]!
                .ToString().Split('\n'));
    }

    [Fact]
    public void A_full_disk_lets_the_records_go_to_stdout()
    {
        var run = Bench.Run(Bench.Model, ["run", .. Bench.Short, "--out", "/dev/full"]).WithCode(4);
        run.Sentence();
        foreach (var kind in new[] { "ready", "client", "server" }) Record.Single(run.Records, kind);
    }

    [Fact]
    public void A_pinned_side_sees_as_many_processors_as_it_was_given()
    {
        var bench = Repo.Benches.First(Bench.IsBuilt);
        var cpu = File.ReadLines("/proc/self/status").First(line => line.StartsWith("Cpus_allowed_list"))
            .Split(':')[1].Split(',', '-')[0].Trim();
        var run = Bench.Run(bench, ["run", .. Bench.Short, "--server-cpus", cpu]).WithCode(0);
        Assert.Equal(1, (int)Record.Single(run.Records, "server")["runtime"]!["processor_count"]!);
        Assert.Equal(cpu, (string?)Record.Single(run.Records, "client")["settings"]!["server_cpus"]);
    }

    [Fact]
    public void A_server_that_never_gets_ready_fails_the_run()
    {
        // The server is started through taskset: one that only sleeps stands for it.
        var taskset = scratch.PathOf("taskset");
        File.WriteAllText(taskset, "#!/bin/sh\nexec sleep 60\n");
        if (OperatingSystem.IsLinux()) File.SetUnixFileMode(taskset, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        var bench = Repo.Benches.First(Bench.IsBuilt);
        var path = $"{scratch.Folder}:{Environment.GetEnvironmentVariable("PATH")}";
        using var run = Command.StartIn(scratch.Folder, [("PATH", path)],
            "dotnet", Bench.PathOf(bench), "run", "--server-cpus", "0");
        var error = run.Wait(30).Failure();
        Assert.Contains("15 s", (string)error["reason"]!);
    }

    // All benches at once, because a client may take 10 s to give up.
    static Dictionary<string, Ended[]> MeetStrangers()
    {
        using var silent = new ForeignProgram(answers: false);
        using var answering = new ForeignProgram(answers: true);
        var gone = new ForeignProgram(answers: false);
        var ports = new[] { silent.Port, answering.Port, gone.Port };
        gone.Dispose();
        var clients = Repo.Benches.Where(Bench.IsBuilt).ToDictionary(bench => bench, bench =>
            ports.Select(port => Bench.Start(bench, "client", "--port", port)).ToArray());
        return clients.ToDictionary(bench => bench.Key,
            bench => bench.Value.Select(client => client.Wait(30)).ToArray());
    }

    void AssertFailsWithoutLosses(Command run, Dictionary<string, int> children, string killed)
    {
        Assert.Equal(["client", "server"], children.Keys.Order());
        var before = Record.In(OutFile).Length;
        using (var child = System.Diagnostics.Process.GetProcessById(children[killed])) child.Kill();
        run.Wait(EndSeconds).WithCode(1).AssertNoStackTrace();
        var records = Record.In(OutFile);
        Assert.True(records.Length > before);
        Assert.Contains(records, record => Record.KindOf(record) == "error");
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        Assert.DoesNotContain(children.Values, Bench.IsRunning);
    }
}
