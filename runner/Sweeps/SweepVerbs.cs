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
            Flag: new Option<string>(SweepSettings.FlagOf(key)) { Description = "As in a preset." }))
            .ToArray();
        var options = Hosts.Options();
        var address = Flags.Word("--address", "", @"^\S*\z", "Address that the server listens on. [default: of this machine alone]");
        return Flags.Verb("sweep", "Writes the settings of a sweep, a line KEY=VALUE each.",
            [preset, folder, resume, .. settings.Select(setting => setting.Flag), options.Server, options.Clients,
                options.Folder, address], parsed =>
            {
                var given = settings.Where(setting => parsed.GetValue(setting.Flag) != null)
                    .ToDictionary(setting => setting.Key, setting => parsed.GetValue(setting.Flag)!);
                foreach (var (key, flag) in settings)
                    if (given.TryGetValue(key, out var value))
                        SweepSettings.Check(flag.Name, key, value);
                var (name, from) = (parsed.GetValue(preset), parsed.GetValue(folder)!);
                var hosts = Hosts.From(parsed, options);
                var effective = parsed.GetValue(resume) is { } results
                    ? SweepSettings.Resumed(RecordFile.In(results), given, name, from, !hosts.Any)
                    : SweepSettings.New(given, name, from, !hosts.Any);
                foreach (var (key, value) in hosts.Settings(parsed.GetValue(address)!))
                    effective[key] = value;
                foreach (var key in SweepSettings.AllKeys.Concat(SweepSettings.HostKeys).Where(effective.ContainsKey))
                    Console.Write($"{key}={effective[key]}\n");
                return Exit.Done;
            });
    }

    static Command Folder()
    {
        var folder = new Argument<string?>("DIR")
        { Description = "[default: results/DATE-MACHINE]", Arity = ArgumentArity.ZeroOrOne };
        return Flags.Verb("folder", "Says which folder a new sweep's results go into; refuses one that has some or cannot be "
            + "written.", [folder], parsed =>
            {
                Console.WriteLine(SweepFolder.Free(parsed.GetValue(folder)));
                return Exit.Done;
            });
    }

    static Command Built()
    {
        var library = Flags.Word("--library", null, Flags.NamePattern, "The bench's library.");
        var failed = new Option<bool>("--failed") { Description = "Its build failed; stdin has what it printed." };
        var strict = new Option<bool>("--strict") { Description = "A package that is not to be had is a failure too." };
        var outFile = Flags.Out("File to append to. [default: stdout]");
        return Flags.Verb("built", "Writes what a bench that was built says of itself, or an error record, of which it tells.",
            [library, failed, strict, outFile], parsed =>
            {
                var (name, path) = (parsed.GetValue(library)!, parsed.GetValue(outFile));
                var record = parsed.GetValue(failed) ? BuildError.Of(name, Console.In.ReadToEnd()) : BenchInfo.OrError(name);
                Records.Write(path, record);
                if ((string?)record["kind"] is not { } kind)
                    return Exit.Done;
                if (path != null)
                    Console.WriteLine($"bench-{name} is {kind}: {record["reason"]}");
                return kind == "failed" || parsed.GetValue(strict) ? Exit.Failed : Exit.Done;
            });
    }

    static Command Begin()
    {
        var (results, built) = (Flags.Results(), Built(isRequired: true));
        var resume = new Option<bool>("--resume") { Description = "The sweep there goes on." };
        return Flags.Verb("begin", "Begins, or goes on with, the sweep that stdin has settings of: copies the "
            + "executables to its hosts, and writes what machines, versions and limits it meets.",
            [results, built, resume], parsed =>
            {
                var folder = new SweepFolder(parsed.GetValue(results)!);
                var (settings, said) = (Settings(), Said(parsed.GetValue(built)!));
                var (hosts, libraries) = (Hosts.From(settings), LibrariesOf(said));
                if (hosts.Any && libraries.Length > 0)
                    Deploy.Run(hosts, libraries);
                var (blocks, refused) = Plan.Possible(settings, libraries);
                folder.Begin(settings, hosts, said, blocks, parsed.GetValue(resume));
                foreach (var line in folder.Refuse(refused))
                    Console.WriteLine(line);
                return Exit.Done;
            });
    }

    static Command PlanOrder()
    {
        var built = Built(isRequired: false);
        var resume = Flags.Resume("Results whose whole launches are left out; where none is lacking, as --more.");
        var more = new Option<string>("--more")
        { Description = "Only launches beyond those planned, where results so far are not as precise as the sweep's `until`.", HelpName = "DIR" };
        var dryRun = new Option<string>("--dry-run") { Description = "Writes whole commands, for this file of records.", HelpName = "RAW" };
        return Flags.Verb("plan", "Writes the runs of the sweep that stdin has settings of, in their order: what to call "
            + "them, a tab, and the words of `runner run`; before those beyond the planned a line says why. What a library "
            + "that is built cannot do is left out.", [built, resume, more, dryRun], parsed =>
            {
                var settings = Settings();
                if (parsed.GetValue(more) != null && SweepSettings.Until(settings) == null)
                    return Exit.Done;
                var libraries = parsed.GetValue(built) is { } file ? LibrariesOf(Said(file)) : settings["libraries"].Split(',');
                var blocks = Plan.Possible(settings, libraries).Blocks;
                var (launches, why) = parsed.GetValue(more) is { } results
                    ? Further.Of(blocks, settings, Launches(results), Resume.BegunRuns(RecordFile.In(results)))
                    : Lacking(blocks, settings, parsed.GetValue(resume));
                var raw = parsed.GetValue(dryRun);
                if (why != "" && raw == null)
                    Console.Write($"{why}\n");
                foreach (var (block, number) in launches)
                {
                    Console.Write(raw != null
                        ? $"dotnet runner/bin/Release/runner.dll run {block.Words(number, settings)} --out {raw}\n"
                        : $"{block.Title(settings)}\t{block.Words(number, settings)}\n");
                }

                return Exit.Done;
            });
    }

    // Of a sweep that goes on, what it lacks; else what it is to have besides.
    static (PlannedLaunch[] Launches, string Why) Lacking(PlannedBlock[] blocks, Dictionary<string, string> settings, string? results)
    {
        var planned = Plan.Order(blocks, int.Parse(settings["repeats"]), int.Parse(settings["seed"])).ToArray();
        if (results == null)
            return (planned, "");
        var whole = Resume.WholeRuns(RecordFile.In(results), blocks);
        PlannedLaunch[] lacking = [.. planned.Where(launch => !launch.RunIds.All(whole.Contains))];
        return lacking.Length > 0 ? (lacking, "")
            : Further.Of(blocks, settings, [.. Launches(results).Where(launch => whole.Contains((string)launch["run_id"]!))], whole);
    }

    static JObject[] Launches(string results) => [.. RecordFile.OfKind(RecordFile.In(results), "launch")];

    static Option<string> Built(bool isRequired) => new("--built")
    { Description = "File of what the verb built wrote: only libraries that are built.", Required = isRequired };

    static JObject[] Said(string file) => [.. RecordFile.Read(file).Select(line => line.Record
        ?? throw new Failure($"{file}:{line.Number}: {line.Faults[0]}", Exit.WrongUsage))];

    static string[] LibrariesOf(JObject[] said) => [.. said.Where(record => (string?)record["record"] == "info")
        .Select(info => (string)info["library"]!)];

    // Those on stdin, each checked.
    static Dictionary<string, string> Settings()
    {
        var settings = SweepSettings.Parse(Console.In.ReadToEnd().Split('\n')
            .Select(line => line.TrimEnd('\r')).Where(line => line != ""));
        foreach (var key in SweepSettings.AllKeys.Skip(1))
            SweepSettings.Check($"stdin: {key}", key, settings[key]);
        Hosts.From(settings);
        return settings;
    }
}
