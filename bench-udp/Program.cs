using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>The verbs of this executable, its exit codes, and the commands on stdin that lead it.</summary>
static class Program
{
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
    // Held while a window opens or closes and while a record is written, so that no thread writes about a window that
    // another thread is changing. Whoever ends the process takes it and never gives it back.
    static readonly Lock telling = new();
    // Commands on stdin say what to do.
    static bool isLed;
    static Load? load;

    /// <summary>server, client or info.</summary>
    public static string Side { get; private set; } = "";

    static int Main(string[] arguments)
    {
        // Opened now, because a fault may be that no file can be opened.
        _ = Console.Error;
        AppDomain.CurrentDomain.UnhandledException += (_, fault) => Exit((Exception)fault.ExceptionObject);
        if (arguments.Length == 0 || arguments.Contains("--help") || arguments.Contains("-h"))
        {
            Console.WriteLine($"""
                Measures {Library.Name}. By hand, in two terminals:
                  server --port 9050 --clients 100
                  client --port 9050 --clients 100 --seconds 10
                Flags, the same for both sides:
                  {string.Join(' ', Settings.Flags)}
                info says what the library can do. {LedFlag}: commands on stdin lead a side.
                """);
            return 0;
        }
        if (arguments[0] is not ("server" or "client" or "info"))
        {
            throw new Failure($"There is no verb '{arguments[0]}': server, client or info.", WrongUsage);
        }
        Side = arguments[0];
        isLed = arguments.Contains(LedFlag);
        Settings settings = Settings.Parse([.. arguments.Skip(1).Where(word => word != LedFlag)]);
        if (Side == "info")
        {
            Inform(settings);
            return 0;
        }
        if (Refusal(settings) is { } reason)
        {
            throw new Failure(reason, Unsupported);
        }
        using PosixSignalRegistration interrupts = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
        using PosixSignalRegistration ends = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
        if (Side == "server")
        {
            Serve(settings);
        }
        else
        {
            Measure(settings);
        }
        return 0;
    }

    static void Serve(Settings settings)
    {
        Window.Clear();
        if (!isLed)
        {
            Window.Begin(tell: () => { });
        }
        StartThread(() => Listen(settings));
        Lead(byHand: stopped.Wait);
        WriteClosed(disconnectSeconds: null);
    }

    static void Listen(Settings settings)
    {
        try
        {
            Server.Run(settings);
        }
        catch (Exception fault) when (!Records.IsReady && fault is not Failure)
        {
            throw new Failure($"Cannot listen on {settings.Address}:{settings.Port}: {fault.Message}");
        }
    }

    static void Measure(Settings settings)
    {
        var clock = Stopwatch.StartNew();
        load = new Load(settings);
        Window.Clear();
        Thread pacing = StartThread(load.Run);
        load.WaitUntilConnected();
        Records.WriteReady(settings, clock.Elapsed.TotalSeconds);
        Lead(() => MeasureByHand(settings, load));
        clock.Restart();
        load.Close();
        if (!pacing.Join(CloseMilliseconds))
        {
            throw new Failure("The clients did not end.");
        }
        WriteClosed(clock.Elapsed.TotalSeconds);
    }

    // Returns when stdin closes, by hand when the work is over, and in any case after a signal.
    static void Lead(Action byHand)
    {
        Thread leading = StartThread(() =>
        {
            (isLed ? Obey : byHand)();
            stopped.Set();
        });
        stopped.Wait();
        if (!isLed)
        {
            // What is in flight is still to be answered.
            leading.Join();
        }
    }

    // Each command is answered by one line.
    static void Obey()
    {
        while (Console.In.ReadLine() is { } command)
        {
            switch (command.Split(' '))
            {
                case ["start"]:
                    load?.Start(Load.All);
                    Records.WriteDone("start");
                    break;
                case ["start", var number] when int.TryParse(number, out int messages) && messages > 0:
                    load?.Start(messages);
                    Records.WriteDone("start");
                    break;
                case ["begin"]:
                    Tell(() => Window.Begin(tell: () => Records.WriteDone("begin")));
                    break;
                case ["end"]:
                    Tell(() =>
                    {
                        Window.End();
                        Records.WriteDone("end");
                    });
                    break;
                case ["drain"]:
                    Tell(Window.EndIfOpen);
                    load?.Drain();
                    Tell(Records.WriteDrained);
                    break;
                case ["count"]:
                    Tell(() => Records.WriteCounted("count"));
                    break;
                case ["leave"]:
                    load?.Leave();
                    Records.WriteDone("leave");
                    break;
                case ["join"]:
                    Records.Write("join", new { JoinNs = load?.Join() });
                    break;
                default:
                    throw new Failure($"'{command}' is no command: start, begin, end, drain, count, leave or join.");
            }
        }
    }

    static void Tell(Action action)
    {
        lock (telling)
        {
            action();
        }
    }

    // A line a second for a person.
    static void MeasureByHand(Settings settings, Load load)
    {
        Window.Begin(tell: () => { });
        load.Start(Load.All);
        long before = 0;
        bool isStopped = false;
        for (int second = 0; !isStopped && (settings.Seconds == 0 || second < settings.Seconds); second++)
        {
            isStopped = stopped.Wait(1_000);
            Tally tally = Window.Sum().Inside;
            long messages = tally[Count.Completed] + tally[Count.Streamed];
            Console.Error.WriteLine($"{messages - before:N0} messages/s; so far "
                + $"p50 {tally.RoundTrips.Quantile(0.5) / 1e3:N0} µs, "
                + $"p99 {tally.RoundTrips.Quantile(0.99) / 1e3:N0} µs, "
                + $"lost {tally[Count.Lost] + tally[Count.Failed]:N0}");
            before = messages;
        }
        // All that was sent is answered within the window.
        load.Drain();
        Window.EndIfOpen();
    }

    // Answers for the flags given and, where it is led, for the flags of each line on stdin.
    static void Inform(Settings settings)
    {
        Records.WriteInfo(Refusal(settings));
        while (isLed && Console.In.ReadLine() is { } flags)
        {
            Records.WriteInfo(Refusal(Settings.Parse(flags.Split(' ', StringSplitOptions.RemoveEmptyEntries))));
        }
    }

    // Says why the library cannot do this load; null: it can.
    static string? Refusal(Settings settings)
    {
        return Lack(Library.Works, settings.Work, "work")
            ?? Lack(Library.Deliveries, settings.Delivery, "delivery")
            ?? Lack(Library.Tuned == null ? ["default"] : ["default", "tuned"], settings.Profile, "profile")
            ?? Lack([.. Library.Variants.Keys], settings.Variant, "variant")
            ?? Lack(Library.Securities, settings.Security, "security")
            ?? Library.Limit(settings);
    }

    static string? Lack(string[] all, string one, string what)
    {
        return all.Contains(one) ? null : $"{Library.Name} has no {one} {what}.";
    }

    static void WriteClosed(double? disconnectSeconds)
    {
        // From here on commands wait for ever: an "end" that comes while this side closes must not fail.
        telling.Enter();
        Window.EndIfOpen();
        Records.WriteCounted("closed", new { DisconnectS = disconnectSeconds });
    }

    // The first Ctrl-C or SIGTERM stops this side; a second ends it at once, and so does the first before it is ready.
    // A led side ignores Ctrl-C, which the terminal sends to whoever leads it as well.
    static void Stop(PosixSignalContext context)
    {
        context.Cancel = true;
        if (isLed && context.Signal == PosixSignal.SIGINT)
        {
            return;
        }
        if (stopped.IsSet || !Records.IsReady)
        {
            Environment.Exit(Interrupted);
        }
        stopped.Set();
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
        try
        {
            return IPAddress.TryParse(address, out IPAddress? number)
                ? number
                : Dns.GetHostAddresses(address).MinBy(found => found.AddressFamily)!;
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
            load?.Close();
            Window.EndIfOpen();
            string kind = exitCode == Unsupported ? "unsupported" : "failed";
            Records.WriteCounted("error", new { Kind = kind, ExitCode = exitCode, Reason = reason });
        }
        Environment.Exit(exitCode);
    }
}
