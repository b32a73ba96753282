using System.CommandLine;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Newtonsoft.Json;
using Newtonsoft.Json.Serialization;

/// <summary>The verbs of the report tool. Exit codes are those of CONTRACT.md.</summary>
static class Program
{
    public const int Done = 0, Failed = 1, WrongUsage = 2;
    const string NamePattern = "^[A-Za-z0-9._-]{1,100}$";

    static int signals;

    static readonly JsonSerializer json = JsonSerializer.Create(new()
    {
        // Names become snake_case; the variables' names in dotnet_environment stay.
        ContractResolver = new DefaultContractResolver
        { NamingStrategy = new SnakeCaseNamingStrategy { ProcessDictionaryKeys = false } },
    });

    static int Main(string[] args)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture; // whatever the environment says
        var root = new RootCommand("Turns the records of a sweep into tables and charts.");
        Array.ForEach(
            [Render(), Check(), MachineRecord(), Name(), DeployToHosts(), PlanOrder(), ErrorRecord(), Last()],
            root.Add);
        var parsed = root.Parse(args);
        if (parsed.Errors.Count > 0)
        {
            Console.Error.WriteLine(Text.Plain(parsed.Errors[0].Message));
            return WrongUsage;
        }
        try
        {
            return parsed.Invoke(new() { EnableDefaultExceptionHandler = false });
        }
        catch (Exception fault)
        {
            var cause = (fault as TypeInitializationException)?.InnerException ?? fault;
            Console.Error.WriteLine($"report: {Text.Plain(cause.Message)}");
            return (fault as Failure)?.ExitCode ?? Failed;
        }
    }

    static Command Render()
    {
        var folder = new Argument<string>("DIR") { Description = "Folder that holds raw.jsonl." };
        var charts = Word("--charts", "auto", "^(auto|scottplot|svg)$",
            "Who draws the charts: auto, scottplot or svg. auto: ScottPlot where it loads, else svg.");
        return Verb("render", "Writes report.md and its charts beside raw.jsonl.", [folder, charts],
            parsed =>
            {
                var path = parsed.GetValue(folder)!;
                if (!Directory.Exists(path))
                    throw new Failure($"There is no folder '{path}'.", WrongUsage);
                var sweep = new Sweep(Path.Combine(path, "raw.jsonl"));
                // The Ctrl-C that ended a sweep, or comes as it ends, must not cost its report.
                using var first = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
                foreach (var fault in sweep.Unreadable) Console.Error.WriteLine($"Skipped {fault}");
                if (!sweep.Cells.Any(cell => cell.Measured))
                    Console.Error.WriteLine("raw.jsonl holds no measurement.");
                new Report(sweep).Write(path, parsed.GetValue(charts)!);
                return Done;
            });
    }

    // The first is passed over, the second ends the process.
    static void OnSignal(PosixSignalContext signal) => signal.Cancel = Interlocked.Increment(ref signals) == 1;

    static Command Check()
    {
        var files = new Argument<string[]>("FILE")
        { Description = "Files of records.", Arity = ArgumentArity.OneOrMore };
        return Verb("check", "Names every line that breaks CONTRACT.md; exit 1 if any does.", [files],
            parsed =>
            {
                var (good, bad) = (0, 0);
                foreach (var file in parsed.GetValue(files)!)
                    foreach (var line in RecordFile.Read(file))
                    {
                        var faults = line.Record == null
                            ? line.Faults : [.. Accounting.Faults(line.Record)];
                        foreach (var fault in faults)
                            Console.Error.WriteLine($"{file}:{line.Number}: {fault}");
                        if (faults.Length == 0) good++; else bad++;
                    }
                Console.WriteLine($"{Text.Count(good, "good record")}, {Text.Count(bad, "bad line")}");
                return bad == 0 ? Done : Failed;
            });
    }

    static Command MachineRecord()
    {
        var (runId, outFile) = (RunId(), Out("File to append to. [default: stdout]"));
        var preset = Word("--preset", null, NamePattern, "Name of the sweep's preset.");
        var (seed, repeats) = (Seed("--sweep-seed"), Repeats());
        var suite = Word("--suite", ".", ".", "Folder of the suite, for its commit.");
        return Verb("machine", "Writes the machine record of a sweep.",
            [runId, preset, seed, repeats, outFile, suite], parsed => Write(Machine.Record(
                parsed.GetValue(runId)!, parsed.GetValue(preset)!, parsed.GetValue(seed),
                parsed.GetValue(repeats), parsed.GetValue(suite)!), parsed.GetValue(outFile)));
    }

    static Command Name() => Verb("name", "Says the machine's name for a results folder.", [], _ =>
    {
        Console.WriteLine(Machine.Name());
        return Done;
    });

    static Command DeployToHosts()
    {
        var hosts = Hosts.Flags();
        var libraries = Hosts.List("--libraries", Deploy.LibraryPattern(), 1000,
            "Copies bench-NAME of these alone. [default: all that are built]");
        return Verb("deploy", "Copies the executables of this folder to the hosts of a sweep.",
            [hosts.Server, hosts.Clients, hosts.Folder, libraries], parsed =>
            {
                Deploy.Run(Hosts.From(parsed, hosts), parsed.GetValue(libraries)!);
                return Done;
            });
    }

    static Command PlanOrder()
    {
        var (seed, repeats) = (Seed("--seed"), Repeats());
        return Verb("plan", "Reads cells from stdin, a line each; writes them in the order to run.",
            [seed, repeats], parsed =>
            {
                var cells = Console.In.ReadToEnd().Split('\n').Select(cell => cell.TrimEnd('\r'))
                    .Where(cell => cell.Trim() != "").ToArray();
                foreach (var (repeat, cell) in Plan.Order(
                    cells, parsed.GetValue(repeats), parsed.GetValue(seed)))
                    Console.Write($"{repeat}\t{cell}\n");
                return Done;
            });
    }

    static Command ErrorRecord()
    {
        var (runId, outFile) = (RunId(), Out("File to append to. [default: stdout]"));
        var library = Word("--library", null, NamePattern, "The bench's library.");
        var side = Word(
            "--side", "build", "^(run|server|client|build)$", "run, server, client or build.");
        var kind = Word("--kind", null, "^(unavailable|failed)$", "unavailable or failed.");
        var exitCode = Number(
            "--exit-code", int.MinValue, int.MaxValue, "The exit code that it ended in.");
        return Verb("error", "Writes an error record; the reason is picked out of stdin.",
            [runId, library, side, kind, exitCode, outFile], parsed => Write(new
            {
                V = Contract.Version, Record = "error", RunId = parsed.GetValue(runId),
                Library = parsed.GetValue(library), Side = parsed.GetValue(side),
                Kind = parsed.GetValue(kind), ExitCode = parsed.GetValue(exitCode),
                Reason = BuildError.Reason(Console.In.ReadToEnd()), Settings = (object?)null,
            }, parsed.GetValue(outFile)));
    }

    static Command Last()
    {
        var (runId, outFile) = (RunId(), Out("File of the records."));
        outFile.Required = true;
        return Verb("last", "Says in a few words how a run went.", [outFile, runId], parsed =>
        {
            var id = parsed.GetValue(runId)!;
            Console.WriteLine(Outcome.Of(RecordFile.OfRun(parsed.GetValue(outFile)!, id))
                ?? throw new Failure($"No record says how run {id} went."));
            return Done;
        });
    }

    static Command Verb(string name, string help, Symbol[] symbols, Func<ParseResult, int> action)
    {
        var verb = new Command(name, help);
        foreach (var symbol in symbols)
            if (symbol is Option option) verb.Add(option); else verb.Add((Argument)symbol);
        verb.SetAction(action);
        return verb;
    }

    static Option<string> RunId() =>
        Word("--run-id", null, NamePattern, "Run that the record is of.");
    static Option<string> Out(string help) => new("--out") { Description = help };
    static Option<int> Seed(string name) =>
        Number(name, 0, int.MaxValue, "Seed of the order of the cells.");
    static Option<int> Repeats() => Number("--repeats", 1, 1_000, "Launches a cell.");

    static Option<int> Number(string name, int least, int most, string help) => new(name)
    {
        Description = help,
        Required = true,
        CustomParser = given =>
        {
            var text = given.Tokens[0].Value;
            if (int.TryParse(text, out var number) && number >= least && number <= most) return number;
            given.AddError($"{name} takes a number from {least} to {most}, not '{text}'.");
            return least;
        },
    };

    // Required where it has no default.
    static Option<string> Word(string name, string? value, string pattern, string help)
    {
        var option = new Option<string>(name)
        {
            Description = help,
            Required = value == null,
            CustomParser = given =>
            {
                var text = given.Tokens[0].Value;
                if (!Regex.IsMatch(text, pattern))
                    given.AddError($"'{text}' is no value for {name}. {help}");
                return text;
            },
        };
        if (value != null) option.DefaultValueFactory = _ => value;
        return option;
    }

    static int Write(object record, string? path)
    {
        var line = new StringWriter();
        json.Serialize(line, record);
        if (path == null)
        {
            Console.WriteLine(line);
            return Done;
        }
        // A line that a run left torn must not swallow this one.
        var start = File.Exists(path) && !RecordFile.EndsWhole(path) ? "\n" : "";
        File.AppendAllText(path, $"{start}{line}\n");
        return Done;
    }
}
