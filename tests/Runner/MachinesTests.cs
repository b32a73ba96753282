using Newtonsoft.Json;

/// <summary>A sweep over several machines, reached by ssh: here network namespaces of this one.</summary>
public sealed class MachinesTests : IClassFixture<Namespaces>, IDisposable
{
    static readonly string[] sides =
        ["--server-host", Namespaces.Server, "--client-hosts", Namespaces.Clients];
    static readonly string[] hosts = [Namespaces.Server, Namespaces.ClientA, Namespaces.ClientB];

    static readonly string[] slow =
        ["--clients", "2", "--rate", "200", "--warmup-seconds", "0", "--seconds", "120"];

    readonly Namespaces machines;
    readonly Scratch scratch = new();

    public MachinesTests(Namespaces machines)
    {
        Assert.SkipWhen(machines.Missing != null, machines.Missing ?? "");
        Assert.SkipUnless(Tool.IsBuilt && Tool.CanLead, "report or runner is not built.");
        this.machines = machines;
    }

    public void Dispose() => scratch.Dispose();

    [Fact]
    public void Deploying_copies_each_executable_to_each_host_and_replaces_what_was_there()
    {
        var benches = Repo.Benches.Where(Bench.IsBuilt).ToArray();
        for (var time = 1; time <= 2; time++)
        {
            // The server's host has clients as well, and is copied to once.
            var deployed = machines.Lead(Repo.Root, "deploy", "--server-host", Namespaces.Server, "--client-hosts",
                $"{Namespaces.Clients},{Namespaces.Server}", "--remote-folder", "copies/of.it").WithCode(0);
            Assert.Empty(deployed.Error);
            Assert.Equal(new[] { Namespaces.Server, Namespaces.ClientA, $"root@{Namespaces.ClientB}" }
                .Select(host => $"copied {benches.Length} executables to {host}").Order(), deployed.Out.Order());
            foreach (var host in hosts)
            {
                var folder = Path.Combine(machines.HomeOf(host), "copies", "of.it");
                Assert.Equal([.. benches, "runner"],
                    Directory.GetDirectories(folder).Select(path => Path.GetFileName(path)!).Order());
                foreach (var bench in benches)
                    AssertSame(Repo.PathOf(bench, "bin", "Release"), Path.Combine(folder, bench));
                File.WriteAllText(Path.Combine(folder, "bench-udp", "of-an-older-build.dll"), "");
                File.WriteAllText(Path.Combine(folder, "bench-udp", "bench-udp.dll"), "");
            }
        }
    }

    [Fact]
    public void A_folder_that_was_not_deployed_is_not_emptied()
    {
        var source = Path.Combine(machines.HomeOf(Namespaces.Server), "suite", "bench-udp", "Client.cs");
        Directory.CreateDirectory(Path.GetDirectoryName(source)!);
        File.WriteAllText(source, "");
        foreach (var folder in new[] { "suite", ".", Path.GetDirectoryName(source)! })
            Assert.Contains($"its folder '{folder}' holds", machines.Lead(Repo.Root, "deploy", "--server-host",
                Namespaces.Server, "--remote-folder", folder).WithCode(1).Sentence());
        Assert.True(File.Exists(source));
    }

    [Fact]
    public void A_host_that_cannot_be_reached_is_told_in_one_sentence()
    {
        using var run = Run("bench-udp", "--server-host", Namespaces.Silent);
        var silent = machines.Lead(Repo.Root, "deploy", "--server-host", Namespaces.Silent);
        Assert.Contains($"Cannot copy to {Namespaces.Silent}: ssh: connect to host", silent.WithCode(1).Sentence());
        Assert.Contains("timed out", silent.Error[0]);
        Assert.InRange(silent.Seconds, 9, 16);
        Assert.Contains("timed out", (string)run.Wait(15).Failure()["reason"]!);
        foreach (var (host, reason) in new[] { ($"nobody@{Namespaces.Server}", "Permission denied"),
            ("nosuch.invalid", "Could not resolve hostname"), ("[::1]", "connect to host ::1") })
        {
            var deployed = machines.Lead(Repo.Root, "deploy", "--client-hosts", host);
            Assert.Contains(reason, deployed.WithCode(1).Sentence());
            using var refused = Run("bench-udp", "--server-host", host, "--address", Namespaces.Server);
            Assert.Contains(reason, (string)refused.Wait().Failure()["reason"]!);
        }
    }

    [Fact]
    public void A_host_without_this_dotnet_is_told_in_one_sentence()
    {
        machines.Shell(Namespaces.ClientA, """
            mkdir bin && echo '#!/bin/sh' > bin/dotnet && chmod +x bin/dotnet &&
            echo 'echo Microsoft.NETCore.App 8.0.1 [/usr/share/dotnet]' >> bin/dotnet
            """).WithCode(0);
        try
        {
            var deployed = machines.Lead(Repo.Root, ["deploy", .. sides, "--remote-folder", "none"]).WithCode(1);
            Assert.Contains($"Cannot copy to {Namespaces.ClientA}: it has no .NET 10", deployed.Sentence());
            Assert.False(Directory.Exists(Path.Combine(machines.HomeOf(Namespaces.ClientA), "none")));
        }
        finally
        {
            machines.Shell(Namespaces.ClientA, "rm -r bin").WithCode(0);
        }
    }

    [Theory]
    [InlineData("--server-host", "-oProxyCommand=touch${IFS}odd")]
    [InlineData("--server-host", "root@-oProxyCommand")]
    [InlineData("--server-host", "a;touch odd")]
    [InlineData("--server-host", "$(touch odd)")]
    [InlineData("--server-host", "a,b")]
    [InlineData("--server-host", "a b")]
    [InlineData("--server-host", "a\n")]
    [InlineData("--server-host", "")]
    [InlineData("--client-hosts", "a,,b")]
    [InlineData("--client-hosts", "a,-b")]
    [InlineData("--client-hosts", "a,`touch odd`")]
    [InlineData("--remote-folder", "../netbench")]
    [InlineData("--remote-folder", "net bench")]
    [InlineData("--remote-folder", "$HOME")]
    [InlineData("--remote-folder", "~/netbench")]
    [InlineData("--remote-folder", "-rf")]
    [InlineData("--libraries", "../udp")]
    public void Odd_names_are_wrong_usage(string flag, string value)
    {
        machines.Lead(scratch.Folder, "deploy", flag, value).WrongUsage();
        Assert.Empty(Directory.GetFileSystemEntries(scratch.Folder));
    }

    [Fact]
    public void Each_machine_of_a_sweep_has_a_record_and_a_sweep_goes_on_with_the_same_ones()
    {
        Deploy();
        var settings = string.Join('\n', machines.Lead(Repo.Root, "sweep").WithCode(0).Out);
        Ended Machine(params IEnumerable<string> args)
        {
            using var machine = machines.StartIn(Repo.Root, "dotnet", [Tool.LeadPath, "machine", "--run-id", "m", .. args]);
            machine.Write(settings);
            return machine.Wait();
        }
        var here = Assert.Single(Machine().WithCode(0).Records);
        var records = Machine(sides).WithCode(0).Records;
        Assert.Equal(["server ", "clients 0", "clients 1"],
            records.Select(record => $"{record["role"]} {record["client_machine"]}"));
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, "machine")));
        Assert.All(records, record => Assert.Equal(here["suite_commit"], record["suite_commit"]));
        Assert.All(records, record => Assert.Equal(here["sweep"], record["sweep"]));
        // A side without a host is this machine.
        Assert.Equal(["server ", "clients 0"], Machine("--client-hosts", Namespaces.ClientA).WithCode(0).Records
            .Select(record => $"{record["role"]} {record["client_machine"]}"));

        string[] resume = ["--resume", scratch.Folder, .. sides];
        File.WriteAllLines(scratch.PathOf("raw.jsonl"), records.Select(record => record.ToString(Formatting.None)));
        Assert.Empty(Machine(resume).WithCode(0).Out);
        records[2]["loopback_mtu_bytes"] = 1234;
        File.WriteAllLines(scratch.PathOf("raw.jsonl"), records.Select(record => record.ToString(Formatting.None)));
        Assert.Contains("loopback_mtu_bytes is 65536, but 1234 in", Machine(resume).WithCode(1).Sentence());
        Assert.Contains("does not tell what machine it is", Machine("--server-host", Namespaces.Server,
            "--remote-folder", "nothing-here").WithCode(1).Sentence());
    }

    [Theory]
    [InlineData("bench-udp", "unreliable")]
    [InlineData("bench-tcp", "reliable-ordered")]
    public void Two_machines_share_the_clients_of_one_server(string bench, string delivery)
    {
        Deploy();
        var (serverBytes, parentBytes) = (machines.BytesReceivedBy(Namespaces.Server), machines.BytesReceivedByParent);
        using var run = Run(bench, [.. sides, "--run-id", "shared", "--delivery", delivery,
            "--clients", "5", "--parallel", "3", "--warmup-seconds", "0", "--seconds", "2"]);
        WaitForWindows(run);
        // Machine i of n has the clients from 5 x i / n on.
        Assert.Equal(2, ClientsOn(Namespaces.ClientA, bench["bench-".Length..]));
        Assert.Equal(3, ClientsOn(Namespaces.ClientB, bench["bench-".Length..]));
        var ended = run.Wait().WithCode(0);
        Assert.Empty(ended.Error);

        var records = ended.Records;
        Assert.All(records, record => Assert.Equal("shared", (string?)record["run_id"]));
        var clients = records.Where(record => Record.KindOf(record) == "client")
            .OrderBy(client => (int)client["settings"]!["client_machine"]!).ToArray();
        Assert.Equal([0, 1], clients.Select(client => (int)client["settings"]!["client_machine"]!));
        var server = Record.Single(records, "server");
        Assert.All([server, .. clients], record =>
        {
            Assert.Equal(5, (int)record["settings"]!["clients"]!);
            Assert.Equal(2, (int)record["settings"]!["client_machines"]!);
            Assert.Equal(Namespaces.Server, (string?)record["settings"]!["address"]);
        });
        Assert.All(clients, Record.AssertAddsUp);
        Assert.All(clients, client => Assert.True((long)client["received_window"]! > 0));
        var sent = clients.Sum(client => Record.Sum(client, "sent_warmup", "sent_window"));
        var answered = clients.Sum(client => Record.Sum(client, "received_warmup", "received_warmup_late",
            "received_window", "received_drain"));
        Assert.InRange((long)server["received"]!, answered, sent);
        if (delivery != "unreliable") Assert.Equal(sent, answered);
        // The windows lie over each other: most of both is in the file before the first one's end.
        var phases = records.Where(record => (string?)record["side"] == "client")
            .Select(interval => (string?)interval["phase"]).ToList();
        Assert.True(phases.Take(phases.IndexOf("drain")).Count(phase => phase == "window")
            >= 0.75 * phases.Count(phase => phase == "window"), string.Join(' ', phases));
        Assert.InRange((double)server["cost"]!["elapsed_s"]!, 1.5, 2.5);
        AssertChecked(ended);

        // The messages went straight from host to host; the parent saw records alone.
        serverBytes = machines.BytesReceivedBy(Namespaces.Server) - serverBytes;
        parentBytes = machines.BytesReceivedByParent - parentBytes;
        Assert.True(serverBytes > (long)server["bytes_received"]!);
        Assert.True(parentBytes < serverBytes / 5, $"parent {parentBytes}, server {serverBytes}");
        Assert.Empty(machines.ProcessesWith("bench-"));
    }

    [Fact]
    public void One_side_may_stay_here()
    {
        Deploy();
        foreach (var flags in new string[][] { ["--server-host", Namespaces.Server],
            ["--client-hosts", Namespaces.ClientA, "--address", Namespaces.Parent] })
        {
            using var run = Run("bench-udp", [.. flags, .. Bench.Short]);
            var ended = run.Wait().WithCode(0);
            Assert.Empty(ended.Error);
            Record.AssertAddsUp(Record.Single(ended.Records, "client"));
            AssertChecked(ended);
        }
    }

    [Fact]
    public void A_host_with_another_build_is_refused_before_anything_runs()
    {
        Deploy();
        foreach (var host in hosts)
            machines.Shell(host, "rm -rf changed && cp -r netbench changed").WithCode(0);
        machines.Shell(Namespaces.ClientB, "printf x >> changed/bench-udp/bench-udp.pdb").WithCode(0);
        using var run = Run("bench-udp", [.. sides, .. Bench.Short, "--remote-folder", "changed"]);
        var ended = run.Wait();
        Assert.Contains($"root@{Namespaces.ClientB}", (string)ended.Failure()["reason"]!);
        Assert.Single(ended.Out);
    }

    [Fact]
    public void A_link_that_dies_in_mid_run_fails_the_run_and_leaves_no_process_on_either_side()
    {
        Deploy();
        // The host behind the cut link has clients of two runs and the server of a third.
        string[][] flags =
        [
            ["bench-udp", .. sides], ["bench-tcp", .. sides],
            ["bench-tcp", "--server-host", Namespaces.ClientB, "--client-hosts", Namespaces.ClientA],
        ];
        var runs = flags.Select(words => Run(words[0], [.. words[1..], .. slow])).ToList();
        try
        {
            WaitForWindows(runs);
            // And one that has just begun.
            runs.Add(Run("bench-udp", ["--server-host", Namespaces.ClientB, .. slow]));
            runs[^1].LineWith("\"ready\"");
            machines.Plug(Namespaces.ClientB, false);
            foreach (var run in runs) AssertFails(run.Wait(45));
            Command.Until(() => machines.ProcessesWith("bench-").Count == 0, 45);
        }
        finally
        {
            machines.Plug(Namespaces.ClientB, true);
            runs.ForEach(run => run.Dispose());
        }
    }

    [Fact]
    public void A_killed_ssh_fails_the_run_and_a_killed_parent_leaves_no_process()
    {
        Deploy();
        using var lost = Run("bench-udp", [.. sides, .. slow]);
        using var parent = Run("bench-tcp", [.. sides, .. slow]);
        WaitForWindows(lost, parent);
        var ssh = machines.ProcessesWith($"{Namespaces.ClientA} dotnet netbench/bench-udp").Single(
            process => process.Value.Contains("ssh"));
        using (var process = System.Diagnostics.Process.GetProcessById(ssh.Key)) process.Kill();
        parent.Kill();
        AssertFails(lost.Wait(40));
        Command.Until(() => machines.ProcessesWith("bench-").Count == 0, 25);
    }

    [Fact]
    public void Ctrl_C_ends_the_windows_of_all_machines_and_writes_them()
    {
        Deploy();
        using var run = Run("bench-udp", [.. sides, .. slow]);
        WaitForWindows(run);
        Thread.Sleep(300); // so that there is something to write
        run.PressCtrlC();
        var ended = run.Wait(40).WithCode(130);
        Assert.Empty(ended.Error);
        var records = ended.Records;
        Assert.Equal(2, records.Count(record => Record.KindOf(record) == "client"));
        Record.Single(records, "server");
        AssertChecked(ended);
        Assert.Empty(machines.ProcessesWith("bench-"));
    }

    [Fact]
    public void A_sweep_over_hosts_copies_measures_and_reports_and_goes_on_in_either_shell()
    {
        var (results, raw) = (scratch.PathOf("sweep"), scratch.PathOf("sweep", "raw.jsonl"));
        MiniTree.StubBuilds(scratch.PathOf("path"));
        Ended RunAll(string shell, string script, params IEnumerable<string> args)
        {
            using var sweep = machines.StartIn(Repo.Root, "sh", ["-c", $"PATH='{scratch.PathOf("path")}':$PATH exec \"$@\"",
                shell, shell, script, .. sides, "--remote-folder", "swept", .. args]);
            return sweep.Wait(240).WithCode(0);
        }
        var swept = RunAll("bash", "scripts/run-all.sh", "--out", results, "--libraries", "udp",
            "--delivery", "unreliable", "--clients", "3", "--parallel", "1", "--payload-bytes", "32",
            "--warmup-seconds", "0", "--seconds", "0.3", "--repeats", "2");
        Assert.Contains($"copied 1 executable to {Namespaces.Server}", swept.Out);
        var records = Record.In(raw);
        int Count(string kind) => records.Count(record => Record.KindOf(record) == kind);
        Assert.Equal((3, 1, 4, 2, 0),
            (Count("machine"), Count("info"), Count("client"), Count("server"), Count("error")));
        Tool.Run("check", raw).WithCode(0);
        Assert.Contains("udp", File.ReadAllText(Path.Combine(results, "report.md")));

        // The second run is lost with all but its first client's record.
        var last = Array.FindLastIndex(records, record => Record.KindOf(record) == "client");
        File.WriteAllLines(raw, File.ReadAllLines(raw).Take(last));
        if (Namespaces.Find("pwsh") is { } pwsh) RunAll(pwsh, "scripts/run-all.ps1", "--resume", results);
        else RunAll("bash", "scripts/run-all.sh", "--resume", results);
        records = Record.In(raw);
        Assert.Equal((3, 1, 4, 2, 0),
            (Count("machine"), Count("info"), Count("client"), Count("server"), Count("error")));
    }

    // Copies what is measured here to all hosts, once.
    void Deploy()
    {
        string[] libraries = ["udp", "tcp"];
        Assert.SkipUnless(libraries.All(library => Bench.IsBuilt($"bench-{library}")), "A bench is not built.");
        if (!Directory.Exists(Path.Combine(machines.HomeOf(Namespaces.Server), "netbench")))
            machines.Lead(Repo.Root, ["deploy", .. sides, "--libraries", string.Join(',', libraries)]).WithCode(0);
    }

    Command Run(string bench, params IEnumerable<string> args) =>
        machines.StartIn(scratch.Folder, "dotnet", [Bench.PathOf(bench), "run", .. args]);

    // Until the windows of all runs are open.
    static void WaitForWindows(params IEnumerable<Command> runs)
    {
        foreach (var run in runs) run.LineWith("\"side\":\"client\",\"phase\":\"window\"", 30);
    }

    static void AssertFails(Ended ended)
    {
        ended.WithCode(1).AssertNoStackTrace();
        Assert.Contains(ended.Records, record => Record.KindOf(record) == "error");
        Assert.Empty(ended.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
    }

    // Connected sockets (state 01) on a host whose other end is the server: its address is 10.213.7.2.
    int ClientsOn(string host, string protocol) =>
        machines.Shell(host, $"cat /proc/net/{protocol} /proc/net/{protocol}6").WithCode(0).Out
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Count(socket => socket[2].Contains("0207D50A:") && socket[3] == "01");

    void AssertChecked(Ended ended)
    {
        File.WriteAllLines(scratch.PathOf("raw.jsonl"), ended.Out);
        Tool.Run("check", scratch.PathOf("raw.jsonl")).WithCode(0);
    }

    static void AssertSame(string folder, string copy)
    {
        string[] Files(string root) => [.. Directory.GetFiles(root, "*", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(root, file)).Order()];
        Assert.Equal(Files(folder), Files(copy));
        Assert.All(Files(folder), file => Assert.Equal(
            File.ReadAllBytes(Path.Combine(folder, file)), File.ReadAllBytes(Path.Combine(copy, file))));
    }
}
