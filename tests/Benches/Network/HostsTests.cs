using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>Runs whose sides are on other machines, reached by ssh: here network namespaces of this one.</summary>
public sealed class HostsTests(Namespaces machines) : OnMachines(machines)
{
    static readonly string[] sides = Namespaces.Sides;
    static readonly string[] ofThree = ["client", "client", "server"];

    static readonly string[] slow =
        ["--clients", "2", "--rate", "200", "--warmup-seconds", "0", "--seconds", "120"];

    [Theory]
    [InlineData("bench-udp", "unreliable")]
    [InlineData("bench-tcp", "reliable-ordered")]
    public void Two_machines_share_the_clients_of_one_server(string bench, string delivery)
    {
        machines.Deploy();
        var serverBytes = machines.BytesReceivedBy(Namespaces.Server);
        var parentBytes = machines.BytesReceivedByParent;
        var library = Bench.LibraryOf(bench);
        string[] load = ["--clients", "5", "--parallel", "3", "--warmup-seconds", "0", "--seconds", "1"];
        using var run = Run(bench, [.. sides, "--run-id", "shared", "--delivery", delivery, .. load]);
        WaitUntilReady(run, 3);
        // Machine i of n has the clients from 5 x i / n on.
        Command.Until(() => ClientsOn(Namespaces.ClientA, library) == 2);
        Command.Until(() => ClientsOn(Namespaces.ClientB, library) == 3);
        var ended = run.Wait().WithCode(0);
        Assert.Empty(ended.Error);

        var records = ended.Records;
        Assert.All(records, record => Assert.Equal("shared", (string?)record["run_id"]));
        var settings = Record.Single(records, "launch")["settings"]!;
        Assert.Equal((5, 2), ((int)settings["clients"]!, (int)settings["client_machines"]!));
        Assert.Equal(Namespaces.Server, (string?)settings["address"]);
        var server = Record.Slices(records, "server");
        var clients = Record.Slices(records, "client");
        var ofServer = records.Where(record => (string?)record["side"] == "server");
        Assert.All(ofServer, record => Assert.Null((int?)record["client_machine"]));
        for (var machine = 0; machine < 2; machine++)
        {
            var own = clients.Where(slice => (int)slice["client_machine"]! == machine).ToArray();
            Assert.Equal(server.Select(PhaseOf), own.Select(PhaseOf));
            Assert.All(own, Record.AssertAddsUp);
            Assert.True(Record.Sum(Record.Slice(own, "client", "window"), "received") > 0);
        }
        var sent = Record.Sum(clients, "sent");
        var answered = Record.Sum(clients, "received");
        Assert.InRange(Record.Sum(server, "received"), answered, sent);
        if (delivery != "unreliable")
        {
            Assert.Equal(sent, answered);
        }
        // Each machine looks at itself around its own window, and all windows open and close together.
        JObject[] windows = [.. clients.Concat(server).Where(slice => PhaseOf(slice) == "window")];
        Assert.Equal(3, windows.Length);
        foreach (var window in windows)
        {
            Assert.Equal("eth0", (string?)window["outside"]!["interface"]);
            Assert.InRange((double)window["elapsed_ns"]! / 1e9, 0.7, 6);
        }
        AssertChecked(ended);

        // The messages went straight from host to host; the parent saw records alone.
        serverBytes = machines.BytesReceivedBy(Namespaces.Server) - serverBytes;
        parentBytes = machines.BytesReceivedByParent - parentBytes;
        Assert.True(serverBytes > 32 * Record.Sum(server, "received"));
        Assert.True(parentBytes < serverBytes / 5, $"parent {parentBytes}, server {serverBytes}");
        Assert.Empty(machines.ProcessesWith("bench-"));
    }

    // Of eight clients on two machines in rooms of three each machine has a room of three and one of one.
    [Theory, InlineData("broadcast"), InlineData("game")]
    public void A_room_lies_within_one_machine_and_all_in_it_have_what_is_sent(string work)
    {
        machines.Deploy();
        string[] load = ["--work", work, "--clients", "8", "--room", "3", "--rate", "240"];
        using var run = Run("bench-tcp", [.. sides, .. load, "--warmup-seconds", "0", "--seconds", "1"]);
        var ended = run.Wait().WithCode(0);
        Assert.Empty(ended.Error);
        JObject[] windows =
            [.. Record.Slices(ended.Records, "client").Where(slice => PhaseOf(slice) == "window")];
        Assert.Equal(2, windows.Length);
        Assert.All(windows, Record.AssertAllDelivered);
        AssertChecked(ended);
    }

    [Fact]
    public void One_side_may_stay_here()
    {
        machines.Deploy();
        string[][] ways =
        [
            ["--server-host", Namespaces.Server],
            ["--client-hosts", Namespaces.ClientA, "--address", Namespaces.Parent],
        ];
        foreach (var flags in ways)
        {
            using var run = Run("bench-udp", [.. flags, .. Bench.Short]);
            var ended = run.Wait().WithCode(0);
            Assert.Empty(ended.Error);
            Assert.All(Record.Slices(ended.Records, "client"), Record.AssertAddsUp);
            AssertChecked(ended);
        }
    }

    [Fact]
    public void A_host_that_cannot_be_reached_is_told_in_one_sentence()
    {
        (string Host, string Reason)[] hosts =
        [
            (Namespaces.Silent, "timed out"),
            ($"nobody@{Namespaces.Server}", "Permission denied"),
            ("nosuch.invalid", "Could not resolve hostname"),
            ("[::1]", "connect to host ::1"),
        ];
        // All at once: most of the time they wait.
        var runs = Array.ConvertAll(
            hosts, host => Run("bench-udp", "--server-host", host.Host, "--address", Namespaces.Server));
        foreach (var ((_, reason), run) in hosts.Zip(runs))
        {
            using (run)
            {
                var said = (string)run.Wait().Failure()["reason"]!;
                Assert.StartsWith("The link to the server was lost: ", said);
                Assert.Contains(reason, said);
            }
        }
    }

    [Fact]
    public void A_host_without_the_executables_or_with_others_is_refused_before_anything_is_sent()
    {
        machines.Deploy();
        using var missing = Run("bench-udp", [.. sides, .. Bench.Short, "--remote-folder", "nothing-here"]);
        missing.Wait().WithCode(1).AssertNoStackTrace();

        foreach (var host in hosts)
        {
            // Repo.Copy takes an absolute path as it is.
            Repo.Copy(
                Path.Combine(machines.HomeOf(host), "netbench"), Path.Combine(machines.HomeOf(host), "changed"));
        }
        var changed = Path.Combine(machines.HomeOf(Namespaces.ClientB), "changed");
        File.AppendAllText(Path.Combine(changed, "bench-udp", "bench-udp.pdb"), "x");
        using var run = Run("bench-udp", [.. sides, .. Bench.Short, "--remote-folder", "changed"]);
        var ended = run.Wait();
        Assert.Equal(
            "The client on machine 2's host has another build of bench-udp in 'changed'.",
            (string?)ended.Failure()["reason"]);
        // But the first message of each client, by which it is connected.
        Assert.Equal(2, Record.Sum(Record.Slices(ended.Records, "client"), "sent"));
    }

    [Fact]
    public void What_fails_on_a_host_is_told_here_in_one_sentence()
    {
        machines.Deploy();
        using var run = Run("bench-udp", [.. sides, "--clients", "3", "--address", "192.0.2.1"]);
        var error = run.Wait().Failure();
        Assert.StartsWith("Cannot listen on 192.0.2.1:", (string?)error["reason"]);
        Assert.Equal("server", (string?)error["side"]);
    }

    [Fact]
    public void A_link_that_dies_in_mid_run_fails_the_run_and_leaves_no_process_on_either_side()
    {
        machines.Deploy();
        // The host behind the cut link has clients of two runs and the server of a third.
        (string Bench, string[] Flags, int Sides)[] all =
        [
            ("bench-udp", sides, 3),
            ("bench-tcp", sides, 3),
            ("bench-tcp", ["--server-host", Namespaces.ClientB, "--client-hosts", Namespaces.ClientA], 2),
        ];
        var runs = all.Select(run => Run(run.Bench, [.. run.Flags, .. slow])).ToList();
        try
        {
            foreach (var (run, count) in runs.Zip(all.Select(run => run.Sides)))
            {
                WaitUntilReady(run, count);
            }
            // And one that has just begun.
            runs.Add(Run("bench-udp", ["--server-host", Namespaces.ClientB, .. slow]));
            WaitUntilReady(runs[^1], 1);
            machines.Plug(Namespaces.ClientB, false);
            runs.ForEach(run => AssertFails(run.Wait()));
            Command.Until(() => machines.ProcessesWith("bench-").Count == 0);
        }
        finally
        {
            machines.Plug(Namespaces.ClientB, true);
            runs.ForEach(run => run.Dispose());
        }
    }

    [Fact]
    public void A_killed_ssh_fails_the_run_and_a_killed_runner_leaves_no_process()
    {
        machines.Deploy();
        using var lost = Run("bench-udp", [.. Namespaces.Sides, .. slow]);
        using var parent = Run("bench-tcp", [.. Namespaces.Sides, .. slow]);
        WaitUntilReady(lost, 3);
        WaitUntilReady(parent, 3);
        var sides = machines.ProcessesWith($"{Namespaces.ClientA} dotnet netbench/runner/runner.dll side udp");
        var ssh = sides.Single(process => process.Value.Contains("ssh"));
        using (var process = Process.GetProcessById(ssh.Key))
        {
            process.Kill();
        }
        parent.Kill();
        AssertFails(lost.Wait());
        Command.Until(() => machines.ProcessesWith("bench-").Count == 0);
    }

    [Fact]
    public void Ctrl_C_ends_the_windows_of_all_machines_and_writes_them()
    {
        machines.Deploy();
        using var run = Run("bench-udp", [.. sides, .. slow]);
        WaitUntilReady(run, 3);
        Thread.Sleep(2000); // no record says that the windows are open: by then they are, and have something to write
        run.PressCtrlC();
        var ended = run.Wait().WithCode(130);
        Assert.Empty(ended.Error);
        var windows = ended.Records.Where(record => PhaseOf(record) == "window");
        Assert.Equal(ofThree, windows.Select(window => (string)window["side"]!).Order());
        AssertChecked(ended);
        Assert.Empty(machines.ProcessesWith("bench-"));
    }

    [Fact]
    public void Libraries_measured_interleaved_stand_still_on_their_hosts()
    {
        machines.Deploy();
        Command Begin(string rounds)
        {
            string[] run = [Tool.LeadPath, "run", "udp/unreliable,tcp/reliable-ordered", .. sides, "--run-id", "r1"];
            string[] turns = ["--rounds", rounds, "--slice-ms", "30", "--settle-ms", "10"];
            string[] load = ["--clients", "4", "--warmup-seconds", "0", "--seconds", "0.3", .. turns];
            return machines.StartIn(scratch.Folder, "dotnet", [.. run, .. load]);
        }

        // Three sides of each, of which each was seen to stand still.
        void WaitUntilAllStood()
        {
            var stood = new HashSet<int>();
            Command.Until(() =>
            {
                stood.UnionWith(machines.ProcessesWith("bench-").Keys.Where(Twins.StandsStill));
                return stood.Count == 6;
            });
        }
        using (var run = Begin("15"))
        {
            WaitUntilAllStood();
            var ended = run.Wait().WithCode(0);
            Assert.Empty(ended.Error);
            var launches = ended.Records.Where(record => Record.KindOf(record) == "launch").ToArray();
            Assert.Equal(["tcp", "udp"], launches.Select(launch => (string)launch["library"]!).Order());
            Assert.Single(launches.Select(launch => (string?)launch["block"]).Distinct());
            Assert.All(launches, launch => Assert.Equal(15, launch["rounds"]!["completed"]!.Count()));
            Assert.All(launches, launch => Assert.True(launch["rounds"]!["completed"]!.Sum(value => (long)value!) > 0));
            Assert.All(Record.Slices(ended.Records, "client"), Record.AssertAddsUp);
            AssertChecked(ended);
        }
        using var killed = Begin("10000");
        WaitUntilAllStood();
        killed.Kill();
        Command.Until(() => machines.ProcessesWith("bench-").Count == 0);
    }

    Command Run(string bench, params IEnumerable<string> args) =>
        machines.StartIn(scratch.Folder, "dotnet", [Tool.LeadPath, "run", Bench.LibraryOf(bench), .. args]);

    // Until so many sides have said that they are.
    static void WaitUntilReady(Command run, int sides)
    {
        Command.Until(() => run.HasExited || run.Lines.Count(line => line.Contains("\"ready\"")) >= sides);
    }

    static string? PhaseOf(JObject slice) => (string?)slice["phase"];

    static void AssertFails(Ended ended)
    {
        ended.WithCode(1).AssertNoStackTrace();
        Assert.Contains(ended.Records, record => Record.KindOf(record) == "error");
        Assert.Empty(ended.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
    }

    // Connected sockets (state 01) on a host whose other end is the server: its address is 10.213.7.2.
    int ClientsOn(string host, string protocol)
    {
        var lines = machines.NetOf(host, protocol).Concat(machines.NetOf(host, $"{protocol}6"));
        var sockets = lines.Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        return sockets.Count(socket => socket[2].Contains("0207D50A:") && socket[3] == "01");
    }

    void AssertChecked(Ended ended)
    {
        File.WriteAllLines(scratch.PathOf("raw.jsonl"), ended.Out);
        Tool.Run("check", scratch.PathOf("raw.jsonl")).WithCode(0);
    }
}
