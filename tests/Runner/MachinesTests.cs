using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>A sweep over several machines, reached by ssh: here network namespaces of this one.</summary>
public sealed class MachinesTests(Namespaces machines) : OnMachines(machines)
{
    [Fact]
    public void Deploying_copies_each_executable_to_each_host_and_replaces_what_was_there()
    {
        var benches = Repo.AllBenches.Where(Bench.IsBuilt).ToArray();
        for (var time = 1; time <= 2; time++)
        {
            // The server's host has clients as well, and is copied to once.
            var clients = $"{Namespaces.Clients},{Namespaces.Server}";
            string[] sides = ["--server-host", Namespaces.Server, "--client-hosts", clients];
            var deployed = machines.Lead(Repo.Root, ["deploy", .. sides, "--remote-folder", "copies/of.it"]);
            Assert.Empty(deployed.WithCode(0).Error);
            string[] names = [Namespaces.Server, Namespaces.ClientA, $"root@{Namespaces.ClientB}"];
            var copied = names.Select(name => $"copied {benches.Length} executables to {name}");
            Assert.Equal(copied.Order(), deployed.Out.Order());
            foreach (var host in hosts)
            {
                var folder = Path.Combine(machines.HomeOf(host), "copies", "of.it");
                var folders = Directory.GetDirectories(folder).Select(path => Path.GetFileName(path)!);
                Assert.Equal([.. benches, "runner"], folders.Order());
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
        {
            string[] words = ["deploy", "--server-host", Namespaces.Server, "--remote-folder", folder];
            var told = machines.Lead(Repo.Root, words).WithCode(1).Sentence();
            Assert.Contains($"its folder '{folder}' holds", told);
        }
        Assert.True(File.Exists(source));
    }

    [Fact]
    public void A_host_that_cannot_be_reached_is_told_in_one_sentence()
    {
        var silent = machines.Lead(Repo.Root, "deploy", "--server-host", Namespaces.Silent);
        Assert.Contains($"Cannot copy to {Namespaces.Silent}: ssh: connect to host", silent.WithCode(1).Sentence());
        Assert.Contains("timed out", silent.Error[0]);
        Assert.InRange(silent.Seconds, 9, 40);
        (string, string)[] unreachable =
        [
            ($"nobody@{Namespaces.Server}", "Permission denied"),
            ("nosuch.invalid", "Could not resolve hostname"),
            ("[::1]", "connect to host ::1"),
        ];
        foreach (var (host, reason) in unreachable)
        {
            var deployed = machines.Lead(Repo.Root, "deploy", "--client-hosts", host);
            Assert.Contains(reason, deployed.WithCode(1).Sentence());
        }
    }

    [Fact]
    public void A_host_without_this_dotnet_is_told_in_one_sentence()
    {
        var bin = Path.Combine(machines.HomeOf(Namespaces.ClientA), "bin");
        MiniTree.Stub(bin, "echo 'Microsoft.NETCore.App 8.0.1 [/usr/share/dotnet]'");
        try
        {
            var deployed = machines.Lead(Repo.Root, ["deploy", .. Namespaces.Sides, "--remote-folder", "none"]);
            var told = deployed.WithCode(1).Sentence();
            Assert.Contains($"Cannot copy to {Namespaces.ClientA}: it has no .NET 10", told);
            Assert.False(Directory.Exists(Path.Combine(machines.HomeOf(Namespaces.ClientA), "none")));
        }
        finally
        {
            Directory.Delete(bin, recursive: true);
        }
    }

    [Fact]
    public void Each_machine_of_a_sweep_has_a_record_and_a_sweep_goes_on_with_the_same_ones()
    {
        machines.Deploy();
        File.WriteAllText(scratch.PathOf("built"), ""); // nothing to copy
        Ended Begin(string folder, string[] hosts, params string[] more)
        {
            var settings = Worker.Run(Tool.LeadPath, Repo.Root, "", ["sweep", .. hosts]).WithCode(0).Out;
            string[] words = [Tool.LeadPath, "begin", scratch.PathOf(folder), "--built", scratch.PathOf("built")];
            using var begin = machines.StartIn(Repo.Root, "dotnet", [.. words, .. more]);
            begin.Write(string.Join('\n', settings));
            return begin.Wait();
        }
        JObject[] Begun(string folder, params string[] hosts)
        {
            Begin(folder, hosts).WithCode(0);
            return Record.In(scratch.PathOf(folder, "raw.jsonl"));
        }
        static string RoleOf(JObject machine) => $"{machine["role"]} {machine["client_machine"]}";
        var here = Assert.Single(Begun("here"));
        var records = Begun("there", Namespaces.Sides);
        Assert.Equal(["server ", "clients 0", "clients 1"], records.Select(RoleOf));
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, "machine")));
        Assert.All(records, record => Assert.Equal(here["suite_commit"], record["suite_commit"]));
        Assert.All(records, record => Assert.Equal(here["sweep"], record["sweep"]));
        Assert.DoesNotContain(Namespaces.Server, File.ReadAllText(scratch.PathOf("there", "raw.jsonl")));
        // A side without a host is this machine.
        var one = Begun("one", "--client-hosts", Namespaces.ClientA, "--address", Namespaces.Parent);
        Assert.Equal(["server ", "clients 0"], one.Select(RoleOf));

        Begin("there", Namespaces.Sides, "--resume").WithCode(0);
        records[2]["loopback_mtu_bytes"] = 1234;
        var lines = records.Select(record => record.ToString(Formatting.None));
        File.WriteAllLines(scratch.PathOf("there", "raw.jsonl"), lines);
        var refused = Begin("there", Namespaces.Sides, "--resume").WithCode(1);
        Assert.Contains("loopback_mtu_bytes is 65536, but 1234 in", refused.Sentence());
        refused = Begin("no", ["--server-host", Namespaces.Server, "--remote-folder", "nothing-here"]).WithCode(1);
        Assert.Contains("does not tell what machine it is", refused.Sentence());
        Assert.False(Directory.Exists(scratch.PathOf("no")));
    }

    [Fact]
    public void A_sweep_over_hosts_copies_measures_and_reports_and_goes_on_in_either_shell()
    {
        var results = scratch.PathOf("sweep");
        var raw = scratch.PathOf("sweep", "raw.jsonl");
        MiniTree.StubBuilds(scratch.PathOf("path"));
        Ended RunAll(string shell, string script, params IEnumerable<string> args)
        {
            var withStub = $"PATH='{scratch.PathOf("path")}':$PATH exec \"$@\"";
            string[] flags = [.. Namespaces.Sides, "--remote-folder", "swept", .. args];
            using var sweep = machines.StartIn(Repo.Root, "sh", ["-c", withStub, shell, shell, script, .. flags]);
            return sweep.Wait(300).WithCode(0);
        }
        void AssertHasTwoRuns()
        {
            var records = Record.In(raw);
            int Count(string kind) => records.Count(record => Record.KindOf(record) == kind);
            Assert.Equal(3, Count("machine"));
            Assert.Equal(1, Count("info"));
            // Of each run those of the server and of two machines of clients.
            Assert.Equal(6, Count("ready"));
            Assert.Equal(6, Count("closed"));
            Assert.Equal(2, Count("launch"));
            Assert.Equal(0, Count("error"));
        }
        string[] load = ["--delivery", "unreliable", "--clients", "3", "--parallel", "1", "--payload-bytes", "32"];
        string[] times = ["--warmup-seconds", "0", "--seconds", "0.3", "--repeats", "2"];
        var swept = RunAll(
            "bash", "scripts/run-all.sh", ["--out", results, "--libraries", "udp", .. load, .. times]);
        Assert.Contains($"copied 1 executable to {Namespaces.Server}", swept.Out);
        AssertHasTwoRuns();
        Tool.Run("check", raw).WithCode(0);
        Assert.Contains("udp", Pages.In(results));

        // The second run is lost but for how it began.
        var firstLaunch = Array.FindIndex(Record.In(raw), record => Record.KindOf(record) == "launch");
        File.WriteAllLines(raw, File.ReadAllLines(raw).Take(firstLaunch + 5));
        if (Namespaces.Find("pwsh") is { } pwsh)
            RunAll(pwsh, "scripts/run-all.ps1", "--resume", results);
        else
            RunAll("bash", "scripts/run-all.sh", "--resume", results);
        AssertHasTwoRuns();
    }

    static void AssertSame(string folder, string copy)
    {
        var files = FilesIn(folder);
        Assert.Equal(files, FilesIn(copy));
        Assert.All(files, file =>
        {
            var copied = File.ReadAllBytes(Path.Combine(copy, file));
            Assert.Equal(File.ReadAllBytes(Path.Combine(folder, file)), copied);
        });
    }

    static string[] FilesIn(string folder)
    {
        var files = Directory.GetFiles(folder, "*", SearchOption.AllDirectories);
        return [.. files.Select(file => Path.GetRelativePath(folder, file)).Order()];
    }
}
