using System.Collections.Concurrent;
using System.ComponentModel;
using System.Diagnostics;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>
/// The parent of one run: starts the server, waits for its ready line, starts the clients, tells
/// the server when they change phase, and writes every record. It sleeps while they work. Both
/// children end when their stdin closes, so none outlives it.
/// </summary>
sealed class Parent(Settings settings)
{
    /// <summary>The line on a server's stdin that says that its clients changed phase.</summary>
    public const string MarkLine = "mark";
    const double ReadySeconds = 15, EndSeconds = 15, ConnectSeconds = 30;

    // Line null: the child has ended. Child null: a signal asks to stop.
    readonly BlockingCollection<(Process? Child, string? Line)> events = [];
    readonly List<Process> children = [];
    readonly HashSet<Process> ended = [];
    string phase = "warmup";
    bool stopped, errorSeen;
    int exitCode;

    /// <summary>Runs both sides to their end; returns the exit code.</summary>
    public int Run()
    {
        using var onStop = Program.OnStop(false, () => events.Add((null, null)));
        AppDomain.CurrentDomain.ProcessExit += (_, _) => KillAll();
        try
        {
            var server = Start("server", settings.ServerCpus);
            Follow(server, "ready", ReadySeconds);
            if (!ended.Contains(server) && !stopped && exitCode == 0)
                Follow(Start("client", settings.ClientCpus), null, WatchdogSeconds());
            server.StandardInput.Close();
            Follow(server, null, EndSeconds);
        }
        finally
        {
            KillAll();
        }
        return stopped ? Program.Interrupted : exitCode;
    }

    // Twice the planned time and 30 s; a run without an end has no watchdog.
    double WatchdogSeconds() => settings.Seconds < 0 ? int.MaxValue : 30 + 2 *
        (ConnectSeconds + Measurement.LongestWarmupSeconds(settings) + settings.Seconds);

    Process Start(string verb, string cpus)
    {
        var self = Environment.ProcessPath!;
        var command = new List<string> { self };
        if (Path.GetFileNameWithoutExtension(self) == "dotnet")
            command.Add(typeof(Parent).Assembly.Location);
        // taskset before the runtime starts, so that its processor count and thread pool follow.
        if (cpus != "all") command.InsertRange(0, ["taskset", "-c", cpus]);
        command.AddRange([verb, "--until-stdin-closes", .. settings.ToFlags()]);
        var start = new ProcessStartInfo(command[0], command.Skip(1))
        { RedirectStandardInput = true, RedirectStandardOutput = true };
        try
        {
            var child = Process.Start(start)!;
            children.Add(child);
            new Thread(() =>
            {
                while (child.StandardOutput.ReadLine() is { } line) events.Add((child, line));
                child.WaitForExit();
                events.Add((child, null));
            })
            { IsBackground = true }.Start();
            return child;
        }
        catch (Win32Exception fault)
        {
            throw new Failure($"The {verb} cannot be started with '{command[0]}': {fault.Message}");
        }
    }

    // Writes every record that comes until the child has ended or has written the one waited for.
    void Follow(Process awaited, string? record, double seconds)
    {
        var clock = Stopwatch.StartNew();
        while (!ended.Contains(awaited))
        {
            var left = Math.Max(0, seconds - clock.Elapsed.TotalSeconds);
            if (!events.TryTake(out var next, (int)Math.Min(left * 1000, int.MaxValue)))
            {
                Fault($"The {NameOf(awaited)} did not {(record == null ? "end" : "get ready")} " +
                    $"within {seconds:0} s.");
                KillAll();
                return;
            }
            if (next.Line != null)
            {
                if (Relay(next.Line) == record) return;
                continue;
            }
            if (next.Child is { } child)
            {
                ended.Add(child);
                if (exitCode == 0) exitCode = child.ExitCode;
                if (!errorSeen && !stopped && (child.ExitCode != 0 || child != awaited || record != null))
                    Fault($"The {NameOf(child)} ended with exit code {child.ExitCode} " +
                        "before the run was over.");
                if (child == awaited) return;
            }
            else stopped = true;
            // The other side is gone or a signal came: what was measured so far is still written.
            awaited.StandardInput.Close();
            (seconds, clock) = (EndSeconds, Stopwatch.StartNew());
        }
    }

    string? Relay(string line)
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
        Stats.WriteLine(line);
        errorSeen |= (string?)record["record"] == "error";
        if ((string?)record["side"] == "client" && (string?)record["phase"] is { } next && next != phase)
        {
            phase = next;
            Mark(children[0]);
        }
        return (string?)record["record"];
    }

    void Mark(Process server)
    {
        try
        {
            if (!ended.Contains(server)) server.StandardInput.WriteLine(MarkLine);
        }
        catch (IOException)
        {
            // It has just ended; the event that says so follows.
        }
    }

    void Fault(string sentence)
    {
        errorSeen = true;
        exitCode = Program.Report(new Failure(sentence));
    }

    string NameOf(Process child) => child == children[0] ? "server" : "client";

    void KillAll()
    {
        foreach (var child in children.Where(child => !child.HasExited))
            child.Kill(entireProcessTree: true);
    }
}
