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
        "preset=quick", "seed=1", "libraries=tcp,udp",
        "delivery=reliable-ordered,reliable-unordered,unreliable", "clients=1,100", "parallel=1", "only=",
        "payload_bytes=32", "profile=default", "rate=0", "ladder=no", "slo=", "pin=none",
        "warmup_seconds=1", "seconds=1.5", "repeats=2", "trace=no",
    ];

    readonly Scratch scratch = new();

    public SuiteFolder()
    {
        Assert.SkipUnless(Tool.IsBuilt && Tool.CanLead, "report or runner is not built.");
        foreach (var library in new[] { "udp", "tcp" }) AddBench(library);
        Repo.Copy("scripts", PathOf("scripts"));
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

    /// <summary>The same with lines on its stdin.</summary>
    public Ended RunWith(string[] input, params IEnumerable<string> args)
    {
        using var runner = Command.StartIn(Folder, [], "dotnet", [Tool.LeadPath, .. args]);
        try
        {
            runner.Write(string.Join("\r\n", input));
        }
        catch (IOException)
        {
            // It has refused its flags and ended before it read anything.
        }
        return runner.Wait();
    }

    /// <summary>Begins the sweep of the preset quick in a folder, or goes on with it, with benches that said so.</summary>
    public Ended Begin(string folder, string[] built, params string[] more)
    {
        File.WriteAllLines(PathOf("built"), built);
        return RunWith(Quick, ["begin", folder, "--built", PathOf("built"), .. more]);
    }

    /// <summary>The machine record of a sweep that began here.</summary>
    public string BegunHere()
    {
        if (!Directory.Exists(PathOf("begun"))) Begin(PathOf("begun"), []).WithCode(0);
        return File.ReadAllLines(PathOf("begun", "raw.jsonl"))[0];
    }

    public void Dispose() => scratch.Dispose();

    /// <summary>The lines of a run that measured.</summary>
    public static string[] Whole(string runId, int machines = 1) => Lines(MadeUp.Run(runId, machines));

    /// <summary>An error record.</summary>
    public static string Error(string runId, string kind, int exitCode, string reason = "A reason.", string side = "run") =>
        Lines(MadeUp.Example("error", ("run_id", runId), ("kind", kind), ("exit_code", exitCode), ("reason", reason), ("side", side),
            ("settings", side == "run" ? MadeUp.Example("launch")["settings"] : null)))[0];

    /// <summary>What a bench says of itself.</summary>
    public static string Info(string library, params (string Path, object? Value)[] fields) =>
        Lines(MadeUp.Example("info", [("library", library), .. fields]))[0];

    /// <summary>Records as lines.</summary>
    public static string[] Lines(params JObject[] records) => [.. records.Select(record => record.ToString(Formatting.None))];
}
