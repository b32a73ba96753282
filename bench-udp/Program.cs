using System.CommandLine;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>A fault said in one sentence, with the exit code that it ends in.</summary>
sealed class Failure(string sentence, int exitCode = Program.Failed) : Exception(sentence)
{
    public int ExitCode => exitCode;
}

/// <summary>The verbs of this executable and their exit codes (CONTRACT.md).</summary>
static class Program
{
    public const int Measured = 0, Failed = 1, WrongUsage = 2, Unsupported = 3, OutputFailed = 4,
        Interrupted = 130;
    const int SpareFiles = 100;
    const double LeastSeconds = 0.1;
    const int EndSeconds = 20;

    static readonly Option<string> outFile = new("--out")
    { Description = "File that the records are appended to. [default: stdout]" };
    static readonly Option<string> rawTimes = new("--raw-times")
    { Description = "File for each round trip of the window, in ns, a line each." };
    static readonly Option<bool> untilStdinCloses = new("--until-stdin-closes")
    { Description = "Stop when stdin closes too; for a parent process." };
    static readonly Option<bool> manual = new("--manual")
    { Description = "Send what stdin asks for; for the verb manual.", Hidden = true };

    static string side = "run";
    static Settings? settings;
    static Hosts hosts = Hosts.None;

    static int Main(string[] args)
    {
        _ = Console.Error; // opened now, because a fault may be that no file can be opened
        AppDomain.CurrentDomain.UnhandledException += (_, fault) =>
            Environment.Exit(Report((Exception)fault.ExceptionObject));
        var root = new RootCommand($"Measures {Library.Name}: echo clients against an echo server.");
        root.Add(Verb("run", "Server and clients as processes here or on other machines.", Run,
            [outFile, rawTimes, untilStdinCloses, .. Hosts.Flags]));
        root.Add(Verb("server", "The echo server alone.", Serve, untilStdinCloses));
        root.Add(Verb("client", "The clients alone, against a running server.", Measure,
            rawTimes, untilStdinCloses, manual));
        root.Add(Verb("manual", "Sends what you type, as in 'c 100', 's 4 u' and 'q'.",
            _ => new Parent(settings!, hosts, null, null).Manual(Console.In)));
        var info = new Command("info", "Library, version, delivery modes and note.");
        info.SetAction(_ => Info());
        root.Add(info);

        var parsed = root.Parse(args);
        if (parsed.Errors.Count > 0)
        {
            Console.Error.WriteLine(parsed.Errors[0].Message.ReplaceLineEndings(" "));
            return WrongUsage;
        }
        return parsed.Invoke(new() { EnableDefaultExceptionHandler = false });
    }

    static Command Verb(
        string name, string help, Func<ParseResult, int> action, params IEnumerable<Option> own)
    {
        var verb = new Command(name, help);
        foreach (var option in own) verb.Add(option);
        Settings.AddTo(verb);
        verb.SetAction(parsed =>
        {
            side = name;
            try
            {
                settings = Settings.From(parsed);
                if (parsed.GetValue(outFile) is { } path) Stats.AppendTo(path);
                if (name is "run" or "manual" && settings.ClientMachines > 1)
                    throw new Failure($"{name} takes no --client-machines.", WrongUsage);
                if (name == "run") settings = (hosts = Hosts.From(parsed)).Complete(settings);
                Check(settings, parsed.GetValue(untilStdinCloses));
                return action(parsed);
            }
            catch (Exception fault)
            {
                return Report(fault);
            }
        });
        return verb;
    }

    static void Check(Settings settings, bool isChild)
    {
        if (!isChild && side is "server" or "client"
            && (settings.ServerCpus, settings.ClientCpus) != ("all", "all"))
            throw new Failure($"{side} cannot pin itself: start it with taskset, or use run.", WrongUsage);
        if (settings.ClientMachine >= settings.ClientMachines)
            throw new Failure("--client-machine must be below --client-machines.", WrongUsage);
        if (settings.ClientMachines > settings.Clients)
            throw new Failure("--client-machines must not exceed --clients.", WrongUsage);
        if (settings.ClientThreads > settings.Clients / settings.ClientMachines)
            throw new Failure("--client-threads must not exceed the --clients of a machine.", WrongUsage);
        if (settings.Seconds < LeastSeconds && settings.Seconds != -1)
            throw new Failure($"--seconds takes -1 or a number from {LeastSeconds}, " +
                $"not '{settings.Seconds}'.", WrongUsage);
        if (side == "client" && settings.Port == 0)
            throw new Failure("client needs the --port that the server named.", WrongUsage);
        if (settings.Profile == "tuned" && Library.Tuned == null)
            throw new Failure($"{Library.Name} has no tuned profile.", Unsupported);
        if (!Library.Deliveries.Contains(settings.Delivery))
            throw new Failure($"{Library.Name} has no {settings.Delivery} delivery.", Unsupported);
        if (Library.Limit(settings) is { } limit) throw new Failure(limit, Unsupported);
        if (Kernel.OpenFilesLimit() is { } files && settings.Clients + SpareFiles > files)
            throw new Failure($"{settings.Clients} clients need {settings.Clients + SpareFiles} open " +
                $"files, but the limit is {files} (ulimit -n).");
    }

    static int Run(ParseResult parsed)
    {
        var folder = Path.GetDirectoryName(parsed.GetValue(outFile));
        var raw = parsed.GetValue(rawTimes);
        if (raw != null && hosts.Any)
            throw new Failure("--raw-times is for a run on this machine.", WrongUsage);
        var exitCode = new Parent(settings!, hosts, folder, raw)
            .Run(parsed.GetValue(untilStdinCloses));
        return Stats.OutputFailed && exitCode is Measured or Failed ? OutputFailed : exitCode;
    }

    static int Measure(ParseResult parsed) => parsed.GetValue(manual)
        ? Measurement.Manual(settings!)
        : Measurement.Run(settings!, parsed.GetValue(untilStdinCloses), parsed.GetValue(rawTimes));

    static int Serve(ParseResult parsed)
    {
        if (settings!.Port == 0) settings = settings with { Port = FreePort(settings.Address) };
        Stats.ServeAs(settings);
        using var stop = OnStop(parsed.GetValue(untilStdinCloses), Server.Stop);
        try
        {
            Server.Run(settings);
        }
        catch (Exception fault) when (!Stats.IsReady && fault is not Failure)
        {
            throw new Failure($"Cannot listen on {settings.Address}:{settings.Port}: {fault.Message}");
        }
        Stats.WriteServer();
        return Measured;
    }

    static int Info()
    {
        Stats.Write(new
        {
            V = Stats.Version, Record = "info", RunId = "info", Library = Library.Name,
            LibraryVersion = Library.Version, LibrarySha256 = Stats.Hash(), BenchSha256 = Stats.BenchHash(),
            Library.Deliveries, Library.Note,
        });
        return Measured;
    }

    /// <summary>Calls stop once, when stdin closes or else on Ctrl-C or SIGTERM; a second signal
    /// ends the process at once. The lines on stdin are the parent's (CONTRACT.md).</summary>
    public static IDisposable OnStop(bool stdin, Action stop)
    {
        if (stdin) new Thread(() => HeedParent(stop)) { IsBackground = true }.Start();
        var stops = 0;
        void OnSignal(PosixSignalContext signal)
        {
            signal.Cancel = true;
            if (stdin && signal.Signal == PosixSignal.SIGINT) return; // the parent decides
            if (Interlocked.Increment(ref stops) == 1) stop(); else Environment.Exit(Interrupted);
        }
        var term = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
        return new Registrations(PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal), term);
    }

    static void HeedParent(Action stop)
    {
        void End()
        {
            stop();
            Thread.Sleep(EndSeconds * 1000);
            Environment.Exit(Failed); // what hangs must not outlive its parent
        }
        using var silence = new Timer(_ => End());
        while (Console.In.ReadLine() is { } line)
            switch (line)
            {
                case Parent.MarkLine: Stats.Mark(); break;
                case Parent.WindowLine: Measurement.MayOpen.Set(); break;
                case Parent.AliveLine: silence.Change(Parent.SilentSeconds * 1000, Timeout.Infinite); break;
                default: if (side == "server") Stats.Push(line); else Measurement.Typed.Add(line); break;
            }
        End();
    }

    sealed record Registrations(IDisposable First, IDisposable Second) : IDisposable
    {
        public void Dispose()
        {
            First.Dispose();
            Second.Dispose();
        }
    }

    /// <summary>The address given as a number or a name; a name that does not resolve fails.</summary>
    public static IPAddress Resolve(string address)
    {
        if (IPAddress.TryParse(address, out var number)) return number;
        try
        {
            return Dns.GetHostAddresses(address, AddressFamily.InterNetwork)[0];
        }
        catch (Exception fault) when (fault is SocketException or IndexOutOfRangeException)
        {
            throw new Failure($"The address '{address}' does not resolve.");
        }
    }

    // Chosen here because not every library tells which port the system chose; free in UDP and TCP.
    static int FreePort(string address)
    {
        while (true)
        {
            using var udp = new Socket(SocketType.Dgram, ProtocolType.Udp);
            using var tcp = new Socket(SocketType.Stream, ProtocolType.Tcp);
            udp.Bind(new IPEndPoint(Resolve(address), 0));
            try
            {
                tcp.Bind(udp.LocalEndPoint!);
                return ((IPEndPoint)udp.LocalEndPoint!).Port;
            }
            catch (SocketException fault) when (fault.SocketErrorCode == SocketError.AddressAlreadyInUse)
            {
                // Free in UDP alone: the next one.
            }
        }
    }

    /// <summary>Says a fault: a sentence on stderr and, but for wrong usage, an error record.</summary>
    public static int Report(Exception fault)
    {
        var exitCode = (fault as Failure)?.ExitCode ?? Failed;
        var reason = (fault.InnerException ?? fault).Message.ReplaceLineEndings(" ");
        Console.Error.WriteLine($"{Library.Name} {side}: {reason}");
        if (exitCode != WrongUsage)
            Stats.Write(new
            {
                V = Stats.Version, Record = "error", settings!.RunId, Library = Library.Name,
                Side = side, Kind = exitCode == Unsupported ? "unsupported" : "failed",
                ExitCode = exitCode, Reason = reason, Settings = settings,
            });
        return exitCode;
    }
}
