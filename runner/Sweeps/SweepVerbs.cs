using System.CommandLine;
using Newtonsoft.Json.Linq;

/// <summary>The verbs that the scripts call around the runs of a sweep.</summary>
static class SweepVerbs
{
    public static Command[] All => [Sweep(), Folder(), Built(), Begin(), PlanOrder()];

    static Command Sweep()
    {
        Option<string> preset = new("--preset")
        { Description = "One of scripts/presets or a file of such lines. [default: quick]" };
        Option<string> folder = new("--folder")
        { Description = "Where that file's path begins.", DefaultValueFactory = _ => "." };
        var resume = Flags.Resume("Results that the sweep goes on with.");
        var settings = SweepSettings.AllKeys.Skip(1).Select(key => (Key: key,
            Flag: new Option<string>("--" + key.Replace('_', '-')) { Description = "As in a preset." }))
            .ToArray();
        var options = Hosts.Options();
        return Flags.Verb("sweep", "Writes the settings of a sweep, a line KEY=VALUE each.",
            [preset, folder, resume, .. settings.Select(setting => setting.Flag), options.Server, options.Clients,
                options.Folder], parsed =>
            {
                var given = settings.Where(setting => parsed.GetValue(setting.Flag) != null)
                    .ToDictionary(setting => setting.Key, setting => parsed.GetValue(setting.Flag)!);
                foreach (var (key, flag) in settings)
                    if (given.TryGetValue(key, out var value)) SweepSettings.Check(flag.Name, key, value);
                var (name, from) = (parsed.GetValue(preset), parsed.GetValue(folder)!);
                var isLocal = !Hosts.From(parsed, options).Any;
                var effective = parsed.GetValue(resume) is { } results
                    ? SweepSettings.Resumed(RecordFile.In(results), given, name, from, isLocal)
                    : SweepSettings.New(given, name, from, isLocal);
                foreach (var key in SweepSettings.AllKeys) Console.Write($"{key}={effective[key]}\n");
                return Exit.Done;
            });
    }

    static Command Folder()
    {
        var folder = new Argument<string?>("DIR")
        { Description = "[default: results/DATE-MACHINE]", Arity = ArgumentArity.ZeroOrOne };
        return Flags.Verb("folder", "Makes the folder of a sweep, with an empty raw.jsonl, and says its name.", [folder],
            parsed =>
            {
                Console.WriteLine(SweepFolder.Make(parsed.GetValue(folder)));
                return Exit.Done;
            });
    }

    static Command Built()
    {
        var library = Flags.Word("--library", null, Flags.NamePattern, "The bench's library.");
        var failed = Flags.Word("--failed", "", "^(unavailable|failed|)$", "It could not be built; stdin tells why.");
        var outFile = Flags.Out("File to append to. [default: stdout]");
        return Flags.Verb("built", "Writes what a bench that was built says of itself, or an error record.",
            [library, failed, outFile], parsed =>
            {
                var (name, kind) = (parsed.GetValue(library)!, parsed.GetValue(failed)!);
                var record = kind == "" ? BenchInfo.Of(name).Record
                    : ErrorRecord.Of("build", name, "build", kind, 1, BuildError.Reason(Console.In.ReadToEnd()));
                return Records.Write(parsed.GetValue(outFile), record);
            });
    }

    static Command Begin()
    {
        var results = Flags.Results();
        var libraries = Libraries();
        var built = new Option<string>("--built") { Description = "File of what the verb built wrote.", Required = true };
        var resume = new Option<bool>("--resume") { Description = "The sweep there goes on." };
        var options = Hosts.Options();
        return Flags.Verb("begin", "Begins, or goes on with, the sweep that stdin has settings of: copies the "
            + "executables to its hosts, and writes what machines, versions and limits it meets.",
            [results, libraries, built, resume, options.Server, options.Clients, options.Folder], parsed =>
            {
                var folder = new SweepFolder(parsed.GetValue(results)!);
                var settings = Settings();
                var hosts = Hosts.From(parsed, options);
                string[] names = Split(parsed.GetValue(libraries) ?? "");
                if (hosts.Any && names.Length > 0) Deploy.Run(hosts, names);
                folder.Begin(settings, hosts, [.. RecordFile.Read(parsed.GetValue(built)!)], parsed.GetValue(resume));
                foreach (var (library, reason) in folder.Refuse(settings, names))
                    Console.WriteLine($"{library} is left out where {reason}");
                return Exit.Done;
            });
    }

    static Command PlanOrder()
    {
        var libraries = Libraries();
        var resume = Flags.Resume("Results whose whole runs are left out.");
        return Flags.Verb("plan", "Writes the runs of the sweep that stdin has settings of, in their order: what to call "
            + "them, a tab, and the words of `runner run`. What a library that is built cannot do is left out.", [libraries, resume], parsed =>
            {
                var settings = Settings();
                var whole = parsed.GetValue(resume) is { } results
                    ? Resume.WholeRuns(RecordFile.In(results)) : [];
                var cells = Plan.Possible(settings, Split(parsed.GetValue(libraries) ?? settings["libraries"])).Cells;
                foreach (var (repeat, cell) in Plan.Order(cells, int.Parse(settings["repeats"]), int.Parse(settings["seed"])))
                    if (!whole.Contains(cell.RunId(repeat))) Console.Write($"{cell.Title}\t{cell.Words(repeat, settings)}\n");
                return Exit.Done;
            });
    }

    static Option<string> Libraries() => new("--libraries")
    { Description = "Only these, which are built. [default: the settings' own]" };

    static string[] Split(string libraries) => libraries.Split(',', StringSplitOptions.RemoveEmptyEntries);

    // Those on stdin, each checked.
    static Dictionary<string, string> Settings()
    {
        var settings = SweepSettings.Parse(Console.In.ReadToEnd().Split('\n')
            .Select(line => line.TrimEnd('\r')).Where(line => line != ""));
        foreach (var key in SweepSettings.AllKeys.Skip(1)) SweepSettings.Check($"stdin: {key}", key, settings[key]);
        return settings;
    }
}
