using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Newtonsoft.Json.Linq;

/// <summary>The verbs of this executable, its exit codes, and the commands on stdin that lead it.</summary>
static class Program
{
    /// <summary>Exit code: it did what it was asked.</summary>
    public const int Done = 0;
    /// <summary>Exit code: something went wrong, and an error record says what.</summary>
    public const int Failed = 1;
    /// <summary>Exit code: the command line makes no sense.</summary>
    public const int WrongUsage = 2;
    /// <summary>Exit code: the library cannot do that.</summary>
    public const int Unsupported = 3;
    /// <summary>Exit code: it was told twice to stop.</summary>
    public const int Interrupted = 130;

    const string LedFlag = "--until-stdin-closes";
    const int CloseMilliseconds = 15_000;

    static readonly ManualResetEventSlim stopped = new();
    // Held while a window opens or closes and while a record is written, so that no thread tells of a window that
    // another is changing. Whoever ends the process takes it and never gives it back.
    static readonly Lock telling = new();
    // Registrations hold for as long as they are referred to.
    static PosixSignalRegistration[] registrations = [];
    // Commands on stdin say what to do.
    static bool isLed;

    /// <summary>server, client or info.</summary>
    public static string Side { get; private set; } = "";

    static int Main(string[] arguments)
    {
        // Opened now, because a fault may be that no file can be opened.
        _ = Console.Error;
        // A fault on any thread ends in Exit.
        AppDomain.CurrentDomain.UnhandledException += (_, fault) => Exit((Exception)fault.ExceptionObject);
        if (arguments.Length == 0 || arguments.Contains("--help") || arguments.Contains("-h"))
        {
            Console.WriteLine(Help);
            return Done;
        }
        string verb = arguments[0];
        string[] words = [.. arguments.Skip(1).Where(word => word != LedFlag)];
        isLed = arguments.Contains(LedFlag);
        if (verb is not ("server" or "client" or "info"))
        {
            throw new Failure($"There is no verb '{verb}': server, client or info.", WrongUsage);
        }
        Side = verb;
        Settings settings = Settings.Parse(words);
        switch (verb)
        {
            case "server":
                Prepare(settings);
                Serve(settings);
                break;
            case "client":
                Prepare(settings);
                Measure(settings);
                break;
            default:
                Inform(settings);
                break;
        }
        return Done;
    }

    static string Help => $"""
        Measures {Library.Name}. By hand, in two terminals:
          server --port 9050
          client --port 9050 --clients 100 --seconds 10
        Flags, the same for both sides but for --seconds and --messages of the clients:
          {string.Join(' ', Settings.Flags)}
        info says what the library can do. {LedFlag}: commands on stdin lead a side.
        """;

    static void Prepare(Settings settings)
    {
        if (Refusal(settings) is { } reason)
        {
            throw new Failure(reason, Unsupported);
        }
        if (UnsetVariable(settings) is { } variable)
        {
            throw new Failure($"The profile tuned of {Library.Name} needs {variable} in the environment as it starts.",
                WrongUsage);
        }
        Greeting.Set(settings);
        GcPauses.Watch();
        Window.Clear();
    }

    // Why the library cannot do this load; null: it can.
    static string? Refusal(Settings settings)
    {
        string[] profiles = Library.Tuned == null ? ["default"] : ["default", "tuned"];
        return Lack(Library.Works, settings.Work, "work")
            ?? Lack(Library.Deliveries, settings.Delivery, "delivery")
            ?? Lack(profiles, settings.Profile, "profile")
            ?? Lack([.. Library.Variants.Keys], settings.Variant, "variant")
            ?? Lack(Library.Securities, settings.Security, "security")
            ?? Library.Limit(settings);
    }

    static string? Lack(string[] all, string one, string what)
    {
        return all.Contains(one) ? null : $"{Library.Name} has no {one} {what}.";
    }

    // A knob of the profile tuned that is a variable of the environment, which the runtime reads as it starts, and that
    // is not set.
    static string? UnsetVariable(Settings settings)
    {
        if (settings.Profile == "default")
        {
            return null;
        }
        foreach ((string knob, object value) in Library.Tuned!)
        {
            if (knob.StartsWith("DOTNET_", StringComparison.Ordinal)
                && Environment.GetEnvironmentVariable(knob) != (string)value)
            {
                return $"{knob}={value}";
            }
        }
        return null;
    }

    static void Serve(Settings settings)
    {
        OnStop(Server.Stop);
        if (isLed)
        {
            StartThread(() =>
            {
                Obey();
                Server.Stop();
            });
        }
        else
        {
            BeginByHand();
        }
        try
        {
            Server.Run(settings);
        }
        catch (Exception fault) when (!Records.IsReady && fault is not Failure)
        {
            throw new Failure($"Cannot listen on {settings.Address}:{settings.Port}: {fault.Message}");
        }
        WriteClosed(disconnectSeconds: null);
    }

    static void Measure(Settings settings)
    {
        OnStop(stopped.Set);
        var clock = Stopwatch.StartNew();
        Thread[] threads = Array.ConvertAll(Load.Split(settings), load => StartThread(new Client(settings, load).Run));
        Load.WaitUntilConnected(settings);
        Records.WriteReady(settings, clock.Elapsed.TotalSeconds);
        if (isLed)
        {
            Obey();
        }
        else
        {
            MeasureByHand(settings);
        }
        clock.Restart();
        Load.Close();
        if (!Array.TrueForAll(threads, thread => thread.Join(CloseMilliseconds)))
        {
            throw new Failure("The clients did not end.");
        }
        WriteClosed(clock.Elapsed.TotalSeconds);
    }

    // Each command is answered by one line. Returns when stdin is closed.
    static void Obey()
    {
        while (Console.In.ReadLine() is { } command)
        {
            switch (command.Split(' '))
            {
                case ["start"]:
                    Start(int.MaxValue);
                    break;
                case ["start", var number] when int.TryParse(number, out int messages) && messages > 0:
                    Start(messages);
                    break;
                case ["begin"]:
                    lock (telling)
                    {
                        Window.Begin();
                        Records.WriteDone("begin");
                        Window.CountAllocations();
                    }
                    break;
                case ["end"]:
                    lock (telling)
                    {
                        Window.End();
                        Records.WriteDone("end");
                    }
                    break;
                case ["drain"]:
                    EndOpenWindow();
                    Load.Drain();
                    WriteDrained();
                    break;
                case ["count"]:
                    lock (telling)
                    {
                        Records.WriteCount();
                    }
                    break;
                default:
                    throw new Failure($"'{command}' is no command: start, begin, end, drain or count.");
            }
        }
    }

    static void Start(int messages)
    {
        lock (telling)
        {
            Load.Start(messages);
            Records.WriteDone("start");
        }
    }

    static void WriteDrained()
    {
        lock (telling)
        {
            string counted = Records.Counted("drain");
            // Before it is told: who is told may let messages come at once.
            Window.Clear();
            Records.WriteLine(counted);
        }
    }

    static void BeginByHand()
    {
        lock (telling)
        {
            Window.Begin();
            Window.CountAllocations();
        }
    }

    // A line a second for a person.
    static void MeasureByHand(Settings settings)
    {
        BeginByHand();
        Load.Start(settings.Messages == 0 ? int.MaxValue : settings.Messages);
        long before = 0;
        for (int second = 0; settings.Seconds == 0 || second < settings.Seconds; second++)
        {
            bool isStopped = stopped.Wait(1_000);
            Tally tally = Window.Sum().Inside;
            long messages = tally.Completed + Totals.Sum().Streamed;
            Console.Error.WriteLine($"{messages - before:N0} messages/s; so far "
                + $"p50 {tally.RoundTrips.Quantile(0.5) / 1e3:N0} µs, "
                + $"p99 {tally.RoundTrips.Quantile(0.99) / 1e3:N0} µs, "
                + $"lost {tally.Lost + tally.Failed + tally.TimedOut:N0}");
            before = messages;
            long ended = messages + tally.Lost + tally.Corrupt + tally.Failed + tally.TimedOut + tally.NotSent;
            bool isOver = settings.Messages > 0
                && ended >= (long)settings.Messages * Load.All.Sum(load => load.Senders);
            if (isStopped || isOver)
            {
                break;
            }
        }
        // All that was sent is answered within the window.
        Load.Drain();
        lock (telling)
        {
            Window.End();
        }
    }

    // For the flags given and, where it is led, for those of each line on stdin.
    static void Inform(Settings settings)
    {
        Records.WriteInfo(Refusal(settings));
        while (isLed && Console.In.ReadLine() is { } flags)
        {
            Settings next = Settings.Parse(flags.Split(' ', StringSplitOptions.RemoveEmptyEntries));
            Records.WriteInfo(Refusal(next));
        }
    }

    static void WriteClosed(double? disconnectSeconds)
    {
        // From here on commands wait for ever: an "end" that comes while this side closes must not fail.
        telling.Enter();
        EndOpenWindow();
        Records.WriteCounted("closed", new JObject { ["disconnect_s"] = disconnectSeconds });
    }

    static void EndOpenWindow()
    {
        lock (telling)
        {
            if (Window.IsOpen)
            {
                Window.End();
            }
        }
    }

    // The first Ctrl-C or SIGTERM stops this side, a second ends it at once. A led side ignores Ctrl-C, which the
    // terminal sends to whoever leads it as well.
    static void OnStop(Action stop)
    {
        int signals = 0;
        void OnSignal(PosixSignalContext context)
        {
            context.Cancel = true;
            if (isLed && context.Signal == PosixSignal.SIGINT)
            {
                return;
            }
            if (Interlocked.Increment(ref signals) == 1)
            {
                stop();
            }
            else
            {
                Environment.Exit(Interrupted);
            }
        }

        registrations =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal),
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal),
        ];
    }

    static Thread StartThread(Action work)
    {
        var thread = new Thread(() => work()) { IsBackground = true };
        thread.Start();
        return thread;
    }

    /// <summary>The address given as a number or a name; a name that does not resolve fails.</summary>
    public static IPAddress Resolve(string address)
    {
        if (IPAddress.TryParse(address, out IPAddress? number))
        {
            return number;
        }
        try
        {
            return Dns.GetHostAddresses(address, AddressFamily.InterNetwork)[0];
        }
        catch (SocketException)
        {
            throw new Failure($"The address '{address}' does not resolve.");
        }
    }

    /// <summary>Ends the process: a sentence on stderr and, but for wrong usage, an error record with what was counted.
    /// The first fault is the one that is told.</summary>
    public static void Exit(Exception fault)
    {
        // Whoever comes second waits here until the process has ended.
        telling.Enter();
        int exitCode = (fault as Failure)?.ExitCode ?? Failed;
        string reason = fault.GetBaseException().Message.ReplaceLineEndings(" ");
        Console.Error.WriteLine($"{Library.Name} {Side}".TrimEnd() + $": {reason}");
        if (exitCode != WrongUsage)
        {
            Load.Close();
            EndOpenWindow();
            Records.WriteCounted("error", new JObject
            {
                ["kind"] = exitCode == Unsupported ? "unsupported" : "failed",
                ["exit_code"] = exitCode,
                ["reason"] = reason,
            });
        }
        Environment.Exit(exitCode);
    }
}
