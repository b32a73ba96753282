using System.Collections.Concurrent;
using System.ComponentModel;
using System.Diagnostics;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>What a side said; Record null: it has ended. Side null: somebody asks to stop, or says what befell all.</summary>
sealed record SideEvent(Side? Side, JObject? Record);

/// <summary>
/// One side of a run: a bench's process here, or the runner that leads one on a host. It ends when its
/// stdin closes, so none outlives this process. What it says comes as events; to the records of a
/// bench here is added what only this machine knows.
/// </summary>
sealed class Side : IDisposable
{
    /// <summary>What ssh ends in when it failed itself, rather than what it ran.</summary>
    public const int SshFailed = 255;
    const int SpareFiles = 100, MostClientsForQueues = 1_000;

    readonly Process process;
    readonly string library;
    readonly BlockingCollection<SideEvent> events;
    readonly bool isRemote;
    readonly (string Address, int Clients, bool Awake) settings;
    int marks = 1, windowSlice = -1, port;
    Outside? outside;
    JObject? seen;

    Side(string name, string library, bool isRemote, (string Address, int Clients, bool Awake) settings, ProcessStartInfo start,
        BlockingCollection<SideEvent> events)
    {
        (Name, this.library, this.isRemote, this.events) = (name, library, isRemote, events);
        this.settings = settings;
        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (true, true, isRemote);
        process = Start(start);
        var errors = isRemote ? Begin(PassErrorsOn) : null;
        Begin(() =>
        {
            while (process.StandardOutput.ReadLine() is { } line) OnLine(line);
            process.WaitForExit();
            errors?.Join();
            events.Add(new(this, null));
        });
    }

    /// <summary>Such as "server" or "client on machine 2".</summary>
    public string Name { get; }
    public bool IsServer => Name == "server";
    public int ExitCode => process.ExitCode;
    /// <summary>What ssh said when it failed itself.</summary>
    public string LinkFault { get; private set; } = "";

    /// <summary>A bench's side on this machine.</summary>
    /// <param name="verb">server or client.</param>
    /// <param name="cpus">That it may use, or all.</param>
    /// <param name="words">Its flags.</param>
    /// <param name="enter">Words before its command that start it at an end of a link; none: at none.</param>
    /// <param name="settings">Of the run, as far as this machine must know them; address "": on a link.</param>
    /// <param name="trace">File for the runtime's events; null: none.</param>
    public static Side Here(string name, string library, string verb, string cpus, string[] words, string[] enter,
        (string Address, int Clients, bool Awake) settings, string? trace, BlockingCollection<SideEvent> events)
    {
        if (KernelCounters.OpenFilesLimit() is { } files && settings.Clients + SpareFiles > files)
            throw new Failure($"{settings.Clients} clients need {settings.Clients + SpareFiles} open " +
                $"files, but the limit is {files} (ulimit -n).");
        // taskset before the runtime starts, so that its processor count and thread pool follow.
        string[] command = [.. enter, .. cpus == "all" ? [] : new[] { "taskset", "-c", cpus }, .. BenchFiles.Words(library),
            verb, "--until-stdin-closes", .. words];
        var start = new ProcessStartInfo(command[0], command[1..]);
        // .NET's pool takes standing still for a reason to start threads, and on their number libraries depend: of one load
        // NetCoreServer did 115,000/s with a server of 13 threads, 174,000 with 44.
        start.Environment.TryAdd("DOTNET_HillClimbing_Disable", "1");
        if (trace != null) Trace(start, trace);
        if (ValueOf(words, "--profile") == "tuned")
            foreach (var (knob, value) in BenchInfo.VariablesOf(library)) start.Environment[knob] = value;
        return new(name, library, isRemote: false, settings, start, events);
    }

    /// <summary>What a flag is given among words; null where it is not.</summary>
    public static string? ValueOf(string[] words, string flag) =>
        Array.IndexOf(words, flag) is >= 0 and var at ? words.ElementAtOrDefault(at + 1) : null;

    /// <summary>The same on a host, where the runner leads it.</summary>
    public static Side On(Hosts hosts, string host, string name, string library, string verb, string cpus,
        IEnumerable<string> words, BlockingCollection<SideEvent> events)
    {
        var command = hosts.CommandOn(host, ["side", library, verb, "--cpus", cpus, .. words]);
        return new(name, library, isRemote: true, ("", 0, false), new(command[0], command[1..]), events);
    }

    /// <summary>Writes a line to its stdin; null closes it, and lets it go on, or it would not see that.</summary>
    public void Say(string? line)
    {
        if (line == null) GoOn();
        if (line == "alive" && !isRemote) return; // its stdin closes when this process ends
        if (line is "mark" or "rest") marks++;
        try
        {
            if (line == null) process.StandardInput.Close(); else process.StandardInput.WriteLine(line);
        }
        catch (Exception fault) when (fault is IOException or ObjectDisposedException or InvalidOperationException)
        {
            // It has just ended or been closed; the event that says so follows.
        }
    }

    /// <summary>Reads what a window changes, before it opens.</summary>
    public void LookBefore()
    {
        if (!isRemote)
            outside = new(process, settings.Address == "" ? null : KernelCounters.InterfaceOf(settings.Address, IsServer),
                IsServer && settings.Clients <= MostClientsForQueues ? port : null, settings.Awake);
    }

    /// <summary>Marks where the window begins; a host looks there by itself.</summary>
    public void Open()
    {
        windowSlice = marks;
        Say(isRemote ? "open" : "mark");
    }

    /// <summary>Marks where it ends.</summary>
    public void Close() => Say(isRemote ? "close" : "mark");

    /// <summary>Reads it again, when it is closed.</summary>
    public void LookAfter() => seen = outside?.Close();

    /// <summary>Its process stops running, until it goes on.</summary>
    public void StandStill()
    {
        if (isRemote) Say("still"); else Stillness.Stop(process);
    }

    public void GoOn()
    {
        if (isRemote) Say("go on"); else Stillness.GoOn(process);
    }

    /// <summary>Resident memory of its process; 0 of one on a host.</summary>
    public long RssBytes
    {
        get
        {
            if (isRemote || process.HasExited) return 0;
            process.Refresh();
            return process.WorkingSet64;
        }
    }

    public void Kill()
    {
        try
        {
            if (!process.HasExited) process.Kill(entireProcessTree: true);
        }
        catch (Exception fault) when (fault is Win32Exception or AggregateException { InnerException: Win32Exception })
        {
            Say(null); // where this system lets nobody signal it ends by itself
        }
    }

    public void Dispose()
    {
        Kill();
        process.Dispose();
    }

    void OnLine(string line)
    {
        if (RecordOf(line, $"{library} {Name}") is not { } record) return;
        if (!isRemote) Complete(record);
        events.Add(new(this, record));
    }

    /// <summary>A line that a bench wrote as a record; null where it is none, as of a library that logs to stdout or
    /// of a shell's start-up file: then it goes to stderr, after the name of who said it.</summary>
    public static JObject? RecordOf(string line, string name)
    {
        if (Skim.Record(line) is { } record
            && JToken.DeepEquals(record["v"], Contract.Version) && record["record"]?.Type == JTokenType.String) return record;
        Console.Error.WriteLine($"{name}: {Text.Plain(line)}");
        return null;
    }

    // What the process itself does not know.
    void Complete(JObject record)
    {
        switch ((string?)record["record"])
        {
            case "ready":
                port = (int)record["flags"]!["port"]!;
                AddHashes(record, library);
                record["dotnet_environment"] = JObject.FromObject(Machine.DotnetEnvironment(process.StartInfo.Environment));
                break;
            case "slice":
                record["outside"] = (int?)record["slice"] == windowSlice ? seen : null;
                break;
        }
    }

    /// <summary>Puts the hashes of a library and its bench in the place of the file's name.</summary>
    public static void AddHashes(JObject record, string library)
    {
        record["library_sha256"] = BenchFiles.Hash((string)record["library_file"]!);
        record["bench_sha256"] = BenchFiles.HashOfAll(library);
        record.Remove("library_file");
    }

    // The runtime's own tracing: CPU samples and the default events, GC among them.
    static void Trace(ProcessStartInfo start, string path)
    {
        start.Environment["DOTNET_EnableEventPipe"] = "1";
        start.Environment["DOTNET_EventPipeOutputPath"] = path;
        start.Environment["DOTNET_EventPipeConfig"] =
            "Microsoft-DotNETCore-SampleProfiler:0:5,Microsoft-Windows-DotNETRuntime:0x14C14FCCBD:4";
    }

    // Of a host; the last line is ssh's own where that failed, and then for the sentence of the run.
    void PassErrorsOn()
    {
        string? last = null;
        while (process.StandardError.ReadLine() is { } line)
        {
            if (last != null) Console.Error.WriteLine(last);
            last = line;
        }
        process.WaitForExit();
        if (ExitCode == SshFailed) LinkFault = last ?? "ssh failed"; else if (last != null) Console.Error.WriteLine(last);
    }

    static Thread Begin(Action work)
    {
        var thread = new Thread(() => work()) { IsBackground = true };
        thread.Start();
        return thread;
    }

    static Process Start(ProcessStartInfo start)
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
}
