using System.Collections.Concurrent;
using Newtonsoft.Json.Linq;

/// <summary> One side of a run: a bench's process here, or the runner that leads one on a host. It ends when its stdin
/// closes, so none outlives this process. What it says comes as events; to the records of a bench here is added what
/// only this machine knows. </summary>
sealed class Side : IDisposable
{
    /// <summary>What ssh ends in when it failed itself, rather than what it ran.</summary>
    public const int SshFailed = 255;
    const int SpareFiles = 100;
    // Of more sockets a look takes too long.
    const int MostClientsForQueues = 1_000;
    // .NET's pool takes standing still for a reason to start threads, and on their number libraries depend: of one load
    // NetCoreServer did 115,000/s with a server of 13 threads, 174,000 with 44.
    const string NoHillClimbing = "DOTNET_HillClimbing_Disable";

    readonly Child child;
    readonly BlockingCollection<SideEvent> events;
    readonly bool isRemote;
    readonly bool isEncrypted;
    readonly (string Address, int Clients, bool Awake, int MostMb) settings;
    readonly string? trace;
    PerfSamples? perf;
    int port;
    Outside? outside;
    JObject? seen;

    Side(
        string name,
        string library,
        bool isRemote,
        bool isEncrypted,
        (string Address, int Clients, bool Awake, int MostMb) settings,
        string[] command,
        Dictionary<string, string> variables,
        string? trace,
        BlockingCollection<SideEvent> events)
    {
        Name = name;
        Library = library;
        this.isRemote = isRemote;
        this.isEncrypted = isEncrypted;
        this.settings = settings;
        this.trace = trace;
        this.events = events;
        child = Child.Start(command, readsOutput: true, readsErrors: isRemote, variables: variables);
        Thread? errors = isRemote ? Begin(PassErrorsOn) : null;
        Begin(() => ReadRecords(errors));
        if (!isRemote && IsServer)
        {
            Begin(WatchMemory);
        }
    }

    /// <summary>Such as "server" or "client on machine 2".</summary>
    public string Name { get; }
    public string Library { get; }
    public bool IsServer => Name == "server";
    /// <summary>Its own part of a library that is a pair; else that library.</summary>
    public string OwnLibrary => OwnOf(Library, IsServer);
    public int ExitCode => child.ExitCode;
    /// <summary>What ssh said when it failed itself.</summary>
    public string LinkFault { get; private set; } = "";

    /// <summary>A bench's side on this machine.</summary>
    /// <param name="name">What it is called in sentences.</param>
    /// <param name="library">Of which bench.</param>
    /// <param name="verb">server or client.</param>
    /// <param name="cpus">That it may use, or all.</param>
    /// <param name="words">Its flags.</param>
    /// <param name="enter">Words before its command that start it at an end of a link; none: at none.</param>
    /// <param name="settings">Of the run, as far as this machine must know them; address "": on a link.</param>
    /// <param name="trace">File for the runtime's events; null: none.</param>
    /// <param name="events">Where what it says goes.</param>
    public static Side Here(
        string name,
        string library,
        string verb,
        string cpus,
        string[] words,
        string[] enter,
        (string Address, int Clients, bool Awake, int MostMb) settings,
        string? trace,
        BlockingCollection<SideEvent> events)
    {
        if (LimitFault(settings.Clients) is { } fault)
        {
            throw new Failure(fault);
        }
        bool isEncrypted = ValueOf(words, "--security") == "tls";
        string[] certificate = isEncrypted ? ["--certificate", Certificate.Path] : [];
        // taskset before the runtime starts, so that its processor count and thread pool follow.
        string[] pinned = cpus == "all" ? [] : ["taskset", "-c", cpus];
        string own = OwnOf(library, isServer: verb == "server");
        string[] bench = BenchFiles.Words(own);
        string[] command = [.. enter, .. pinned, .. bench, verb, "--until-stdin-closes", .. words, .. certificate];
        var variables = Variables(own, words, trace);
        return new Side(name, library, isRemote: false, isEncrypted, settings, command, variables, trace, events);
    }

    /// <summary>Why no process of this machine can have so many clients; null: it can.</summary>
    public static string? LimitFault(int clients)
    {
        int needed = clients + SpareFiles;
        if (Machine.OpenFilesLimit() is { } files && needed > files)
        {
            return $"{clients} clients need {needed} open files, but the limit is {files}: `ulimit -n {needed}` "
                + "lifts it.";
        }
        return Fit.EphemeralPorts() is { } ports && clients > ports
            ? $"{clients} clients need {clients} ports, but net.ipv4.ip_local_port_range has {ports}: "
                + "`sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"` lifts it."
            : null;
    }

    /// <summary>What a flag is given among words; null where it is not.</summary>
    public static string? ValueOf(string[] words, string flag)
    {
        int at = Array.IndexOf(words, flag);
        return at < 0 ? null : words.ElementAtOrDefault(at + 1);
    }

    /// <summary>The same on a host, where the runner leads it.</summary>
    public static Side On(
        Hosts hosts,
        string host,
        string name,
        string library,
        string verb,
        string cpus,
        IEnumerable<string> words,
        BlockingCollection<SideEvent> events)
    {
        string own = OwnOf(library, isServer: verb == "server");
        string[] command = hosts.CommandOn(host, ["side", own, verb, "--cpus", cpus, .. words]);
        return new Side(
            name, library, isRemote: true, isEncrypted: false, ("", 0, false, 0), command, [], trace: null, events);
    }

    /// <summary>Writes a command to its stdin; null closes it, and lets it go on, or it would not see that.</summary>
    public void Say(string? command)
    {
        // Of one that has just ended or been closed an event follows that says so.
        if (command == null)
        {
            GoOn();
            child.CloseInput();
        }
        else if (isRemote)
        {
            child.Say(command);
        }
        else if (command != "alive")
        {
            // The stdin of one here closes when this process ends, and what this machine counts is read here.
            child.Say(command switch
            {
                LedSide.Open => "begin",
                LedSide.Close => "end",
                _ => command,
            });
        }
    }

    /// <summary>Reads what a window changes, before it opens; a host does so by itself.</summary>
    public void LookBefore()
    {
        if (isRemote)
        {
            return;
        }
        var network = settings.Address == "" ? null : KernelCounters.InterfaceOf(settings.Address, IsServer);
        int? queuesOf = IsServer && settings.Clients <= MostClientsForQueues ? port : null;
        perf = trace == null ? null : PerfSamples.Begin(child.Process.Id, Path.ChangeExtension(trace, ".perf.txt"));
        outside = new Outside(child.Process, network, queuesOf, settings.Awake);
    }

    /// <summary>Reads it again, when it closes; it goes with what the side counted.</summary>
    public void LookAfter()
    {
        seen = outside?.Close();
        perf?.End();
    }

    /// <summary>Its process stops running, until it goes on.</summary>
    public void StandStill()
    {
        if (isRemote)
        {
            Say("still");
        }
        else
        {
            Stillness.Stop(child.Process);
        }
    }

    public void GoOn()
    {
        if (isRemote)
        {
            Say("go on");
        }
        else
        {
            Stillness.GoOn(child.Process);
        }
    }

    /// <summary>Resident memory of its process; 0 of one on a host.</summary>
    public long RssBytes
    {
        get
        {
            if (isRemote || child.Process.HasExited)
            {
                return 0;
            }
            child.Process.Refresh();
            return child.Process.WorkingSet64;
        }
    }

    /// <summary>Ends its process at once.</summary>
    public void Dispose() => child.Dispose();

    /// <summary>A line that a bench wrote as a record; null where it is none, as of a library that logs to stdout or
    /// of a shell's start-up file: then it goes to stderr, after the name of who said it.</summary>
    public static JObject? RecordOf(string line, string name)
    {
        if (FastParser.Record(line) is { } record
            && JToken.DeepEquals(record["v"], Contract.Version)
            && record["record"]?.Type == JTokenType.String)
        {
            return record;
        }
        Console.Error.WriteLine($"{name}: {Text.Plain(line)}");
        return null;
    }

    /// <summary>Puts the hashes of a library and its bench in the place of the file's name.</summary>
    public static void AddHashes(JObject record, string library)
    {
        record["library_sha256"] = BenchFiles.Hash((string)record["library_file"]!);
        record["bench_sha256"] = BenchFiles.HashOfAll(library);
        record.Remove("library_file");
    }

    static string OwnOf(string library, bool isServer) =>
        isServer ? LibraryName.ServerOf(library) : LibraryName.ClientsOf(library);

    void ReadRecords(Thread? errors)
    {
        while (child.Output.ReadLine() is { } line)
        {
            if (RecordOf(line, $"{Library} {Name}") is { } record)
            {
                // A bench does not know which of its library's versions it is.
                if (record.ContainsKey("library"))
                {
                    record["library"] = Library;
                }
                if (!isRemote)
                {
                    Complete(record);
                }
                events.Add(new SideEvent(this, record));
            }
        }
        child.Wait();
        errors?.Join();
        perf?.Write();
        events.Add(new SideEvent(this, null));
    }

    // Tells of a server that took too much memory as if it did itself, and ends it.
    void WatchMemory()
    {
        if (new MemoryWatch(child.Process.Id, settings.MostMb).Look() is { } reason)
        {
            Console.Error.WriteLine($"{Library} {Name}: {reason}");
            events.Add(new SideEvent(this, ErrorRecords.OfSide(Library, "server", Exit.Failed, reason)));
            Dispose();
        }
    }

    // What the process itself does not know.
    void Complete(JObject record)
    {
        if ((string?)record["record"] == "ready")
        {
            port = RecordFile.As<ReadyRecord>(record).Port;
            AddHashes(record, OwnLibrary);
            record["certificate_sha256"] = isEncrypted && IsServer ? Certificate.Sha256 : null;
            var environment = Machine.DotnetEnvironment(child.Process.StartInfo.Environment);
            record["dotnet_environment"] = JObject.FromObject(environment);
        }
        else if (record["window"] is JObject)
        {
            record["kernel"] = seen;
            seen = null;
        }
    }

    // What the environment of a bench has beside this process's own.
    static Dictionary<string, string> Variables(string library, string[] words, string? trace)
    {
        var variables = new Dictionary<string, string>();
        if (Environment.GetEnvironmentVariable(NoHillClimbing) == null)
        {
            variables[NoHillClimbing] = "1";
        }
        if (trace != null)
        {
            // The runtime's own tracing: CPU samples and the default events, GC among them, and of what is allocated an
            // object in each 100 kB.
            variables["DOTNET_EnableEventPipe"] = "1";
            variables["DOTNET_EventPipeOutputPath"] = trace;
            variables["DOTNET_EventPipeConfig"] =
                "Microsoft-DotNETCore-SampleProfiler:0:5,Microsoft-Windows-DotNETRuntime:0x814C14FCCBD:4";
        }
        if (ValueOf(words, "--profile") == "tuned")
        {
            foreach (var (knob, value) in BenchInfo.VariablesOf(library))
            {
                variables[knob] = value;
            }
        }
        return variables;
    }

    // Of a host; the last line is ssh's own where that failed, and then for the sentence of the run.
    void PassErrorsOn()
    {
        string? last = null;
        while (child.Errors.ReadLine() is { } line)
        {
            if (last != null)
            {
                Console.Error.WriteLine(last);
            }
            last = line;
        }
        child.Wait();
        if (ExitCode == SshFailed)
        {
            LinkFault = last ?? "ssh failed";
        }
        else if (last != null)
        {
            Console.Error.WriteLine(last);
        }
    }

    static Thread Begin(Action work)
    {
        var thread = new Thread(() => work()) { IsBackground = true };
        thread.Start();
        return thread;
    }
}
