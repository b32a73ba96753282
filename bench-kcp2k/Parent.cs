using System.Collections.Concurrent;
using System.ComponentModel;
using System.Diagnostics;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>
/// The parent of one run: starts the server, waits for its ready line, starts the clients, opens
/// their windows together, tells the server when they change phase, and writes every record. It
/// sleeps while they work. All children end when their stdin closes, so none outlives it.
/// </summary>
sealed class Parent(Settings settings, Hosts hosts, string? folder, string? rawTimes)
{
    /// <summary>Lines on a child's stdin: its clients changed phase; the window may open; a remote
    /// parent still lives.</summary>
    public const string MarkLine = "mark", WindowLine = "window", AliveLine = "alive";
    /// <summary>A child that has ever heard "alive" ends after this long without.</summary>
    public const int SilentSeconds = 20;
    const double ReadySeconds = 15, RemoteReadySeconds = 30, EndSeconds = 15, ConnectSeconds = 30;
    /// <summary>What ssh ends in when it failed itself, rather than what it ran.</summary>
    public const int SshFailed = 255;
    const int AliveSeconds = 5, MostTyped = 1_000_000;
    static readonly string[] phases = ["warmup", "warm", "window", "drain"];

    sealed class Child(Process process, string name)
    {
        public Process Process => process;
        public string Name => name;
        public bool IsServer => name == "server";
        public bool Ended;
        public int Phase; // index in phases

        /// <summary>Writes a line to its stdin; null closes it.</summary>
        public void Say(string? line)
        {
            try
            {
                if (line == null) process.StandardInput.Close(); else process.StandardInput.WriteLine(line);
            }
            catch (Exception fault) when (fault is IOException or ObjectDisposedException)
            {
                // It has just ended or been closed; the event that says so follows.
            }
        }
    }

    // Line null: the child has ended. Child null: a signal asks to stop.
    readonly BlockingCollection<(Child? Child, string? Line)> events = [];
    readonly List<Child> children = [];
    readonly Stopwatch sinceAlive = Stopwatch.StartNew();
    bool stopped, errorSeen, isManual;
    int exitCode, marks;

    /// <summary>Runs both sides to their end; returns the exit code.</summary>
    public int Run(bool untilStdinCloses)
    {
        using var onStop = Program.OnStop(false, Stop);
        if (untilStdinCloses)
            new Thread(() =>
            {
                while (Console.In.ReadLine() != null) { }
                Stop();
            })
            { IsBackground = true }.Start();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => KillAll();
        try
        {
            if (hosts.Any) hosts.Check();
            var server = StartServer();
            if (!server.Ended && !stopped && exitCode == 0)
                Follow(StartClients(rawTimes == null ? [] : ["--raw-times", rawTimes]), null, WatchdogSeconds());
            server.Say(null);
            Follow([server], null, EndSeconds);
        }
        finally
        {
            KillAll();
        }
        return stopped ? Program.Interrupted : exitCode;
    }

    /// <summary>Sends what a person types: "c 100": each client sends 100 messages, "s 4 u": the
    /// server sends 4 to each, unreliable; "q" ends. Each delivery mode has a pair of processes.</summary>
    public int Manual(TextReader typed)
    {
        const string hint = "Type 'c 100' (each client sends 100 messages), 's 4' (the server sends 4 to each "
            + "client), with 'r' or 'u' after it for reliable or unreliable, or 'q' to quit.";
        using var onStop = Program.OnStop(false, () => Environment.Exit(Program.Interrupted));
        AppDomain.CurrentDomain.ProcessExit += (_, _) => KillAll();
        isManual = true;
        var usual = settings.Delivery;
        var pairs = new Dictionary<string, (Child Server, Child Client)>();
        Console.Error.WriteLine(hint);
        while (exitCode == 0 && typed.ReadLine()?.Trim().ToLowerInvariant() is { } line and not "q")
        {
            var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words is not (["c" or "s", _] or ["c" or "s", _, "r" or "u"])
                || !int.TryParse(words[1], out var count) || count is < 1 or > MostTyped)
            {
                Console.Error.WriteLine(hint);
                continue;
            }
            var delivery = words.Length < 3 ? usual : Library.Deliveries
                .FirstOrDefault(mode => mode == "unreliable" == (words[2] == "u"));
            if (delivery == null)
            {
                Console.Error.WriteLine($"{Library.Name} has no such delivery.");
                continue;
            }
            if (!pairs.TryGetValue(delivery, out var pair)) pairs[delivery] = pair = StartPair(delivery);
            if (words[0] == "s")
            {
                pair.Server.Say($"push {count}");
                Follow([pair.Server], "ready", ReadySeconds);
            }
            pair.Client.Say($"{words[0]} {count}");
            Follow([pair.Client], "interval", double.MaxValue);
        }
        KillAll();
        return exitCode;
    }

    (Child, Child) StartPair(string delivery)
    {
        settings = settings with { Delivery = delivery, Port = 0, Rate = 0 };
        var server = StartServer();
        var client = StartClients("--manual")[0];
        Follow([client], "interval", ReadySeconds);
        return (server, client);
    }

    void Stop() => events.Add((null, null));

    // Twice the planned time and 30 s; a run without an end has no watchdog.
    double WatchdogSeconds() => settings.Seconds < 0 ? int.MaxValue : 30 + 2 *
        (ConnectSeconds + Measurement.LongestWarmupSeconds(settings) + settings.Seconds);

    Child StartServer()
    {
        var server = Start("server", "server", hosts.Server, settings);
        Follow([server], "ready", hosts.Server == null ? ReadySeconds : RemoteReadySeconds);
        return server;
    }

    Child[] StartClients(params string[] more) =>
        [.. Enumerable.Range(0, settings.ClientMachines).Select(machine => Start("client",
            settings.ClientMachines == 1 ? "client" : $"client on machine {machine + 1}",
            hosts.Clients.ElementAtOrDefault(machine), settings with { ClientMachine = machine }, more))];

    Child Start(string verb, string name, string? host, Settings with, params string[] more)
    {
        var words = hosts.Command(host, verb == "server" ? with.ServerCpus : with.ClientCpus,
            [verb, "--until-stdin-closes", .. with.ToFlags(), .. more]);
        var start = new ProcessStartInfo(words[0], words.Skip(1))
        { RedirectStandardInput = true, RedirectStandardOutput = true };
        if (with.Trace) Trace(start, Path.Combine(folder ?? "", $"{with.RunId}-{verb}.nettrace"));
        var child = new Child(Start(start), name);
        children.Add(child);
        if (hosts.Any) child.Say(AliveLine); // the link may be cut at any time from now on
        new Thread(() =>
        {
            while (child.Process.StandardOutput.ReadLine() is { } line) events.Add((child, line));
            child.Process.WaitForExit();
            events.Add((child, null));
        })
        { IsBackground = true }.Start();
        return child;
    }

    /// <summary>Starts a process, or fails in a sentence.</summary>
    public static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception fault)
        {
            throw new Failure($"'{start.FileName}' cannot be started: {fault.Message}");
        }
    }

    // The runtime's own tracing: CPU samples and the default events, GC among them.
    static void Trace(ProcessStartInfo start, string path)
    {
        start.Environment["DOTNET_EnableEventPipe"] = "1";
        start.Environment["DOTNET_EventPipeOutputPath"] = path;
        start.Environment["DOTNET_EventPipeConfig"] =
            "Microsoft-DotNETCore-SampleProfiler:0:5,Microsoft-Windows-DotNETRuntime:0x14C14FCCBD:4";
    }

    // Writes every record that comes until all have ended or one has written the record waited for.
    void Follow(Child[] awaited, string? record, double seconds)
    {
        var clock = Stopwatch.StartNew();
        while (awaited.Any(child => !child.Ended))
        {
            if (clock.Elapsed.TotalSeconds > seconds)
            {
                Fault($"The {awaited.First(child => !child.Ended).Name} did not " +
                    $"{(record == null ? "end" : "get ready")} within {seconds:0} s.");
                KillAll();
                return;
            }
            SayAlive();
            var waitMs = 1000 * Math.Min(seconds - clock.Elapsed.TotalSeconds, AliveSeconds);
            if (!events.TryTake(out var next, (int)Math.Max(0, waitMs) + 1)) continue;
            if (next.Line != null)
            {
                if (Relay(next.Child!, next.Line) == record && awaited.Contains(next.Child)) return;
                continue;
            }
            if (next.Child is { } child)
            {
                child.Ended = true;
                var code = child.Process.ExitCode;
                if (exitCode == 0) exitCode = code == SshFailed ? Program.Failed : code;
                var isDone = code == 0 && record == null && awaited.Contains(child);
                if (!errorSeen && !stopped && !isDone)
                    Fault(code == SshFailed ? $"The link to the {child.Name} was lost."
                        : $"The {child.Name} ended with exit code {code} before the run was over.");
                if (isDone) continue;
            }
            else stopped = true;
            // A side is gone or a signal came: what was measured so far is still written.
            Array.ForEach(awaited, side => side.Say(null));
            (seconds, clock) = (EndSeconds, Stopwatch.StartNew());
        }
    }

    string? Relay(Child child, string line)
    {
        JObject record;
        try
        {
            record = JObject.Parse(line);
        }
        catch (JsonReaderException)
        {
            Console.Error.WriteLine(line); // a library that logs to stdout
            return null;
        }
        if (!isManual) Stats.WriteLine(line);
        errorSeen |= (string?)record["record"] == "error";
        if (child.IsServer && (int?)record["port"] is { } port) settings = settings with { Port = port };
        if (!child.IsServer) OnPhase(child, Array.IndexOf(phases, (string?)record["phase"]));
        return (string?)record["record"];
    }

    // The window opens when all are warm. The server's window lasts while all clients' windows do.
    void OnPhase(Child client, int phase)
    {
        if (phase <= client.Phase || isManual) return;
        client.Phase = phase;
        var clients = children.Skip(1);
        if (phase == 1 && clients.All(other => other.Phase == 1))
            foreach (var other in clients) other.Say(WindowLine);
        var isFirstToDrain = phase == 3 && marks == 1;
        if (!isFirstToDrain && (marks > 0 || clients.Any(other => other.Phase != 2))) return;
        marks++;
        children[0].Say(MarkLine);
    }

    // Without this a host whose link is cut would never learn that its side is alone.
    void SayAlive()
    {
        if (!hosts.Any || sinceAlive.Elapsed.TotalSeconds < AliveSeconds) return;
        sinceAlive.Restart();
        children.ForEach(child => child.Say(AliveLine));
    }

    void Fault(string sentence)
    {
        errorSeen = true;
        exitCode = Program.Report(new Failure(sentence));
    }

    void KillAll()
    {
        foreach (var child in children.Where(child => !child.Process.HasExited))
            child.Process.Kill(entireProcessTree: true);
    }
}
