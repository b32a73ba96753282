using System.CommandLine;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>The verbs that the scripts call while they run a sweep.</summary>
static class SweepVerbs
{
    public static Command[] All =>
        [Sweep(), ResumeSweep(), MachineOf(), Name(), DeployToHosts(),
            VersionsOf(), PlanOrder(), PinPlan(), CanaryOf(), RateOf(), ErrorRecord(), Last()];

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
                var isLocal = Hosts.From(parsed, options).All.Length == 0;
                var effective = parsed.GetValue(resume) is { } results
                    ? SweepSettings.Resumed(RecordFile.In(results), given, name, from, isLocal)
                    : SweepSettings.New(given, name, from, isLocal);
                foreach (var key in SweepSettings.AllKeys) Console.Write($"{key}={effective[key]}\n");
                return Program.Done;
            });
    }

    static Command ResumeSweep()
    {
        var results = Flags.Results();
        return Flags.Verb("resume", "Leaves only whole runs in raw.jsonl; the rest is to be run again.",
            [results], parsed =>
            {
                var (whole, others) = Resume.Tidy(RecordFile.In(parsed.GetValue(results)!));
                Console.WriteLine($"{Text.Count(whole, "whole run")}, {Text.Count(others, "other")}");
                return Program.Done;
            });
    }

    static Command MachineOf()
    {
        var (runId, outFile) = (Flags.RunId(), Flags.Out("File to append to. [default: stdout]"));
        var role = Flags.Word("--role", "all", @"^(all|server|clients)\z", "all, server or clients.");
        var share = Flags.Number("--client-machine", 0, 63, "Of clients: which share of them. [default: 0]");
        share.Required = false;
        var suite = Flags.Word("--suite", ".", ".", "Folder of the suite, for its commit.");
        var resume = Flags.Resume("Compares with the record there instead.");
        var options = Hosts.Options();
        return Flags.Verb("machine", "Writes the machine records of the sweep that stdin has settings of.",
            [runId, role, share, outFile, suite, resume, options.Server, options.Clients, options.Folder],
            parsed =>
            {
                var hosts = Hosts.From(parsed, options);
                if (hosts.All.Length > 0 && parsed.GetValue(role) != "all")
                    throw new Failure("--role is for a machine, not for hosts.", Program.WrongUsage);
                var ofClients = parsed.GetValue(role) == "clients";
                if (!ofClients && parsed.GetResult(share) != null)
                    throw new Failure("--client-machine goes with --role clients.", Program.WrongUsage);
                var number = ofClients ? parsed.GetValue(share) : (int?)null;
                var facts = RecordFile.ToJson(Machine.Facts(parsed.GetValue(suite)!));
                var (id, results) = (parsed.GetValue(runId)!, parsed.GetValue(resume));
                var sweep = results != null && hosts.All.Length == 0 ? []
                    : SweepSettings.Parse(LinesOfStdin());
                var sides = hosts.All.Length == 0 ? [new(parsed.GetValue(role)!, number, facts)]
                    : hosts.Sides(facts, id, sweep);
                if (results != null)
                    foreach (var side in sides)
                        MachineRecord.AssertSame(RecordFile.In(results), side.Role, side.Share, side.Facts);
                else
                    Write(parsed.GetValue(outFile), [.. sides.Select(side =>
                        MachineRecord.New(id, side.Role, side.Share, sweep, side.Facts))]);
                return Program.Done;
            });
    }

    static Command Name() => Flags.Verb("name", "Says the machine's name for a results folder.", [], _ =>
    {
        Console.WriteLine(Machine.Name());
        return Program.Done;
    });

    static Command DeployToHosts()
    {
        var hosts = Hosts.Options();
        var libraries = Hosts.List("--libraries", SweepSettings.LibraryName(), int.MaxValue,
            "Copies bench-NAME of these alone. [default: all that are built]");
        return Flags.Verb("deploy", "Copies the executables of this folder to the hosts of a sweep.",
            [hosts.Server, hosts.Clients, hosts.Folder, libraries], parsed =>
            {
                Deploy.Run(Hosts.From(parsed, hosts), parsed.GetValue(libraries)!);
                return Program.Done;
            });
    }

    static Command VersionsOf()
    {
        var results = Flags.Results();
        return Flags.Verb("versions", "Refuses info records on stdin that differ from those recorded.",
            [results], parsed =>
            {
                Versions.Check(RecordFile.In(parsed.GetValue(results)!), RecordFile.Read(Console.In));
                return Program.Done;
            });
    }

    static Command PlanOrder()
    {
        var libraries = new Option<string>("--libraries")
        { Description = "Only these, which are built. [default: the settings' own]" };
        var resume = Flags.Resume("Results whose whole runs are left out.");
        return Flags.Verb("plan", "Writes the runs of the sweep that stdin has settings of, in their order: "
            + "RUN_ID LIBRARY DELIVERY CLIENTS PARALLEL PAYLOAD PROFILE RATE.", [libraries, resume], parsed =>
            {
                var settings = SweepSettings.Parse(LinesOfStdin());
                foreach (var key in SweepSettings.AllKeys.Skip(1))
                    SweepSettings.Check($"stdin: {key}", key, settings[key]);
                var whole = parsed.GetValue(resume) is { } results
                    ? Resume.WholeRuns(RecordFile.In(results)) : [];
                var cells = Plan.Cells(settings, (parsed.GetValue(libraries) ?? settings["libraries"])
                    .Split(',', StringSplitOptions.RemoveEmptyEntries));
                foreach (var (runId, cell) in Plan.Order(cells, int.Parse(settings["repeats"]),
                    int.Parse(settings["seed"])))
                    if (!whole.Contains(runId)) Console.Write($"{runId} {cell}\n");
                return Program.Done;
            });
    }

    static Command PinPlan()
    {
        var folder = new Option<string>("--topology")
        { Description = "Where Linux tells of CPUs.", DefaultValueFactory = _ => Topology.Folder };
        var allowed = new Option<int[]>("--allowed")
        {
            Description = "CPUs to plan with, as in 0,2-3. [default: those that this process may use]",
            CustomParser = given =>
            {
                var cpus = Pins.List(given.Tokens[0].Value);
                if (cpus == null) given.AddError($"'{given.Tokens[0].Value}' is no value for --allowed.");
                return cpus ?? [];
            },
        };
        return Flags.Verb("pins", "Plans which CPUs server and clients are pinned to, as in 0,2/1,3.",
            [folder, allowed], parsed =>
            {
                Console.WriteLine(new Topology(parsed.GetValue(folder)!,
                    parsed.GetValue(allowed) is { Length: > 0 } cpus ? cpus : null).Plan());
                return Program.Done;
            });
    }

    static Command CanaryOf()
    {
        var (runId, outFile) = (Flags.RunId(), Flags.Out("File to append to. [default: stdout]"));
        return Flags.Verb("canary", "Measures a second of raw UDP ping-pong and writes a canary record.",
            [runId, outFile], parsed =>
                Write(parsed.GetValue(outFile), Canary.Measure(parsed.GetValue(runId)!)));
    }

    static Command RateOf()
    {
        var outFile = Flags.Out("File of the records.");
        outFile.Required = true;
        var words = new Argument<string[]>("RUN") { Description = "A line of the plan, a word each." };
        return Flags.Verb("rate", "Says what a run's rate is in messages/s. Where it cannot be known: exit code 1 "
            + "or 3, and an error record of the run.", [words, outFile], parsed =>
            {
                var (run, raw) = (parsed.GetValue(words)!, parsed.GetValue(outFile)!);
                if (run.Length == 0 || PlannedCell.Of(run[1..]) is not { } cell)
                    throw new Failure($"'{string.Join(' ', run)}' is no run of a plan.", Program.WrongUsage);
                try
                {
                    Console.WriteLine(cell.Percent is { } percent ? OfferedRate.Of(raw, cell, percent) : cell.Rate);
                    return Program.Done;
                }
                catch (Failure fault) when (fault.ExitCode is Program.Failed or Program.Unsupported)
                {
                    Write(raw, ErrorOf(run[0], cell.Library, "run",
                        fault.ExitCode == Program.Failed ? "failed" : "unsupported", fault.ExitCode, fault.Message));
                    throw;
                }
            });
    }

    static Command ErrorRecord()
    {
        var (runId, outFile) = (Flags.RunId(), Flags.Out("File to append to. [default: stdout]"));
        var library = Flags.Word("--library", null, Flags.NamePattern, "The bench's library.");
        var side = Flags.Word(
            "--side", "build", "^(run|server|client|build)$", "run, server, client or build.");
        var kind = Flags.Word("--kind", null, "^(unavailable|failed)$", "unavailable or failed.");
        var exitCode = Flags.Number(
            "--exit-code", int.MinValue, int.MaxValue, "The exit code that it ended in.");
        return Flags.Verb("error", "Writes an error record; the reason is picked out of stdin.",
            [runId, library, side, kind, exitCode, outFile], parsed => Write(
                parsed.GetValue(outFile), ErrorOf(parsed.GetValue(runId)!, parsed.GetValue(library)!,
                    parsed.GetValue(side)!, parsed.GetValue(kind)!, parsed.GetValue(exitCode),
                    BuildError.Reason(Console.In.ReadToEnd()))));
    }

    static JObject ErrorOf(
        string runId, string library, string side, string kind, int exitCode, string reason) =>
        RecordFile.ToJson(new
        {
            V = Contract.Version, Record = "error", RunId = runId, Library = library, Side = side,
            Kind = kind, ExitCode = exitCode, Reason = reason, Settings = (object?)null,
        });

    static Command Last()
    {
        var (runId, outFile) = (Flags.RunId(), Flags.Out("File of the records."));
        outFile.Required = true;
        return Flags.Verb("last", "Says in a few words how the last run went. Exit code 5: it measured, but was "
            + "disturbed.", [outFile, runId], parsed =>
            {
                var (id, raw) = (parsed.GetValue(runId)!, parsed.GetValue(outFile)!);
                var run = RecordFile.OfLastRun(raw, id);
                var words = Outcome.Of(run) ?? throw new Failure($"No record says how run {id} went.");
                var disturbance = Outcome.IsMeasured(run) ? Disturbance.Of(run, Session.In(raw)) : null;
                Console.WriteLine(disturbance?.Is != true ? words
                    : $"{words}  disturbed: {string.Join("; ", disturbance.Reasons)}");
                return disturbance?.Is == true ? Program.Disturbed : Program.Done;
            });
    }

    static IEnumerable<string> LinesOfStdin() => Console.In.ReadToEnd().Split('\n')
        .Select(line => line.TrimEnd('\r')).Where(line => line != "");

    static int Write(string? path, params JObject[] records)
    {
        if (path != null) RecordFile.Append(path, records);
        else foreach (var record in records) Console.WriteLine(record.ToString(Formatting.None));
        return Program.Done;
    }
}
