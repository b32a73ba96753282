using Newtonsoft.Json.Linq;

/// <summary>A suite of libraries that are all plain UDP under names of their own, so that a block of them needs no
/// package. A test may say what one is started through, and knows the processes of each.</summary>
sealed class Twins : IDisposable
{
    /// <summary>The libraries.</summary>
    public static readonly string[] Names = ["one", "two", "three"];

    /// <summary>The same as words of `run`.</summary>
    public const string Words = "one/unreliable,two/unreliable,three/unreliable";

    /// <summary>At how many messages/s they are measured, unless a test says otherwise: a closed loop would take the
    /// CPUs from other tests.</summary>
    public const string Rate = "1000";

    // Of a block that is over quickly.
    static readonly string[] quick =
    [
        "--run-id", "r1",
        "--clients", "2",
        "--rate", Rate,
        "--warmup-seconds", "0.1",
        "--rounds", "6",
        "--seconds", "0.3",
        "--slice-ms", "30",
        "--settle-ms", "10",
    ];

    // Of one in whose rounds there is time for a test to do something.
    static readonly string[] lasting =
    [
        "--run-id", "r1",
        "--clients", "2",
        "--rate", "200",
        "--warmup-seconds", "0",
        "--rounds", "10000",
        "--seconds", "0.3",
        "--slice-ms", "30",
        "--settle-ms", "10",
    ];

    static readonly string[] sides = ["server", "client"];

    readonly Scratch scratch = new();

    public Twins()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests find processes in /proc.");
        Assert.SkipUnless(Tool.CanLead && Bench.IsBuilt(Bench.Model), "runner or its bench is not built.");
        Repo.Copy(Path.Combine("runner", "bin", "Release"), PathOf("runner"));
        Array.ForEach(Names, name => Add(name));
    }

    /// <summary>The records that a block left.</summary>
    public JObject[] Records => Record.In(Raw);
    public string Raw => PathOf("raw.jsonl");

    public string PathOf(params string[] parts) => scratch.PathOf(parts);

    /// <summary>Adds a library, or lets one be started otherwise: a command of sh before its own words.</summary>
    public void Add(string name, string start = "exec")
    {
        Directory.CreateDirectory(PathOf($"bench-{name}"));
        File.WriteAllText(PathOf($"bench-{name}", $"bench-{name}.dll"), "");
        File.Delete(PathOf($"bench-{name}", $"bench-{name}"));
        var script = $"""
            echo $$ > '{PathOf(name)}'.$1
            {start} dotnet '{Bench.PathOf(Bench.Model)}' "$@"
            """;
        MiniTree.Stub(PathOf($"bench-{name}"), script, $"bench-{name}");
    }

    /// <summary>The words that start a block that is over quickly, but for flags with other values.</summary>
    public string[] LedWords(string words, params string[] flags) =>
        [PathOf("runner", "runner.dll"), "run", words, "--out", Raw, .. With(quick, flags)];

    /// <summary>Starts such a block, so that it heeds Ctrl-C.</summary>
    public Command Start(string words, params string[] flags) => Command.StartGroup("dotnet", LedWords(words, flags));

    /// <summary>Measures it; of one that was measured before no records are left. No test may change a library between
    /// two calls, as a worker remembers what a bench has said of itself.</summary>
    public Ended Run(string words, params string[] flags)
    {
        File.Delete(Raw);
        var led = LedWords(words, flags);
        return Worker.Run(led[0], scratch.Folder, "", led[1..]);
    }

    /// <summary>Starts a long block of all and waits until it is in its rounds: then all have been seen to stand
    /// still, and one goes on.</summary>
    public Command StartMeasuring(params string[] flags)
    {
        var run = Start(Words, With(lasting, flags));
        var stood = new HashSet<int>();
        Command.Until(() =>
        {
            stood.UnionWith(All.Where(StandsStill));
            var isInRounds = All.Length == 6 && stood.Count == 6 && All.Any(process => !StandsStill(process));
            return run.HasExited || isInRounds;
        });
        Assert.False(run.HasExited, "The block was over too early.");
        Thread.Sleep(300);
        return run;
    }

    /// <summary>The process of a side; 0: it has not begun.</summary>
    public int ProcessOf(string name, string side)
    {
        var path = PathOf($"{name}.{side}");
        return File.Exists(path) && int.TryParse(File.ReadAllText(path), out var process) ? process : 0;
    }

    /// <summary>The processes of all sides that have begun.</summary>
    public int[] All
    {
        get
        {
            var processes = Names.SelectMany(name => sides.Select(side => ProcessOf(name, side)));
            return [.. processes.Where(process => process > 0)];
        }
    }

    /// <summary>Waits for the end of a block whose second library alone has failed, and returns why it did.</summary>
    public string AssertOthersAreMeasured(Command run, int rounds)
    {
        var ended = run.Wait().WithCode(1);
        ended.AssertNoStackTrace();
        var records = Records;
        Assert.Equal(["one", "three"], Launches.Select(launch => (string)launch["library"]!).Order());
        Assert.All(Launches, launch => Assert.Equal(rounds, launch["rounds"]!["completed"]!.Count()));
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        // Of both sides, where the clients see that their server is gone.
        var errors = records.Where(record => Record.KindOf(record) == "error").ToArray();
        Assert.NotEmpty(errors);
        foreach (var error in errors)
        {
            Assert.StartsWith("r1-two-", (string?)error["run_id"]);
            Assert.Equal(1, (int)error["exit_code"]!);
            Assert.Single(ended.Error, line => line.Contains((string)error["reason"]!));
        }
        AssertNoneLeft();
        return (string)errors[0]["reason"]!;
    }

    /// <summary>The launches that measured.</summary>
    public JObject[] Launches => [.. Records.Where(record => Record.KindOf(record) == "launch")];

    /// <summary>Asserts that before long no side and none of these is left, above all none that stands still.
    /// </summary>
    public void AssertNoneLeft(params int[] others)
    {
        Command.Until(() => All.Concat(others).All(process => StateOf(process) is 'Z' or '-'));
    }

    /// <summary>True while a process is stopped.</summary>
    public static bool StandsStill(int process) => StateOf(process) == 'T';

    /// <summary>The state of a process by its letter in /proc; - where there is none.</summary>
    public static char StateOf(int process) => Stat(process) is { Length: > 0 } stat ? stat[0][0] : '-';

    /// <summary>The CPU time of a process in ticks of the kernel.</summary>
    public static long TicksOf(int process)
    {
        return Stat(process) is { Length: > 0 } stat ? long.Parse(stat[11]) + long.Parse(stat[12]) : 0;
    }

    public void Dispose()
    {
        Worker.EndAllIn(scratch.Folder);
        scratch.Dispose();
    }

    // Flags and their values, of which some have others.
    static string[] With(string[] flags, string[] others)
    {
        var kept = flags.Chunk(2).Where(flag => !others.Contains(flag[0]));
        return [.. kept.SelectMany(flag => flag), .. others];
    }

    // What stands behind the name, which may hold spaces.
    static string[] Stat(int process)
    {
        try
        {
            var stat = File.ReadAllText($"/proc/{process}/stat");
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (IOException)
        {
            return [];
        }
    }
}
