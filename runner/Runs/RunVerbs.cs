using System.CommandLine;
using System.Runtime.InteropServices;

/// <summary>The verbs that lead the processes of one run.</summary>
static class RunVerbs
{
    public static Command[] All => [RunThem(), ByHand(), OneSide(), MakeCertificate(), Awake.Verb];

    static Argument<string> Library => new("LIBRARY") { Description = "Of the folder bench-LIBRARY." };

    static Option<bool> UntilStdinCloses => new("--until-stdin-closes")
    {
        Description = "Stop, as on Ctrl-C, when stdin closes; for a parent process.",
    };

    static Command RunThem()
    {
        var libraries = new Argument<string>("LIBRARIES")
        {
            Description = "Of the folders bench-…; of several LIBRARY[/DELIVERY[/PROFILE[/VARIANT[/SECURITY]]]],…",
        };
        Option<bool> stdin = UntilStdinCloses;
        var outFile = Flags.Out("File that the records are appended to. [default: stdout]");
        var percent = new Option<int?>("--rate-percent")
        {
            Description = "Rate as a part of what the closed loop of the same cell made, by the records in --out.",
        };
        return Flags.Verb(
            "run",
            "Measures once: server and clients as processes here or on other machines.",
            [libraries, outFile, stdin, percent, .. Hosts.Options, .. SettingFlags.All],
            parsed => Run(
                parsed.GetValue(libraries)!,
                SettingFlags.From(parsed),
                Hosts.From(parsed),
                parsed.GetValue(percent),
                parsed.GetValue(outFile),
                parsed.GetValue(stdin)));
    }

    static int Run(
        string libraries,
        LaunchSettings settings,
        Hosts hosts,
        int? percent,
        string? path,
        bool untilStdinCloses)
    {
        using var raw = new RawFile(path);
        var plan = new RunPlan(libraries, Complete, hosts.Complete(settings), percent, path, raw);
        string? traceFolder = settings.Trace ? Path.GetDirectoryName(Path.GetFullPath(path ?? "x")) : null;
        using var launches = new Launches(plan, hosts, raw, traceFolder);
        using var onStop = OnStop(launches.Stop, untilStdinCloses);
        using var awake = settings.Awake ? Awake.Begin(hosts) : null;
        AppDomain.CurrentDomain.ProcessExit += (_, _) =>
        {
            launches.Dispose();
            awake?.Dispose();
        };
        int exitCode = launches.Lead(outcome =>
        {
            // In a sweep the script shows it, at a terminal a person looks on.
            if (path != null && !raw.IsFull)
            {
                Console.WriteLine(outcome);
            }
            else if (!Console.IsErrorRedirected)
            {
                Console.Error.WriteLine(outcome);
            }
        });
        return raw.IsFull && exitCode is Exit.Done or Exit.Failed ? Exit.OutputFailed : exitCode;
    }

    static Command ByHand()
    {
        Argument<string> library = Library;
        return Flags.Verb(
            "manual",
            "Sends what you type, as in 'c 100', 'c 100 u' and 'q'.",
            [library, .. SettingFlags.All],
            parsed => SendByHand(parsed.GetValue(library)!, SettingFlags.From(parsed) with { Rate = 0 }));
    }

    static int SendByHand(string library, LaunchSettings given)
    {
        LaunchSettings settings = Complete(library, given);
        if (settings.RttMs != null)
        {
            throw new Failure("--rtt-ms goes with `run`.", Exit.WrongUsage);
        }
        Work work = Works.Of(settings.Work);
        if (!work.IsAnswered)
        {
            throw new Failure($"What is typed is answered: manual knows no {work.Plural}.", Exit.WrongUsage);
        }
        if (work.IsAlwaysPaced)
        {
            throw new Failure($"What is typed is due at once: manual knows no {work.Plural}.", Exit.WrongUsage);
        }
        using var manual = new Manual(library, settings);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => manual.Dispose();
        using var onStop = OnStop(() => Environment.Exit(Exit.Interrupted), untilStdinCloses: false);
        manual.Obey(Console.In);
        return Exit.Done;
    }

    static Command MakeCertificate()
    {
        var path = new Argument<string>("FILE") { Description = "That it is written to." };
        return Flags.Verb(
            "certificate",
            "Makes a certificate for --security tls by hand; says its SHA-256.",
            [path],
            parsed =>
            {
                Console.WriteLine(Certificate.Make(parsed.GetValue(path)!));
                return Exit.Done;
            });
    }

    static Command OneSide()
    {
        Argument<string> library = Library;
        var verb = new Argument<string>("SIDE") { Description = "server or client" };
        verb.AcceptOnlyFromAmong("server", "client");
        var cpus = new Option<string>("--cpus") { Description = "That it may use.", DefaultValueFactory = _ => "all" };
        var words = new Argument<string[]>("FLAGS")
        {
            Description = "Those of the bench.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        Command command = Flags.Verb(
            "side",
            "One side, led by the commands on stdin; for a runner on another machine.",
            [library, verb, cpus, words],
            parsed =>
            {
                // The runner there decides about Ctrl-C.
                using var onStop = OnStop(() => { }, untilStdinCloses: false);
                string[] given = [.. parsed.GetValue(words)!, .. parsed.UnmatchedTokens];
                var side = new LedSide(
                    parsed.GetValue(library)!, parsed.GetValue(verb)!, parsed.GetValue(cpus)!, given);
                return side.Lead(Console.In);
            });
        command.TreatUnmatchedTokensAsErrors = false;
        return command;
    }

    // What was not given is asked of the library, or is what its work needs.
    static LaunchSettings Complete(string library, LaunchSettings settings) => Asked(library, settings).Settled;

    static LaunchSettings Asked(string library, LaunchSettings settings)
    {
        if (settings.Work != "" && settings.Delivery != "" && settings.Variant != "")
        {
            return settings;
        }
        try
        {
            InfoRecord info = BenchInfo.Of(library);
            return settings with
            {
                Work = Or(settings.Work, info.Works[0]),
                Delivery = Or(settings.Delivery, info.Deliveries[0]),
                Variant = Or(settings.Variant, info.Variants.Keys.First()),
            };
        }
        catch (Failure) when (settings.Delivery != "")
        {
            // Why it says nothing is told when it is started, and beside others as its own fault alone.
            return settings with
            {
                Work = Or(settings.Work, Works.Echo),
                Variant = Or(settings.Variant, LaunchSettings.UsualVariant),
            };
        }
    }

    static string Or(string given, string other) => given != "" ? given : other;

    // On the first Ctrl-C or SIGTERM, and where told so when stdin closes; a second signal ends at once.
    static Registrations OnStop(Action stop, bool untilStdinCloses)
    {
        int stops = 0;
        void OnSignal(PosixSignalContext signal)
        {
            signal.Cancel = true;
            if (Interlocked.Increment(ref stops) == 1)
            {
                stop();
            }
            else
            {
                Environment.Exit(Exit.Interrupted);
            }
        }

        if (untilStdinCloses)
        {
            var reader = new Thread(() =>
            {
                while (Console.In.ReadLine() != null)
                {
                }
                stop();
            });
            reader.IsBackground = true;
            reader.Start();
        }
        return new Registrations(
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal),
            PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal));
    }

    sealed record Registrations(params PosixSignalRegistration[] Signals) : IDisposable
    {
        public void Dispose() => Array.ForEach(Signals, signal => signal.Dispose());
    }
}
