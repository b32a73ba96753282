using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>One library's launch while it lives: starts both sides, marks them, lets them stand still, and ends them.
/// Who leads it decides when it sends and for how long.</summary>
sealed class Member : IDisposable
{
    /// <summary>In which the sides answer, and come to rest, unless whoever leads it says less.</summary>
    public const double AnswerSeconds = 10;
    // Over a link that may be slow; more than a bench takes itself.
    const double NearRestSeconds = 15, FarRestSeconds = 40, LanesASecond = 100_000;
    const double ReadySeconds = 15, RemoteReadySeconds = 30, ConnectSeconds = 120;

    readonly Hosts hosts;
    readonly string? traceFolder;
    readonly RunningSides sides;
    readonly Link? link;
    readonly Stopwatch still = new();
    bool ending, isHung;

    /// <summary>A launch with these settings, on these hosts, whose records go to a file: as they come, or where it may
    /// have to begin anew all at its end.</summary>
    public Member(string library, RunSettings settings, Hosts hosts, RawFile raw, string? traceFolder, bool mayBeginAnew, Link? link = null)
    {
        (Library, Settings, this.hosts, this.traceFolder, this.link) = (library, settings, hosts, traceFolder, link);
        sides = new(library, hosts, link, (side, record) => Said!.Add(side, record, Settings));
        Said = new(sides, raw, mayBeginAnew);
    }

    public string Library { get; }
    public RunSettings Settings { get; private set; }
    /// <summary>What its sides said.</summary>
    public Said Said { get; }
    /// <summary>How it went, in a few words.</summary>
    public string Outcome { get; private set; } = "";
    /// <summary>That of the fault that ended it, else 0.</summary>
    public int ExitCode { get; private set; }
    /// <summary>From now on a stop does not end it: what was measured is to be written.</summary>
    public bool IsOpen { get; set; }
    public bool StopAsked => sides.StopAsked;
    /// <summary>In which its sides come to rest.</summary>
    public double RestSeconds => (IsNear ? NearRestSeconds : FarRestSeconds) + Settings.Lanes / LanesASecond;
    /// <summary>True where its address is of loopback.</summary>
    public bool IsNear => !hosts.Any && System.Net.IPAddress.TryParse(Settings.Address, out var ip) && System.Net.IPAddress.IsLoopback(ip);
    /// <summary>For how long it has stood still; 0: it runs.</summary>
    public double StillSeconds => still.Elapsed.TotalSeconds;
    /// <summary>Resident memory of its sides on this machine.</summary>
    public long RssBytes => sides.All.Sum(side => side.RssBytes);

    /// <summary>The link that its sides are joined by died.</summary>
    public void LoseLink() => sides.Events.Add(new(null, ErrorRecord.Of(Settings.RunId, Library, "run", "failed", Exit.Failed, Link.EndedEarly)));

    /// <summary>Asks it to stop.</summary>
    public void Stop() => sides.Events.Add(new(null, null));

    public void Dispose() => sides.Dispose();

    /// <summary>Starts both sides and marks them when all clients are connected, before anything is sent.</summary>
    public void Connect()
    {
        var readySeconds = hosts.Any ? RemoteReadySeconds : ReadySeconds;
        if (hosts.Server == null && Settings.Port == 0)
            Settings = Settings with { Port = Address.FreePort(Settings.Address) };
        sides.StartServer(Settings, traceFolder);
        Await(() => Said.Ready.ContainsKey(sides.Server), readySeconds, sides.Server, "get ready");
        Settings = Settings with { Port = (int)Said.Ready[sides.Server]["flags"]!["port"]! };
        sides.StartClients(Settings, (string?)Said.Ready[sides.Server]["certificate_sha256"], traceFolder);
        // That none connects they find out themselves; this is for those that do not even say so.
        Await(() => sides.Clients.All(Said.Ready.ContainsKey), readySeconds + ConnectSeconds, sides.Clients[0], "get ready");
        AssertSameBuild();
        Mark("connected");
        AskCounts([.. sides.All], "mark"); // its answer says that it has marked
    }

    /// <summary>Lets the clients send.</summary>
    public void Go()
    {
        foreach (var client in sides.Clients) client.Say("go");
    }

    /// <summary>Ends a slice on both sides; it is of this phase.</summary>
    public void Mark(string phase)
    {
        Said.EndSlice(phase);
        foreach (var side in sides.All) side.Say("mark");
    }

    /// <summary>Ends a slice, which is of this phase, and begins one of which the kernel's counters are read too; it is open then.
    /// Returns when both sides have begun it, which on a busy machine may take as long as a short window.</summary>
    public void Open(string phase)
    {
        foreach (var side in sides.All) side.LookBefore();
        Said.EndSlice(phase);
        foreach (var side in sides.All) side.Open();
        IsOpen = true;
        AskCounts([.. sides.All], "begin its window");
    }

    /// <summary>Ends that slice, a window.</summary>
    public void Close()
    {
        Said.EndSlice("window");
        foreach (var side in sides.All) side.Close();
        foreach (var side in sides.All.Reverse()) side.LookAfter(); // as near to the clients' window as before
    }

    /// <summary>Lets all that is in flight end, which is of this phase, and takes the slices of both sides.</summary>
    public void Rest(string phase, double seconds)
    {
        var number = Said.EndSlice(phase);
        foreach (var client in sides.Clients) client.Say("rest");
        Await(() => sides.Clients.All(client => Said.HasTold(client, number)), seconds, sides.Clients[0], "come to rest");
        sides.Server.Say("rest");
        Await(() => Said.HasTold(sides.Server, number), seconds, sides.Server, "come to rest");
    }

    /// <summary>Messages answered since the last rest, or of a stream sent, and methods that all sides have compiled.</summary>
    public (long Completed, long CompiledMethods) Count()
    {
        AskCounts([.. sides.All], "say what it counted");
        long Sum(Side[] of, string what) => of.Sum(side => (long)Said.Counts[side][what]!);
        return (Sum(sides.Clients, "completed") + Sum(sides.Clients, "streamed"), Sum([.. sides.All], "compiled_methods"));
    }

    /// <summary>Lets time pass; a stop ends it early, or the launch before it is open.</summary>
    public void Wait(double seconds)
    {
        sides.Until(() => sides.StopAsked, seconds);
        AssertNotStopped();
    }

    /// <summary>All sides stop running, until they go on.</summary>
    public void StandStill()
    {
        foreach (var side in sides.All) side.StandStill();
        still.Start();
    }

    public void GoOn()
    {
        foreach (var side in sides.All) side.GoOn();
        sides.SayAlive();
        still.Reset();
    }

    /// <summary>Lets both sides end, writes all that they counted, and then what must not be wrong.</summary>
    public void End(Func<JObject> launch)
    {
        ending = true;
        try { sides.End(); }
        finally { Said.Write(); }
        Said.Judge(Settings);
        Said.Add(launch());
        Said.Write();
        var window = new Outcome(Said.OfAll("window"));
        Outcome = Settings.IsStream ? window.OfStream(Settings.PayloadBytes)
            : window.InWords(SweepSettings.IsOfMessages(Settings.Work) ? "msg" : "calls");
    }

    /// <summary>Its launch record.</summary>
    public JObject Launch(double warmupS, bool isWarm, double wallS, string? block = null, string? apartBecause = null,
        object? rounds = null, object? linkTruth = null) => RecordFile.ToJson(new
        {
            V = Contract.Version, Record = "launch", Settings.RunId, Library, Settings = Settings.ToJson(), WarmupS = warmupS,
            WallS = wallS, Block = block, ApartBecause = apartBecause, Rounds = rounds, NotWarm = !isWarm, Link = linkTruth,
        });

    /// <summary>Ends it with a sentence on stderr and an error record; what was counted is written. Others may wait:
    /// then a side that hangs is not waited for.</summary>
    public void Fail(Failure fault, bool othersWait = false)
    {
        ExitCode = fault.ExitCode;
        Outcome = fault.ExitCode switch
        {
            Exit.Unsupported => $"unsupported: {Text.Plain(fault.Message)}",
            Exit.Interrupted => "interrupted",
            _ => $"failed: {Text.Plain(fault.Message)}",
        };
        if (sides.Error == null)
        {
            Console.Error.WriteLine($"{Library} run: {Text.Plain(fault.Message)}");
            Said.Add(ErrorRecord.Of(Settings.RunId, Library, "run", "failed", fault.ExitCode, fault.Message, Settings.ToJson()));
        }
        try
        {
            // What never got ready has nothing to say and may not heed its end, as what hangs.
            if (Said.Ready.Count < sides.Count || othersWait && isHung) sides.Drop();
            else if (!ending) sides.End();
        }
        catch (Failure other)
        {
            Console.Error.WriteLine($"{Library} run: {Text.Plain(other.Message)}");
        }
        Said.Write();
        Dispose();
    }

    void AskCounts(Side[] asked, string what)
    {
        Said.Counts.Clear();
        foreach (var side in asked) side.Say("count");
        Await(() => asked.All(Said.Counts.ContainsKey), AnswerSeconds, asked[0], what);
    }

    void Await(Func<bool> holds, double seconds, Side side, string what)
    {
        isHung = !sides.Until(() => holds() || StopAsked && !IsOpen, seconds);
        if (isHung) throw new Failure($"The {side.Name} did not {what} within {seconds:0.#} s.");
        AssertNotStopped();
    }

    void AssertNotStopped()
    {
        if (StopAsked && !IsOpen) throw new Failure("The run was stopped before its window began.", Exit.Interrupted);
    }

    // Both sides must run the very same executable.
    void AssertSameBuild()
    {
        if (!hosts.Any) return;
        var own = BenchFiles.HashOfAll(Library);
        foreach (var (side, said) in Said.Ready)
            if ((string?)said["bench_sha256"] != own)
                throw new Failure($"The {side.Name}'s host has another build of bench-{Library} in '{hosts.Folder}'.");
    }
}
