using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>A folder with the suite's presets and folders of two benches, in which verbs of runner are called, and the
/// lines of sweeps that nobody measured. Another library, which is built nowhere, can do everything.</summary>
sealed class SuiteFolder : IDisposable
{
    /// <summary>A library that is built nowhere.</summary>
    public const string Unbuilt = "made";

    /// <summary>The settings of the preset quick here.</summary>
    public static readonly string[] Quick =
    [
        "preset=quick",
        "seed=1",
        "libraries=tcp,udp",
        "work=echo",
        "delivery=reliable-ordered,reliable-unordered,unreliable",
        "clients=1,100",
        "parallel=1",
        "payload_bytes=32",
        "payload=random",
        "rate=0",
        "tick_hz=30",
        "room=0",
        "snapshot_bytes=1000",
        "stalled_clients=0",
        "churn=0",
        "profile=default",
        "variant=first",
        "security=none",
        "warmup_seconds=3",
        "seconds=1",
        "rounds=35",
        "slice_ms=80",
        "settle_ms=30",
        "awake=no",
        "trace=no",
        "rtt_ms=none",
        "jitter_ms=0",
        "loss_percent=0",
        "loss_burst_packets=1",
        "rate_mbit=0",
        "queue=bdp",
        "only=",
        "loads=",
        "ladder=no",
        "slo=",
        "pin=none",
        "interleaved=yes",
        "repeats=1",
        "until=",
        "players_until=",
        "at_most=",
    ];

    /// <summary>The same with other values.</summary>
    public static string[] With(params (string Key, string Value)[] settings)
    {
        string[] lines = [.. Quick];
        foreach (var (key, value) in settings)
        {
            var at = Array.FindIndex(lines, line => line.StartsWith(key + "="));
            lines[at] = $"{key}={value}";
        }
        return lines;
    }

    static readonly Lazy<string> begunHere = new(() =>
    {
        using var suite = new SuiteFolder();
        suite.Begin(suite.PathOf("begun"), []).WithCode(0);
        return File.ReadAllLines(suite.PathOf("begun", "raw.jsonl"))[0];
    });

    readonly Scratch scratch = new();

    public SuiteFolder()
    {
        Assert.SkipUnless(Tool.IsBuilt && Tool.CanLead, "report or runner is not built.");
        foreach (var library in new[] { "udp", "tcp" })
            AddBench(library);
        Repo.Copy("scripts", PathOf("scripts"));
        Directory.CreateDirectory(PathOf("docs"));
        foreach (var document in new[] { "flags.md", "records.md" })
            File.Copy(Repo.PathOf("docs", document), PathOf("docs", document));
    }

    public string Folder => scratch.Folder;

    /// <summary>The records of the sweep whose results are in the folder itself.</summary>
    public string Raw => PathOf("raw.jsonl");

    /// <summary>Where lines go that are no longer among them.</summary>
    public string Superseded => PathOf("raw.superseded.jsonl");

    public string PathOf(params string[] parts) => scratch.PathOf(parts);

    public void AddBench(string library) => Directory.CreateDirectory(PathOf($"bench-{library}"));

    /// <summary>Runs runner there to its end.</summary>
    public Ended Run(params IEnumerable<string> args) => RunWith([], args);

    /// <summary>The same with lines on its stdin, which end as those of Windows do: those of scripts do not.</summary>
    public Ended RunWith(string[] input, params IEnumerable<string> args) =>
        Worker.Run(Tool.LeadPath, Folder, string.Join("\r\n", input), args);

    /// <summary>Begins the sweep of the preset quick in a folder, or goes on with it, with benches that said so.
    /// </summary>
    public Ended Begin(string folder, string[] built, params string[] more) => BeginWith(Quick, folder, built, more);

    /// <summary>The same of a sweep with such settings.</summary>
    public Ended BeginWith(string[] settings, string folder, string[] built, params string[] more)
    {
        File.WriteAllLines(PathOf("built"), built);
        return RunWith(settings, ["begin", folder, "--built", PathOf("built"), .. more]);
    }

    /// <summary>The machine record of a sweep that began on this machine.</summary>
    public static string BegunHere() => begunHere.Value;

    public void Dispose() => scratch.Dispose();

    /// <summary>The lines of a run that measured.</summary>
    public static string[] Whole(string runId, int machines = 1) => Lines(MadeUp.Run(runId, machines));

    /// <summary>The lines of a launch of a block: its libraries, each with what it completed in every round.</summary>
    public static string[] Interleaved(
        int launch, string block, double wallS, params (string Cell, long[] Completed)[] members)
    {
        var runs = members.Select(member => MadeUp.With(
            MadeUp.Run($"r{launch}-{member.Cell}"),
            ("library", member.Cell.Split('-')[0]),
            ("launch.block", $"r{launch}-{block}"),
            ("launch.rounds", RoundsOf(member.Completed)),
            ("launch.wall_s", wallS),
            ("launch.settings.rounds", member.Completed.Length)));
        return [.. runs.SelectMany(Lines)];
    }

    /// <summary>Of a line of a plan of blocks, which launch it is.</summary>
    public static string LaunchOf(string line) => line.Split(" --run-id ")[1].Split(' ')[0];

    // Every list of a launch's rounds; only what they completed matters.
    static JObject RoundsOf(long[] completed)
    {
        var rounds = new JObject();
        foreach (var list in Contract.Tables["rounds"])
            rounds[list.Name] = new JArray(completed.Select(_ => 100_000_000L));
        rounds["completed"] = new JArray(completed);
        return rounds;
    }

    /// <summary>An error record.</summary>
    public static string Error(
        string runId, string kind, int exitCode, string reason = "A reason.", string side = "run")
    {
        // Those of a run alone have settings.
        var settings = side == "run" ? MadeUp.Example("launch")["settings"] : null;
        var error = MadeUp.Example(
            "error",
            ("run_id", runId),
            ("kind", kind),
            ("exit_code", exitCode),
            ("reason", reason),
            ("side", side),
            ("settings", settings));
        return Lines(error)[0];
    }

    /// <summary>What a bench says of itself.</summary>
    public static string Info(string library, params (string Path, object? Value)[] fields) =>
        Lines(MadeUp.Example("info", [("library", library), .. fields]))[0];

    /// <summary>Records as lines.</summary>
    public static string[] Lines(params JObject[] records) =>
        [.. records.Select(record => record.ToString(Formatting.None))];
}
