using System.CommandLine;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>The verbs that the scripts call around the runs of a sweep.</summary>
static class SweepVerbs
{
    public static Command[] All => [Sweep(), Folder(), Benches(), Built(), Begin(), PlanOrder()];

    static Command Sweep()
    {
        var preset = new Option<string>("--preset")
        {
            Description = "One of scripts/presets or a file of such lines. [default: quick]",
        };
        var folder = new Option<string>("--folder")
        {
            Description = "Where that file's path begins.",
            DefaultValueFactory = _ => ".",
        };
        var resume = Flags.Resume("Results that the sweep goes on with.");
        var against = new Option<string>("--against")
        {
            Description = "Another version of the library that is measured: NAME@VERSION or NAME@FOLDER.",
        };
        var server = new Option<string>("--server-library")
        {
            Description = "Another version of a library for its server alone: NAME@VERSION, NAME@FOLDER or NAME.",
        };
        var settings = SweepSettings.All
            .Where(setting => setting.Name != "preset")
            .ToDictionary(setting => setting, FlagOf);
        var address = Flags.Word("--address", "", @"^\S*\z",
            "Address that the server listens on. [default: of this machine alone]");
        Option[] all = [preset, folder, resume, against, server, .. settings.Values, .. Hosts.Options, address];
        return Flags.Verb("sweep", "Writes the settings of a sweep, a line KEY=VALUE each.", all, parsed =>
        {
            var given = settings
                .Where(setting => parsed.GetValue(setting.Value) != null)
                .ToDictionary(setting => setting.Key.Name, setting => parsed.GetValue(setting.Value)!);
            foreach (var setting in settings.Keys.Where(setting => given.ContainsKey(setting.Name)))
            {
                SweepReader.Check(setting, setting.Flag, given[setting.Name]);
            }
            if (parsed.GetValue(against) is { } other)
            {
                SweepReader.Against(given, other, goesOn: parsed.GetValue(resume) != null);
            }
            if (parsed.GetValue(server) is { } ofServer)
            {
                SweepReader.WithServer(given, ofServer);
            }
            var name = parsed.GetValue(preset);
            var from = parsed.GetValue(folder)!;
            var hosts = Hosts.From(parsed);
            var effective = parsed.GetValue(resume) is { } results
                ? SweepReader.Resumed(RecordFile.In(results), given, name, from, !hosts.Any)
                : SweepReader.New(given, name, from, !hosts.Any, parsed.GetValue(against) != null);
            foreach (var (key, value) in effective.Texts.Concat(hosts.Settings(parsed.GetValue(address)!)))
            {
                Console.Write($"{key}={value}\n");
            }
            return Exit.Done;
        });
    }

    static Option<string> FlagOf(Setting setting) => new(setting.Flag) { Description = setting.SweepHelp };

    static Command Folder()
    {
        var folder = new Argument<string?>("DIR")
        {
            Description = "[default: results/DATE-PRESET-MACHINE]",
            Arity = ArgumentArity.ZeroOrOne,
        };
        const string About = "Says which folder the results of the sweep go into that stdin has settings of; refuses "
            + "one that has some or cannot be written.";
        return Flags.Verb("folder", About, [folder], parsed =>
        {
            var given = parsed.GetValue(folder) ?? SweepFolder.Named(Settings().Preset);
            Console.WriteLine(SweepFolder.Free(given));
            return Exit.Done;
        });
    }

    static Command Benches()
    {
        const string About = "Writes of each library of the sweep that stdin has settings of, parted by tabs, its "
            + "name, the folder of its bench, and the flags with which that is built.";
        return Flags.Verb("benches", About, [], _ =>
        {
            SweepSettings settings = Settings();
            CheckLimits(settings);
            foreach (string library in settings.Libraries.SelectMany(LibraryName.SidesOf).Distinct())
            {
                string project = settings.Projects.GetValueOrDefault(library, "PROJECT");
                string[] words = BenchFiles.BuildWords(library, project);
                Console.Write($"{library}\t{string.Join('\t', words)}\n");
            }
            return Exit.Done;
        });
    }

    // Said once, before anything is built: else each library's launch would say it.
    static void CheckLimits(SweepSettings settings)
    {
        int clients = Plan.Cells(settings, settings.Libraries).Max(cell => cell.Settings.Clients);
        if (!Hosts.From(settings).Any && Side.LimitFault(clients) is { } fault)
        {
            throw new Failure(fault);
        }
    }

    static Command Built()
    {
        var library = Flags.Word("--library", null, Flags.NamePattern, "The bench's library.");
        var failed = new Option<bool>("--failed") { Description = "Its build failed." };
        var strict = new Option<bool>("--strict")
        {
            Description = "A bench that is unavailable is a failure too.",
        };
        var outFile = Flags.Out("File to append to. [default: stdout]");
        const string About =
            "Writes what a bench says of itself whose build printed what stdin has, or an error record, and tells it.";
        return Flags.Verb("built", About, [library, failed, strict, outFile], parsed =>
        {
            var name = parsed.GetValue(library)!;
            var path = parsed.GetValue(outFile);
            var log = Console.IsInputRedirected ? Console.In.ReadToEnd() : "";
            var record = parsed.GetValue(failed) ? BuildLog.ErrorOf(name, log) : BenchInfo.OrError(name);
            if ((string?)record["record"] == "info")
            {
                record["packages_replaced"] = new JArray(BuildLog.ReplacedIn(log));
            }
            if (path == null)
            {
                Console.WriteLine(record.ToString(Formatting.None));
            }
            else
            {
                RecordFile.Append(path, [record]);
            }
            if ((string?)record["record"] != "error")
            {
                return Exit.Done;
            }
            var error = RecordFile.As<ErrorRecord>(record);
            if (path != null)
            {
                Console.WriteLine($"bench-{name} is {error.Kind}: {error.Reason}");
            }
            return error.Kind == "failed" || parsed.GetValue(strict) ? Exit.Failed : Exit.Done;
        });
    }

    static Command Begin()
    {
        var results = Flags.Results();
        var built = Built(isRequired: true);
        var resume = new Option<bool>("--resume") { Description = "The sweep there goes on." };
        const string About =
            "Begins, or goes on with, the sweep that stdin has settings of: copies the executables to its hosts, and "
            + "writes what machines, versions and limits it meets.";
        return Flags.Verb("begin", About, [results, built, resume], parsed =>
        {
            var folder = new SweepFolder(parsed.GetValue(results)!);
            var settings = Settings();
            var said = RecordsIn(parsed.GetValue(built)!);
            var hosts = Hosts.From(settings);
            var libraries = LibrariesOf(said);
            LoadedLibrary.AssertDiffer(said.OfType<InfoRecord>());
            if (hosts.Any && libraries.Length > 0)
            {
                Deploy.Run(hosts, libraries);
            }
            var (blocks, refused) = Plan.Possible(settings, MeasuredOf(settings, libraries));
            folder.Begin(settings, hosts, said, blocks, parsed.GetValue(resume));
            foreach (var line in folder.Refuse(refused))
            {
                Console.WriteLine(line);
            }
            return Exit.Done;
        });
    }

    static Command PlanOrder()
    {
        var built = Built(isRequired: false);
        var resume = Flags.Resume("Results whose whole launches are left out; where none is lacking, as --more.");
        var more = new Option<string>("--more")
        {
            Description = "Only launches beyond those planned, where results so far are not as precise as the sweep's "
                + "`until`, and the next of a search that `players_until` asks for, or what was found.",
            HelpName = "DIR",
        };
        var dryRun = new Option<string>("--dry-run")
        {
            Description = "Tells what is measured in about what time, and writes whole commands, for this file of "
                + "records.",
            HelpName = "RAW",
        };
        const string About =
            "Writes the runs of the sweep that stdin has settings of, in their order: what to call them, a tab, and "
            + "the words of `runner run`; before those beyond the planned a line says why. What a library that is "
            + "built cannot do is left out.";
        return Flags.Verb("plan", About, [built, resume, more, dryRun], parsed =>
        {
            var settings = Settings();
            var soFar = parsed.GetValue(more);
            if (soFar != null && settings.UntilShare == null && settings.SloOfPlayers == null)
            {
                return Exit.Done;
            }
            var libraries = parsed.GetValue(built) is { } file
                ? MeasuredOf(settings, LibrariesOf(RecordsIn(file)))
                : settings.Libraries;
            var blocks = Plan.Possible(settings, libraries).Blocks;
            var (launches, why) = soFar != null
                ? More(blocks, settings, RecordFile.In(soFar), Launches(soFar), Resume.BegunRuns(RecordFile.In(soFar)))
                : Lacking(blocks, settings, parsed.GetValue(resume));
            Write(launches, why, settings, parsed.GetValue(dryRun));
            return Exit.Done;
        });
    }

    // Of a dry run, where there is a file for their records, what it is about and the commands; else what the scripts
    // read.
    static void Write(PlannedLaunch[] launches, string why, SweepSettings settings, string? raw)
    {
        if (raw != null)
        {
            foreach (var line in Forecast.Of(settings, launches))
            {
                Console.Write($"{line}\n");
            }
            Console.Write("\n");
        }
        else if (why != "")
        {
            Console.Write($"{why}\n");
        }
        foreach (var (block, number) in launches)
        {
            var words = block.Words(number, settings);
            Console.Write(raw == null
                ? $"{block.Title(settings)}\t{words}\n"
                : $"dotnet runner/bin/Release/runner.dll run {words} --out {raw}\n");
        }
    }

    // Of a sweep that goes on, what it lacks; else what it is to have besides.
    static (PlannedLaunch[] Launches, string Why) Lacking(
        PlannedBlock[] blocks, SweepSettings settings, string? results)
    {
        var planned = Plan.Order(blocks, settings.Repeats, settings.Seed).ToArray();
        if (results == null)
        {
            return (planned, "");
        }
        var whole = Resume.WholeRuns(RecordFile.In(results), blocks);
        PlannedLaunch[] lacking = [.. planned.Where(launch => !launch.RunIds.All(whole.Contains))];
        if (lacking.Length > 0)
        {
            return (lacking, "");
        }
        LaunchRecord[] launches = [.. Launches(results).Where(launch => whole.Contains(launch.RunId))];
        var (more, why) = More(blocks, settings, RecordFile.In(results), launches, whole);
        // What was found has been told when it was.
        return more.Length > 0 ? (more, why) : ([], "");
    }

    // Searches begin when ratios are as precise as was asked for.
    static (PlannedLaunch[] Launches, string Why) More(
        PlannedBlock[] blocks,
        SweepSettings settings,
        string raw,
        LaunchRecord[] launches,
        IEnumerable<string> begun)
    {
        var further = Further.Of(blocks, settings, launches, begun);
        return further.Launches.Length > 0 ? further : Players.Of(blocks, settings, raw);
    }

    static LaunchRecord[] Launches(string results) => [.. RecordFile.OfKind<LaunchRecord>(RecordFile.In(results))];

    static Option<string> Built(bool isRequired) => new("--built")
    {
        Description = "File of what the verb built wrote: only libraries that are built.",
        Required = isRequired,
    };

    static AnyRecord[] RecordsIn(string file)
    {
        AnyRecord RecordOf(Line line) => line.Record
            ?? throw new Failure($"{file}:{line.Number}: {line.Faults[0]}", Exit.WrongUsage);
        return [.. RecordFile.Read(file).Select(RecordOf)];
    }

    // Of what is built: one that only the server of a pair is of is not measured by itself.
    static string[] MeasuredOf(SweepSettings settings, string[] built) =>
        [.. settings.Libraries.Where(library => LibraryName.SidesOf(library).All(built.Contains))];

    static string[] LibrariesOf(AnyRecord[] said) => [.. said.OfType<InfoRecord>().Select(info => info.Library)];

    // Those on stdin.
    static SweepSettings Settings()
    {
        var lines = Console.In.ReadToEnd().Split('\n').Select(line => line.TrimEnd('\r')).Where(line => line != "");
        var settings = SweepReader.Parse(lines);
        Hosts.From(settings);
        return settings;
    }
}
