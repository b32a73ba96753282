using System.Text.RegularExpressions;

/// <summary>Which CPUs both sides are pinned to: planned from the machine's topology, and heeded by every thread.
/// </summary>
public sealed class PinsTests : IDisposable
{
    readonly Scratch scratch = new();

    public PinsTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux alone tells of CPUs and pins to them.");
        Assert.SkipUnless(Tool.CanLead, "runner is not built.");
    }

    public void Dispose() => scratch.Dispose();

    // A word a core: CPUs that share it, after @ the third-level cache that it has, after # its node.
    [Theory]
    [InlineData("two cores", "0 1", null, "0/1")]
    [InlineData("many cores", "0 1 2 3 4 5 6 7", null, "0-3/4-7")]
    [InlineData("siblings stay together", "0,4 1,5 2,6 3,7", null, "0-1,4-5/2-3,6-7")]
    [InlineData("siblings beside each other", "0,1 2,3 4,5 6,7", null, "0-3/4-7")]
    [InlineData("one core with two threads", "0,1", null, "0/1")]
    [InlineData("the odd core is left out", "0 1 2", null, "0/2")]
    [InlineData("nodes whose CPUs alternate", "0#0 1#1 2#0 3#1", null, "0,2/1,3")]
    [InlineData("nodes with siblings", "0,4#0 1,5#1 2,6#0 3,7#1", null, "0,2,4,6/1,3,5,7")]
    [InlineData("caches whose CPUs alternate", "0@a 1@b 2@a 3@b", null, "0,2/1,3")]
    [InlineData("caches of unequal size", "0@a 1@a 2@b 3@b 4@b 5@b 6@c 7@c", null, "0-1,6-7/2-5")]
    [InlineData("a cache that must be parted", "0@a 1@b 2@b 3@b 4@b 5@b", null, "0-2/3-5")]
    [InlineData("unequal nodes, an odd core", "0#0 1#0 2#0 3#0 4#1 5#1 6#1", null, "1-3/4-6")]
    [InlineData("more than two nodes", "0#0 1#1 2#2 3#3 4#0 5#1 6#2 7#3", null, "0-1,4-5/2-3,6-7")]
    [InlineData("a process that may use some CPUs", "0,4 1,5 2,6 3,7", "1,2-3", "1/3")]
    [InlineData("a process that may use one node", "0#0 1#1 2#0 3#1", "1,3", "1/3")]
    [InlineData("one CPU", "0", null, null)]
    [InlineData("a process that may use one CPU", "0 1", "1", null)]
    public void Sides_have_equally_many_cores_and_share_as_little_as_can_be(
        string _, string machine, string? allowed, string? plan)
    {
        var all = MakeMachine(machine);
        var ended = Tool.Lead("pins", "--topology", scratch.Folder, "--allowed", allowed ?? all);
        if (plan == null)
            Assert.Contains("one CPU only", ended.WrongUsage());
        else
            Assert.Equal([plan], ended.WithCode(0).Out);
    }

    // Sides, then the emulator's CPU.
    [Theory]
    [InlineData("two CPUs are those of the sides", "0 1", "auto", "0/1 link none")]
    [InlineData("two CPUs are shared by all", "0 1", "none", "all/all link none")]
    [InlineData("the core that is left out", "0 1 2", "auto", "0/2 link 1")]
    [InlineData("each side gives up a core", "0 1 2 3 4 5 6 7", "auto", "0-2/4-6 link 7")]
    [InlineData("of nodes too", "0#0 1#1 2#0 3#1", "auto", "0/1 link 3")]
    [InlineData("a thread of two cores", "0,2 1,3", "auto", "0/1 link 3")]
    [InlineData("a thread of one core", "0,1,2,3", "auto", "0/2 link 3")]
    [InlineData("a side of one thread keeps it", "0,1 2", "auto", "0/2 link 1")]
    [InlineData("sides that share keep off it", "0 1 2", "none", "0-1/0-1 link 2")]
    [InlineData("a core that no side has", "0,3 1,4 2,5", "0/1", "0/1 link 5")]
    [InlineData("a CPU that no side has", "0,2 1,3", "0/1", "0/1 link 3")]
    [InlineData("sides that have all", "0 1 2", "0-1/2", "0-1/2 link none")]
    public void A_links_emulator_has_a_CPU_of_its_own_where_there_are_three(
        string _, string machine, string pin, string plan)
    {
        var all = MakeMachine(machine);
        string[] words = ["pins", "--topology", scratch.Folder, "--allowed", all, "--link", "--pin", pin];
        Assert.Equal([plan], Tool.Lead(words).WithCode(0).Out);
    }

    [Fact]
    public void The_plan_is_for_the_CPUs_that_the_process_may_use()
    {
        var own = Tool.Lead("pins");
        using var one = Command.Start("taskset", "-c", "0", "dotnet", Tool.LeadPath, "pins");
        Assert.Contains("one CPU only", one.Wait().WrongUsage());
        string[] words = ["-c", "0", "dotnet", Tool.LeadPath, "sweep", "--pin", "0/1"];
        using var sweep = Command.StartIn(Repo.Root, [], "taskset", words);
        Assert.Contains("pin names CPU 1, but this process may use 0.", sweep.Wait().WrongUsage());
        if (Environment.ProcessorCount == 2)
            Assert.Equal(["0/1"], own.WithCode(0).Out);
        Tool.Lead("pins", "--allowed", "1-0").WrongUsage();
    }

    // The runner pins all alike: one whose threads are .NET's alone, and one whose library starts threads of its own.
    [Theory, InlineData("bench-udp"), InlineData("bench-datachannel")]
    public void Every_thread_of_a_pinned_side_is_where_it_belongs_and_the_runtime_counts_its_CPUs(string bench)
    {
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        Assert.SkipUnless(Environment.ProcessorCount >= 2, "There is one CPU only.");
        using var run = Bench.StartMeasuring(bench, scratch.PathOf("raw.jsonl"), "--until-stdin-closes",
            "--server-cpus", "0", "--client-cpus", "1");
        var children = Bench.ChildrenOf(run.Id);
        Assert.Equal(["0"], CpusOf(children["server"]));
        Assert.Equal(["1"], CpusOf(children["client"]));
        run.CloseInput();
        run.Wait().WithCode(130);
        var records = Record.In(scratch.PathOf("raw.jsonl"));
        foreach (var side in new[] { "server", "client" })
            Assert.Equal(1, (int)Record.Of(records, side, "ready")["processor_count"]!);
        var settings = Record.Single(records, "launch")["settings"]!;
        Assert.Equal("0", (string?)settings["server_cpus"]);
        Assert.Equal("1", (string?)settings["client_cpus"]);
    }

    // Returns its CPUs.
    string MakeMachine(string machine)
    {
        foreach (var core in machine.Split(' '))
        {
            var parts = Regex.Match(core, "^([0-9,]+)(@(.+?))?(#(.+))?$").Groups;
            foreach (var cpu in parts[1].Value.Split(','))
            {
                Write(parts[1].Value, $"cpu{cpu}", "topology", "thread_siblings_list");
                Write("2", $"cpu{cpu}", "cache", "index2", "level");
                Write(cpu, $"cpu{cpu}", "cache", "index2", "shared_cpu_list");
                if (parts[3].Success)
                {
                    Write("3", $"cpu{cpu}", "cache", "index3", "level");
                    Write(parts[3].Value, $"cpu{cpu}", "cache", "index3", "shared_cpu_list");
                }
                Directory.CreateDirectory(scratch.PathOf($"cpu{cpu}", $"node{parts[5].Value}"));
            }
        }
        return Regex.Replace(machine.Replace(' ', ','), "[@#][a-z0-9]+", "");
    }

    // The CPUs that its threads may use, each list once.
    static string[] CpusOf(int process)
    {
        var threads = Directory.GetDirectories($"/proc/{process}/task");
        Assert.InRange(threads.Length, 5, 1000); // .NET has some of its own
        return [.. threads.Select(CpusOfThread).Distinct()];
    }

    static string CpusOfThread(string folder)
    {
        var status = File.ReadAllText($"{folder}/status");
        return Regex.Match(status, @"^Cpus_allowed_list:\s*(\S+)$", RegexOptions.Multiline).Groups[1].Value;
    }

    void Write(string text, params string[] path)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(scratch.PathOf(path))!);
        File.WriteAllText(scratch.PathOf(path), text + "\n");
    }
}
