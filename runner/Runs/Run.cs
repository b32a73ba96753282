using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>
/// Leads one run: starts both sides, marks them when all clients are connected, lets them warm up,
/// opens the window, closes it, and writes every record.
/// </summary>
sealed class Run : IDisposable
{
    const double ReadySeconds = 15, RemoteReadySeconds = 30, ConnectSeconds = 120, AnswerSeconds = 10, RestSeconds = 15;
    const int WindowSlice = 2, DrainSlice = 3;
    static readonly string[] phases = ["connected", "warmup", "window", "drain", "end"];

    readonly string library;
    readonly Hosts hosts;
    readonly RawFile raw;
    readonly string? traceFolder;
    readonly RunningSides sides;
    readonly Dictionary<Side, List<JObject>> slices = [];
    readonly Dictionary<Side, JObject> ready = [], counts = [];
    RunSettings settings;
    bool isOpen, ending;

    /// <summary>A run with these settings, on these hosts, whose records go to a file.</summary>
    public Run(string library, RunSettings settings, Hosts hosts, RawFile raw, string? traceFolder)
    {
        (this.library, this.settings, this.hosts, this.raw, this.traceFolder) = (library, settings, hosts, raw, traceFolder);
        sides = new(library, hosts, OnRecord);
    }

    /// <summary>Asks it to stop: a window that is open ends and is written.</summary>
    public void Stop() => sides.Events.Add(new(null, null));

    public void Dispose() => sides.Dispose();

    /// <summary>How it went, in a few words.</summary>
    public string Outcome { get; private set; } = "";

    /// <summary>Leads it to its end; returns the exit code.</summary>
    public int Lead()
    {
        try
        {
            Connect();
            var (warmupS, isWarm) = WarmUp();
            Measure();
            ending = true;
            sides.End();
            Judge();
            raw.Write(new JObject
            {
                ["v"] = Contract.Version, ["record"] = "launch", ["run_id"] = settings.RunId, ["library"] = library,
                ["settings"] = settings.ToJson(), ["warmup_s"] = warmupS, ["not_warm"] = !isWarm,
            });
            Outcome = new Outcome(Windows()).ToString();
            return sides.StopAsked ? Exit.Interrupted : Exit.Done;
        }
        catch (Failure fault)
        {
            Fail(fault);
            return fault.ExitCode;
        }
    }

    void Connect()
    {
        var readySeconds = hosts.Any ? RemoteReadySeconds : ReadySeconds;
        if (hosts.Server == null && settings.Port == 0)
            settings = settings with { Port = Address.FreePort(settings.Address) };
        sides.StartServer(settings, traceFolder);
        Await(() => ready.ContainsKey(sides.Server), readySeconds, sides.Server, "get ready");
        settings = settings with { Port = (int)ready[sides.Server]["flags"]!["port"]! };
        sides.StartClients(settings, traceFolder);
        // That none connects they find out themselves; this is for those that do not even say so.
        Await(() => sides.Clients.All(ready.ContainsKey), readySeconds + ConnectSeconds, sides.Clients[0], "get ready");
        AssertSameBuild();
        foreach (var side in All)
        {
            side.Say("mark");
            side.Say("count"); // which says that it has marked, before anything is sent
        }
        Await(() => All.All(counts.ContainsKey), AnswerSeconds, sides.Server, "mark");
    }

    // Steady: three rates in a row that agree.
    (double Seconds, bool IsWarm) WarmUp()
    {
        foreach (var client in sides.Clients) client.Say("go");
        var (clock, warmth) = (Stopwatch.StartNew(), new Warmth(settings));
        while (clock.Elapsed.TotalSeconds < warmth.MostSeconds)
        {
            Wait(Math.Min(Warmth.StepSeconds, warmth.MostSeconds - clock.Elapsed.TotalSeconds));
            counts.Clear();
            foreach (var client in sides.Clients) client.Say("count");
            Await(() => sides.Clients.All(counts.ContainsKey), AnswerSeconds, sides.Clients[0], "say what it counted");
            warmth.Add(clock.Elapsed.TotalSeconds, counts.Values.Sum(count => (long)count["completed"]!));
            if (warmth.IsWarm) break;
        }
        Wait(0);
        return (clock.Elapsed.TotalSeconds, warmth.IsWarm);
    }

    void Measure()
    {
        foreach (var side in All) side.LookBefore();
        foreach (var side in All) side.Open();
        isOpen = true;
        sides.Until(() => sides.StopAsked, settings.Seconds < 0 ? int.MaxValue : settings.Seconds);
        foreach (var side in All) side.Close();
        foreach (var side in All.Reverse()) side.LookAfter(); // as near to the clients' window as before
        foreach (var client in sides.Clients) client.Say("rest");
        Await(() => sides.Clients.All(IsAtRest), RestSeconds, sides.Clients[0], "come to rest");
        sides.Server.Say("rest");
        Await(() => IsAtRest(sides.Server), AnswerSeconds, sides.Server, "come to rest");
    }

    // Lets time pass; a stop before the window ends the run.
    void Wait(double seconds)
    {
        if (sides.Until(() => sides.StopAsked, seconds))
            throw new Failure("The run was stopped before its window began.", Exit.Interrupted);
    }

    void Await(Func<bool> holds, double seconds, Side side, string what)
    {
        if (!sides.Until(() => holds() || IsStopped, seconds))
            throw new Failure($"The {side.Name} did not {what} within {seconds:0} s.");
        if (IsStopped) Wait(0);
    }

    // Once the window is open a stop only ends it.
    bool IsStopped => sides.StopAsked && !isOpen;

    IEnumerable<Side> All => sides.Clients.Prepend(sides.Server);

    bool IsAtRest(Side side) => slices.GetValueOrDefault(side)?.Count > DrainSlice;

    JObject[] Windows() => [.. sides.Clients.Select(client => slices[client][WindowSlice])];

    // Both sides must run the very same executable.
    void AssertSameBuild()
    {
        if (!hosts.Any) return;
        var own = BenchFiles.HashOfAll(library);
        foreach (var (side, said) in ready)
            if ((string?)said["bench_sha256"] != own)
                throw new Failure($"The {side.Name}'s host has another build of bench-{library} in '{hosts.Folder}'.");
    }

    // What no launch may have that is to count.
    void Judge()
    {
        long Sum(string field, int from = 0) => sides.Clients.Sum(client => slices[client].Skip(from)
            .Sum(slice => (long)slice["outcomes"]![field]!));
        var wrong = new[] { "lost", "corrupt", "unanswered", "duplicates", "foreign" }.Sum(field => Sum(field));
        if (settings.Delivery != "unreliable" && wrong > 0)
            throw new Failure($"{settings.Delivery} delivery lost, repeated or changed {wrong} messages.");
        if (Sum("lost", WindowSlice) > 0 && Sum("completed", WindowSlice) == 0)
            throw new Failure("The server stopped answering.");
    }

    void OnRecord(Side side, JObject record)
    {
        switch ((string?)record["record"])
        {
            case "ready": ready[side] = record; break;
            case "count": counts[side] = record; return;
            case "slice":
                if (!slices.TryGetValue(side, out var said)) slices[side] = said = [];
                said.Add(record);
                break;
            case "error": record["settings"] = settings.ToJson(); break;
        }
        // What the bench does not know stands behind what says who speaks.
        var who = record.Property("side")!;
        if ((int?)record["slice"] is { } number)
            who.AddAfterSelf(new JProperty("phase", phases[Math.Min(number, phases.Length - 1)]));
        if ((string?)record["record"] != "error") who.AddAfterSelf(new JProperty("client_machine", sides.MachineOf(side)));
        record.Property("record")!.AddAfterSelf(new JProperty("run_id", settings.RunId));
        raw.Write(record);
    }

    void Fail(Failure fault)
    {
        Outcome = fault.ExitCode switch
        {
            Exit.Unsupported => $"unsupported: {Text.Plain(fault.Message)}",
            Exit.Interrupted => "interrupted",
            _ => $"failed: {Text.Plain(fault.Message)}",
        };
        if (sides.Error == null)
        {
            Console.Error.WriteLine($"{library} run: {Text.Plain(fault.Message)}");
            raw.Write(ErrorRecord.Of(settings.RunId, library, "run", "failed", fault.ExitCode, fault.Message, settings.ToJson()));
        }
        try
        {
            // What never got ready has nothing to say and may not heed its end.
            if (ready.Count < sides.Count) sides.Dispose(); else if (!ending) sides.End();
        }
        catch (Failure other)
        {
            Console.Error.WriteLine($"{library} run: {Text.Plain(other.Message)}");
        }
    }
}
