using System.CommandLine;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>A fault said in one sentence, with the exit code that it ends in.</summary>
sealed class Failure(string sentence, int exitCode = Program.Failed) : Exception(sentence) { public int ExitCode => exitCode; }

/// <summary>The verbs of this executable, its exit codes, and the lines on stdin that lead it (CONTRACT.md).</summary>
static class Program
{
    public const int Measured = 0, Failed = 1, WrongUsage = 2, Unsupported = 3, Interrupted = 130;
    const int EndMs = 15_000;

    static readonly Option<bool> led = new("--until-stdin-closes") { Description = "Do what the lines on stdin say (CONTRACT.md), and end." };
    static readonly Option<int> seconds = new("--seconds") { Description = "How long to send, by hand; 0: until Ctrl-C.", DefaultValueFactory = _ => 0 };
    static readonly ManualResetEventSlim stopped = new();
    static Settings settings = null!;
    static PosixSignalRegistration[] registrations = []; // for as long as the process lives

    /// <summary>server, client or info; whether lines on stdin say what to do.</summary>
    public static string Side { get; private set; } = "";
    public static bool IsLed { get; private set; }

    static int Main(string[] args)
    {
        _ = Console.Error; // opened now, because a fault may be that no file can be opened
        AppDomain.CurrentDomain.UnhandledException += (_, fault) => Exit((Exception)fault.ExceptionObject);
        var parsed = Verbs.Parse(args);
        if (parsed.Errors.Count > 0) Exit(new Failure(parsed.Errors[0].Message, WrongUsage));
        return parsed.Invoke(new() { EnableDefaultExceptionHandler = false });
    }

    static RootCommand Verbs { get; } = new($"Measures {Library.Name}. By hand, in two terminals: `server --port 9050`, "
        + "then `client --port 9050 --clients 100 --seconds 10`; --delivery and --payload-bytes are the same.")
    {
        Verb("server", "The echo server, until Ctrl-C.", Serve),
        Verb("client", "The clients, against a running server: a line a second, and a record.", Measure, seconds),
        Verb("info", "What the library can do, and why it cannot do this load, if it cannot.", Inform),
    };

    static Command Verb(string name, string help, Action<ParseResult> action, params Option[] own)
    {
        var verb = new Command(name, help) { led };
        Array.ForEach(own, verb.Options.Add);
        Settings.AddTo(verb);
        verb.SetAction(parsed =>
        {
            (Side, settings, IsLed) = (name, Settings.From(parsed), parsed.GetValue(led));
            if (settings.ClientMachine >= settings.ClientMachines || settings.ClientThreads > settings.OwnClients)
                throw new Failure("--client-machine must be below --client-machines, and --client-threads at most the --clients of a machine.", WrongUsage);
            if (name != "info" && Refusal() is { } reason) throw new Failure(reason, Unsupported);
            if (name != "info" && Unset() is { } knob)
                throw new Failure($"The profile tuned of {Library.Name} needs {knob} in the environment as it starts.", WrongUsage);
            Load.SetHello(settings);
            action(parsed);
            return Measured;
        });
        return verb;
    }

    // Why the library cannot do this load; null: it can.
    static string? Refusal() => Lacks(Load.Works, settings.Work, "work") ?? Lacks(Library.Deliveries, settings.Delivery, "delivery")
        ?? Lacks(Library.Tuned == null ? ["default"] : ["default", "tuned"], settings.Profile, "profile")
        ?? Lacks([.. Library.Variants.Keys], settings.Variant, "variant") ?? Lacks(Library.Securities, settings.Security, "security")
        ?? (Load.LaneBytes * (long)settings.OwnClients * settings.Parallel is var bytes && settings.Rate == 0 && GC.GetGCMemoryInfo().TotalAvailableMemoryBytes is var held && bytes > held
            ? $"{settings.OwnClients:N0} x {settings.Parallel:N0} lanes need {bytes / 1e9:0.0} GB of memory, and this machine has {held / 1e9:0.0} GB." : null)
        ?? (settings is { Work: "stream", Parallel: > 1 } ? "A stream is not answered: it has no lanes, and --parallel is 1." : Library.Limit(settings));
    static string? Lacks(string[] all, string one, string what) => all.Contains(one) ? null : $"{Library.Name} has no {one} {what}.";

    // The knob of the profile that is a variable of the environment (the runtime reads it as it starts) and is not set.
    static string? Unset() => settings.Profile == "default" ? null : Library.Tuned!
        .Where(knob => knob.Key.StartsWith("DOTNET_") && Environment.GetEnvironmentVariable(knob.Key) != (string)knob.Value)
        .Select(knob => $"{knob.Key}={knob.Value}").FirstOrDefault();

    static void Serve(ParseResult _)
    {
        OnStop(Server.Stop);
        Records.Mark();
        if (IsLed) new Thread(() => { Heed(); Server.Stop(); }) { IsBackground = true }.Start();
        try { Server.Run(settings); }
        catch (Exception fault) when (!Records.IsReady && fault is not Failure)
        { throw new Failure($"Cannot listen on {settings.Address}:{settings.Port}: {fault.Message}"); }
        Records.End("closed", new { DisconnectS = (double?)null });
    }

    static void Measure(ParseResult parsed)
    {
        OnStop(stopped.Set);
        Records.Mark();
        var clock = Stopwatch.StartNew();
        var threads = Array.ConvertAll(Load.Split(settings), load => new Thread(new Client(settings, load).Run) { IsBackground = true });
        Array.ForEach(threads, thread => thread.Start());
        Load.WaitUntilConnected(settings);
        Records.WriteReady(settings, clock.Elapsed.TotalSeconds);
        if (IsLed) Heed(); else RunByHand(parsed.GetValue(seconds));
        clock.Restart();
        Load.End();
        if (!Array.TrueForAll(threads, thread => thread.Join(EndMs))) throw new Failure("The clients did not end.");
        Records.End("closed", new { DisconnectS = clock.Elapsed.TotalSeconds });
    }

    // The lines of whoever leads; returns when there are no more.
    static void Heed()
    {
        while (Console.In.ReadLine() is { } line)
            switch (line.Split(' '))
            {
                case ["go"]: Load.Go(); break;
                case ["go", var each] when int.TryParse(each, out var messages): Load.Go(messages); break;
                case ["answer", var each] when int.TryParse(each, out var answers): Records.Answers = answers; break;
                case ["mark"]: Records.Mark(); break;
                case ["count"]: Records.Write("count", Load.Count().Work with { CompiledMethods = System.Runtime.JitInfo.GetCompiledMethodCount() }, Load.Count().Outcomes); break;
                case ["rest"]: Load.Rest(); Records.Mark(); Records.WriteSlices(); break;
                default: throw new Failure($"'{line}' is no line for a {Side}.");
            }
    }

    static void RunByHand(int seconds)
    {
        Records.Mark();
        Load.Go();
        for (var (second, before) = (0, 0L); (seconds == 0 || second < seconds) && !stopped.Wait(1000); second++)
        {
            var (rtt, ended, all) = (Load.Count().Rtt, Load.Count().Outcomes, Load.Count().Work.Streamed + Load.Count().Outcomes.Completed);
            Console.Error.WriteLine($"{all - before:N0} messages/s" + (settings.Work == "stream" ? "" : $"; so far p50 {rtt.Quantile(0.5) / 1e3:N0} µs, "
                + $"p99 {rtt.Quantile(0.99) / 1e3:N0} µs, lost {ended.Lost + ended.Failed + ended.TimedOut:N0}"));
            before = all;
        }
        Load.Rest();
    }

    // For these flags and, where it is led, for those of each line on stdin.
    static void Inform(ParseResult _)
    {
        do
            Records.Write("info", Records.OfLibrary, new { Load.Works, Library.Deliveries, Library.Variants, Library.Securities, Tuning = Library.Tuned, Refusal = Refusal() });
        while (IsLed && Console.In.ReadLine() is { } flags && (settings = Settings.From(Verbs.Parse("info " + flags))) != null);
    }

    // A first Ctrl-C or SIGTERM stops, a second ends at once; who leads decides about Ctrl-C.
    static void OnStop(Action stop)
    {
        var signals = 0;
        PosixSignalRegistration On(PosixSignal signal) => PosixSignalRegistration.Create(signal, context =>
        {
            context.Cancel = true;
            if (IsLed && signal == PosixSignal.SIGINT) return;
            if (Interlocked.Increment(ref signals) == 1) stop(); else Environment.Exit(Interrupted);
        });
        registrations = [On(PosixSignal.SIGINT), On(PosixSignal.SIGTERM)];
    }

    /// <summary>The address given as a number or a name; a name that does not resolve fails.</summary>
    public static IPAddress Resolve(string address)
    {
        if (IPAddress.TryParse(address, out var number)) return number;
        try { return Dns.GetHostAddresses(address, AddressFamily.InterNetwork)[0]; }
        catch (SocketException) { throw new Failure($"The address '{address}' does not resolve."); }
    }

    /// <summary>Ends the process: a sentence on stderr and, but for wrong usage, what was counted and an error record.</summary>
    public static void Exit(Exception fault)
    {
        Monitor.Enter(led); // and never leaves: the first thread's fault is the one that is told
        var exitCode = (fault as Failure)?.ExitCode ?? Failed;
        var reason = fault.GetBaseException().Message.ReplaceLineEndings(" ");
        Console.Error.WriteLine($"{Library.Name} {Side}".TrimEnd() + $": {reason}");
        if (exitCode != WrongUsage)
            Records.End("error", new { Kind = exitCode == Unsupported ? "unsupported" : "failed", ExitCode = exitCode, Reason = reason });
        Environment.Exit(exitCode);
    }
}
