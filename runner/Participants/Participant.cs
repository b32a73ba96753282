using System.Diagnostics;
using System.Net;
using Newtonsoft.Json.Linq;

/// <summary>One library's launch while it lives: starts both sides, leads them by commands, lets them stand still, and
/// ends them. Who leads it decides when it sends and for how long.</summary>
sealed class Participant : IDisposable
{
    // In which a side answers a command that asks for nothing to come.
    const double AnswerSeconds = 10;
    // In which all that is in flight ends, near and over a link that may be slow; more than a bench takes itself.
    const double NearDrainSeconds = 15;
    const double FarDrainSeconds = 40;
    const double SlotsASecond = 100_000;
    const double ReadySeconds = 15;
    const double RemoteReadySeconds = 30;
    const double ConnectSeconds = 120;

    // For which nothing more must come of an unreliable stream, and how often that is looked at.
    const double LeastStreamSeconds = 0.1;
    const double StreamLookSeconds = 0.01;

    static readonly string[] sameFlags =
    [
        "work", "delivery", "variant", "profile", "security", "payload_bytes", "room", "snapshot_bytes", "tick_hz",
    ];

    readonly Hosts hosts;
    readonly string? traceFolder;
    readonly RunningSides sides;
    readonly Stopwatch still = new();
    Trouble? trouble;
    bool isEnding;
    bool isHung;

    /// <summary>A launch with these settings, on these hosts, whose records go to a file: as they come, or where it
    /// may have to begin anew all at its end.</summary>
    public Participant(
        string library,
        LaunchSettings settings,
        Hosts hosts,
        RawFile raw,
        string? traceFolder,
        bool mayBeginAnew,
        Link? link = null)
    {
        Library = library;
        Settings = settings;
        this.hosts = hosts;
        this.traceFolder = traceFolder;
        sides = new RunningSides(library, hosts, link, (side, record) => Records!.Take(side, record, Settings));
        Records = new LaunchRecords(sides, raw, mayBeginAnew);
    }

    /// <summary>Its library.</summary>
    public string Library { get; }
    /// <summary>Its settings, with all that was found out so far.</summary>
    public LaunchSettings Settings { get; private set; }
    /// <summary>What its sides said.</summary>
    public LaunchRecords Records { get; }
    /// <summary>How it went, in a few words.</summary>
    public string Outcome { get; private set; } = "";
    /// <summary>That of the fault that ended it, else 0.</summary>
    public int ExitCode { get; private set; }
    /// <summary>From now on a stop does not end it: what was measured is to be written.</summary>
    public bool KeepsMeasured { get; set; }
    /// <summary>True once it was asked to stop.</summary>
    public bool StopAsked => sides.StopAsked;
    /// <summary>For how long it has stood still; 0: it runs.</summary>
    public double StillSeconds => still.Elapsed.TotalSeconds;
    /// <summary>Resident memory of its sides on this machine.</summary>
    public long RssBytes => sides.All.Sum(side => side.RssBytes);

    /// <summary>In which its drains must be over.</summary>
    public double DrainSeconds => (IsNear ? NearDrainSeconds : FarDrainSeconds) + Settings.Slots / SlotsASecond;

    /// <summary>True where its address is of loopback.</summary>
    public bool IsNear => !hosts.Any && IPAddress.TryParse(Settings.Address, out var ip) && IPAddress.IsLoopback(ip);

    /// <summary>Tells it that the link that its sides are joined by died.</summary>
    public void LoseLink()
    {
        sides.Events.Add(new SideEvent(null, null, Link.EndedEarly));
    }

    /// <summary>Asks it to stop.</summary>
    public void Stop() => sides.Events.Add(new SideEvent(null, null));

    /// <summary>Ends what still lives of it.</summary>
    public void Dispose() => sides.Dispose();

    /// <summary>Starts both sides; returns when all clients are connected, before anything is sent.</summary>
    public void Connect()
    {
        Work work = Works.Of(Settings.Work);
        if (!hosts.Any && Refusal.Of(work, Settings.Clients, Settings.Parallel, Settings.Rate) is { } reason)
        {
            throw new Failure(reason, Exit.Unsupported);
        }
        double readySeconds = hosts.Any ? RemoteReadySeconds : ReadySeconds;
        if (hosts.Server == null && Settings.Port == 0)
        {
            Settings = Settings with { Port = Address.FreePort(Settings.Address) };
        }
        sides.StartServer(Settings, traceFolder);
        Await(() => Records.Ready.ContainsKey(sides.Server), readySeconds, () => sides.Server, "get ready");
        ReadyRecord server = Records.Ready[sides.Server];
        Settings = Settings with { Port = server.Port };
        sides.StartClients(Settings, server.CertificateSha256, traceFolder);
        // That none gets further they find out themselves; this is for those that do not say so, or take too long.
        bool AreReady() => sides.Clients.All(Records.Ready.ContainsKey);
        Await(AreReady, readySeconds + ConnectSeconds, () => sides.Clients[0], "get ready");
        AssertSame();
        if (Settings.HasTrouble)
        {
            trouble = new Trouble(sides, Settings, server.CertificateSha256);
        }
        Drain("connected", AnswerSeconds);
    }

    /// <summary>Lets the clients send.</summary>
    public void Start() => Ask(sides.Clients, "start", AnswerSeconds);

    /// <summary>Opens a window on both sides; returns when both have opened it, which on a busy machine may take as
    /// long as a short window. Where it is measured from outside, too, the kernel's counters are read
    /// before.</summary>
    public void Begin(bool fromOutside)
    {
        if (fromOutside)
        {
            foreach (Side side in sides.All)
            {
                side.LookBefore();
            }
            KeepsMeasured = true;
        }
        Ask([.. sides.All], fromOutside ? LedSide.Open : "begin", AnswerSeconds);
        trouble?.Begin();
    }

    /// <summary>Closes it.</summary>
    public void End(bool fromOutside)
    {
        trouble?.End();
        Records.Answers.Clear();
        foreach (Side side in sides.All)
        {
            side.Say(fromOutside ? LedSide.Close : "end");
        }
        if (fromOutside)
        {
            // As near to the clients' window as before.
            foreach (Side side in sides.All.Reverse())
            {
                side.LookAfter();
            }
        }
        AwaitAnswers([.. sides.All], "end", AnswerSeconds);
    }

    /// <summary>Lets all that is in flight end, and takes what both sides have counted since the last drain: in the
    /// window for one phase, at other times for another.</summary>
    public void Drain(string windowPhase, double seconds)
    {
        string otherPhase = windowPhase == "connected" ? "connected" : "other";
        Ask(sides.Clients, "drain", seconds);
        AwaitStreams(seconds);
        Ask([sides.Server], "drain", seconds);
        foreach (Side side in sides.All)
        {
            Records.AddCounted(side, Records.Answers[side], windowPhase, otherPhase, Settings.RunId);
        }
    }

    /// <summary>Messages answered since the last drain, or of a stream sent, and methods that all sides have compiled.
    /// </summary>
    public (long Completed, long CompiledMethods) Count()
    {
        Ask([.. sides.All], "count", AnswerSeconds);
        CountAnswer[] clients = [.. sides.Clients.Select(Counted)];
        long completed = clients.Sum(client => client.Completed + client.Streamed);
        return (completed, sides.All.Sum(side => Counted(side).CompiledMethods));
    }

    /// <summary>Lets time pass; a stop ends it early, or the launch before it is open.</summary>
    public void Wait(double seconds)
    {
        if (trouble == null)
        {
            sides.Until(() => sides.StopAsked, seconds);
        }
        else
        {
            trouble.Wait(seconds);
        }
        AssertNotStopped();
    }

    /// <summary>Lets all sides stop running, until they go on.</summary>
    public void StandStill()
    {
        foreach (Side side in sides.All)
        {
            side.StandStill();
        }
        still.Start();
    }

    /// <summary>Lets all sides run again.</summary>
    public void GoOn()
    {
        foreach (Side side in sides.All)
        {
            side.GoOn();
        }
        sides.SayAlive();
        still.Reset();
    }

    /// <summary>Lets both sides end, writes all that they counted, and then fails at what must not be.</summary>
    public void Finish(Func<JObject> launch)
    {
        isEnding = true;
        try
        {
            sides.End();
        }
        finally
        {
            Records.Write();
        }
        // What befell a side after its window, or while it stood still, is heard only now.
        if (sides.Error is { } error)
        {
            throw new Failure(error.Reason, (int)error.ExitCode);
        }
        Records.Judge(Settings);
        Records.Add(launch());
        Records.Write();
        var window = new WindowSummary(Records.OfAll("window"), Settings);
        Work work = Works.Of(Settings.Work);
        Outcome = work.IsAnswered ? window.InWords(work) : window.OfStream(Settings.PayloadBytes);
    }

    /// <summary>Its launch record.</summary>
    public JObject LaunchRecord(
        Warmth warmth,
        double wallSeconds,
        string? block = null,
        string? separatelyBecause = null,
        RoundRecord? rounds = null,
        LinkPart? link = null) => RecordFile.ToJson(new
        {
            V = Contract.Version,
            Record = "launch",
            Settings.RunId,
            Library,
            Settings = RecordFile.ToJson(Settings),
            WarmupS = warmth.Seconds,
            WallS = wallSeconds,
            Block = block,
            SeparatelyBecause = separatelyBecause,
            Rounds = rounds,
            NotWarm = !warmth.IsWarm,
            Link = link,
            Trouble = trouble?.Part,
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
            string kind = fault.ExitCode == Exit.Unsupported ? "unsupported" : "failed";
            JObject settings = RecordFile.ToJson(Settings);
            Records.Add(ErrorRecords.Of(
                Settings.RunId, Library, "run", kind, fault.ExitCode, fault.Message, settings));
        }
        try
        {
            EndAfterFault(othersWait);
        }
        catch (Failure other)
        {
            Console.Error.WriteLine($"{Library} run: {Text.Plain(other.Message)}");
        }
        Records.Write();
        Dispose();
    }

    // What never got ready has nothing to say and may not heed its end, as what hangs.
    void EndAfterFault(bool othersWait)
    {
        if (Records.Ready.Count < sides.Count || othersWait && isHung)
        {
            sides.Drop();
        }
        else if (!isEnding)
        {
            sides.End();
        }
    }

    // Returns when each has answered.
    void Ask(IReadOnlyList<Side> asked, string command, double seconds)
    {
        foreach (Side side in asked)
        {
            Records.Answers.Remove(side);
        }
        foreach (Side side in asked)
        {
            side.Say(command);
        }
        AwaitAnswers(asked, command == LedSide.Open ? "begin" : command, seconds);
    }

    void AwaitAnswers(IReadOnlyList<Side> asked, string command, double seconds)
    {
        bool HasAnswered(Side side)
        {
            return Records.Answers.TryGetValue(side, out JObject? answer) && (string?)answer["record"] == command;
        }

        string what = command switch
        {
            "start" => "start to send",
            "begin" => "begin its window",
            "end" => "end its window",
            "drain" => "come to rest",
            _ => "say what it counted",
        };
        Await(() => asked.All(HasAnswered), seconds, () => asked.First(side => !HasAnswered(side)), what);
    }

    // Late: the side that it waits for.
    void Await(Func<bool> holds, double seconds, Func<Side> late, string what)
    {
        isHung = !sides.Until(() => holds() || StopAsked && !KeepsMeasured, seconds);
        if (isHung)
        {
            throw new Failure($"The {late().Name} did not {what} within {seconds:0.#} s.");
        }
        AssertNotStopped();
    }

    void AssertNotStopped()
    {
        if (StopAsked && !KeepsMeasured)
        {
            throw new Failure("The run was stopped before its window began.", Exit.Interrupted);
        }
    }

    CountAnswer Counted(Side side) => CountAnswer.Of(Records.Answers[side]);

    // A stream is not answered: who sent it does not know whether it has come. Of an unreliable one what does not come
    // for a while does not come at all.
    void AwaitStreams(double seconds)
    {
        if (Works.Of(Settings.Work).IsAnswered)
        {
            return;
        }
        long sent = sides.Clients.Sum(client => Counted(client).Streamed);
        double stillSeconds = Settings.Delivery == "unreliable"
            ? LeastStreamSeconds + (2 * Settings.Link?.RttMs + Settings.Link?.JitterMs ?? 0) / 1e3
            : seconds;
        long before = -1;
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed.TotalSeconds < stillSeconds)
        {
            Ask([sides.Server], "count", AnswerSeconds);
            long came = Counted(sides.Server).Streamed;
            if (came >= sent)
            {
                return;
            }
            if (came > before)
            {
                before = came;
                clock.Restart();
            }
            sides.Until(() => false, StreamLookSeconds);
        }
    }

    // Both sides must run the same with the same settings; on a host, what is here, too. Of a library that is a pair
    // each side has its own part.
    void AssertSame()
    {
        ReadyRecord server = Records.Ready[sides.Server];
        foreach (var (side, said) in Records.Ready)
        {
            if (hosts.Any && said.BenchSha256 != BenchFiles.HashOfAll(side.OwnLibrary))
            {
                throw new Failure(
                    $"The {side.Name}'s host has another build of bench-{side.OwnLibrary} in '{hosts.Folder}'.");
            }
            bool isSame = side.OwnLibrary != sides.Server.OwnLibrary
                || said.LibraryVersion == server.LibraryVersion && said.LibrarySha256 == server.LibrarySha256;
            if (!isSame)
            {
                throw new Failure($"The {side.Name} runs {side.OwnLibrary} {said.LibraryVersion}, and the server "
                    + $"{server.LibraryVersion}, or another file of it.");
            }
            if (sameFlags.FirstOrDefault(flag => !JToken.DeepEquals(said.Flags[flag], server.Flags[flag])) is { } other)
            {
                throw new Failure($"The {side.Name} runs with {other} {said.Flags[other]}, and the server with "
                    + $"{server.Flags[other]}.");
            }
        }
    }
}
