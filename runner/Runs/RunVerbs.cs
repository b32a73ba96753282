using System.CommandLine;
using System.Runtime.InteropServices;

/// <summary>The verbs that lead the processes of one run.</summary>
static class RunVerbs
{
    public static Command[] All => [RunOne(), ByHand(), OneSide()];

    static Argument<string> Library => new("LIBRARY") { Description = "Of the folder bench-LIBRARY." };

    static Option<bool> UntilStdinCloses => new("--until-stdin-closes")
    { Description = "Stop, as on Ctrl-C, when stdin closes; for a parent process." };

    static Command RunOne()
    {
        var (library, stdin, outFile) = (Library, UntilStdinCloses, Flags.Out("File that the records are appended to. [default: stdout]"));
        var percent = new Option<int?>("--rate-percent")
        { Description = "Rate as a part of what the closed loop of the same cell made, by the records in --out." };
        var options = Hosts.Options();
        return Flags.Verb("run", "Measures once: server and clients as processes here or on other machines.",
            [library, outFile, stdin, percent, options.Server, options.Clients, options.Folder, .. RunSettings.Flags], parsed =>
            {
                var (name, path) = (parsed.GetValue(library)!, parsed.GetValue(outFile));
                var hosts = Hosts.From(parsed, options);
                var given = RunSettings.From(parsed);
                using var raw = new RawFile(path);
                var settings = Complete(name, hosts.Complete(given));
                if (parsed.GetValue(percent) is { } part)
                    try
                    {
                        settings = settings with
                        {
                            Rate = OfferedRate.Of(path
                            ?? throw new Failure("--rate-percent needs the --out of the closed loop.", Exit.WrongUsage), settings.RunId, part)
                        };
                    }
                    catch (Failure fault) when (fault.ExitCode == Exit.Failed)
                    {
                        raw.Write(ErrorRecord.Of(settings.RunId, name, "run", "failed", Exit.Failed, fault.Message));
                        Console.WriteLine($"failed: {fault.Message}");
                        throw;
                    }
                using var run = new Run(name, settings, hosts, raw,
                    settings.Trace ? Path.GetDirectoryName(Path.GetFullPath(path ?? "x")) : null);
                using var onStop = OnStop(run.Stop, parsed.GetValue(stdin));
                AppDomain.CurrentDomain.ProcessExit += (_, _) => run.Dispose();
                var exitCode = run.Lead();
                // In a sweep the script shows it, at a terminal a person looks on.
                if (path != null && !raw.IsFull) Console.WriteLine(run.Outcome);
                else if (!Console.IsErrorRedirected) Console.Error.WriteLine($"{name} {settings.Delivery}: {run.Outcome}");
                return raw.IsFull && exitCode is Exit.Done or Exit.Failed ? Exit.OutputFailed : exitCode;
            });
    }

    static Command ByHand()
    {
        var library = Library;
        return Flags.Verb("manual", "Sends what you type, as in 'c 100', 's 4 u' and 'q'.", [library, .. RunSettings.Flags],
            parsed =>
            {
                var name = parsed.GetValue(library)!;
                var settings = Complete(name, RunSettings.From(parsed) with { Rate = 0 });
                using var manual = new Manual(name, settings);
                AppDomain.CurrentDomain.ProcessExit += (_, _) => manual.Dispose();
                using var onStop = OnStop(() => Environment.Exit(Exit.Interrupted), untilStdinCloses: false);
                manual.Heed(Console.In);
                return Exit.Done;
            });
    }

    static Command OneSide()
    {
        var library = Library;
        var verb = new Argument<string>("SIDE") { Description = "server or client" };
        verb.AcceptOnlyFromAmong("server", "client");
        var cpus = new Option<string>("--cpus") { Description = "That it may use.", DefaultValueFactory = _ => "all" };
        var words = new Argument<string[]>("FLAGS") { Description = "Those of the bench.", Arity = ArgumentArity.ZeroOrMore };
        var command = Flags.Verb("side", "One side, led by the lines on stdin; for a runner on another machine.",
            [library, verb, cpus, words], parsed =>
            {
                using var onStop = OnStop(() => { }, untilStdinCloses: false); // the runner there decides
                return new LedSide(parsed.GetValue(library)!, parsed.GetValue(verb)!, parsed.GetValue(cpus)!,
                    [.. parsed.GetValue(words)!, .. parsed.UnmatchedTokens]).Lead(Console.In);
            });
        command.TreatUnmatchedTokensAsErrors = false;
        return command;
    }

    // What was not given is asked of the library.
    static RunSettings Complete(string library, RunSettings settings) => settings.Delivery != "" ? settings
        : settings with { Delivery = BenchInfo.Of(library).Deliveries[0] };

    // On the first Ctrl-C or SIGTERM, and where told so when stdin closes; a second signal ends at once.
    static IDisposable OnStop(Action stop, bool untilStdinCloses)
    {
        var stops = 0;
        void OnSignal(PosixSignalContext signal)
        {
            signal.Cancel = true;
            if (Interlocked.Increment(ref stops) == 1) stop(); else Environment.Exit(Exit.Interrupted);
        }
        if (untilStdinCloses)
            new Thread(() =>
            {
                while (Console.In.ReadLine() != null) { }
                stop();
            })
            { IsBackground = true }.Start();
        var term = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
        var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        return new Registrations(term, interrupt);
    }

    sealed record Registrations(params PosixSignalRegistration[] Signals) : IDisposable
    {
        public void Dispose() => Array.ForEach(Signals, signal => signal.Dispose());
    }
}
