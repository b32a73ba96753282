using Newtonsoft.Json.Linq;

/// <summary>What both sides of a launch say: slices are added up by phase, and all becomes the launch's records.</summary>
/// <param name="held">True where it may have to begin anew: then nothing is written before its end.</param>
sealed class Said(RunningSides sides, RawFile raw, bool held)
{
    static readonly string[] wrongs = [.. Accounting.Losses, "duplicates", "foreign"];

    readonly Dictionary<Side, PhaseSums> sums = [];
    readonly Dictionary<Side, JObject> ready = [], counts = [];
    readonly Dictionary<Side, int> lastSlice = [];
    readonly List<JObject> records = [];
    // Of the slices by their number, the same on both sides; what comes after them is of the end.
    readonly List<string> phases = [];
    readonly HashSet<Side> summedUp = [];

    /// <summary>What the sides that are ready said.</summary>
    public IReadOnlyDictionary<Side, JObject> Ready => ready;
    /// <summary>What those counted that said so since the last asking.</summary>
    public Dictionary<Side, JObject> Counts => counts;

    /// <summary>Notes of which phase the slice is that ends now; returns its number.</summary>
    public int EndSlice(string phase)
    {
        phases.Add(phase);
        return phases.Count - 1;
    }

    /// <summary>True when a side has told its slices up to that number.</summary>
    public bool HasTold(Side side, int slice) => lastSlice.GetValueOrDefault(side, -1) >= slice;

    /// <summary>True where both sides have a slice of a phase.</summary>
    public bool Has(string phase) => sums.Count == sides.Count && sums.Values.All(side => side.Has(phase));

    /// <summary>That of each client.</summary>
    public JObject[] OfClients(string phase) => [.. sides.Clients.Select(client => sums[client].Of(phase))];

    /// <summary>That of all sides.</summary>
    public JObject[] OfAll(string phase) => [.. sides.All.Select(side => sums[side].Of(phase))];

    /// <summary>The slice of a phase that came last, of all clients together (of a stream what the server received, by its clock), and
    /// of the server.</summary>
    public (SliceFigures Clients, SliceFigures Server) Last(string phase)
    {
        SliceFigures[] clients = [.. sides.Clients.Select(client => sums[client].Last(phase))];
        var server = sums[sides.Server].Last(phase);
        return (new(server.Completed > 0 ? server.ElapsedNs : clients.Max(client => client.ElapsedNs),
            server.Completed + clients.Sum(client => client.Completed), clients.Sum(client => client.Lost), clients.Sum(client => client.CpuNs),
            clients.Sum(client => client.CompiledMethods)), server);
    }

    /// <summary>Takes a record of a side. What the bench does not know stands behind what says who speaks.</summary>
    public void Add(Side side, JObject record, RunSettings settings)
    {
        var (kind, who) = ((string?)record["record"], record.Property("side")!);
        if (kind != "error") who.AddAfterSelf(new JProperty("client_machine", sides.MachineOf(side)));
        record.Property("record")!.AddAfterSelf(new JProperty("run_id", settings.RunId));
        switch (kind)
        {
            case "ready": ready[side] = record; break;
            case "count": counts[side] = record; return;
            case "slice":
                var number = lastSlice[side] = (int)record["slice"]!;
                who.AddAfterSelf(new JProperty("phase", number < phases.Count ? phases[number] : "end"));
                if (!sums.TryGetValue(side, out var of)) sums[side] = of = new();
                of.Add(record);
                return;
            case "closed": AddSlices(side); break;
            case "error": record["settings"] = settings.ToJson(); break;
        }
        Add(record);
    }

    /// <summary>Takes a record of the launch itself.</summary>
    public void Add(JObject record)
    {
        if (held) records.Add(record); else raw.Write(record);
    }

    // Before it says that it has closed, or when it will say no more.
    void AddSlices(Side side)
    {
        if (!sums.TryGetValue(side, out var of) || !summedUp.Add(side)) return;
        foreach (var slice in of.All) Add(slice);
    }

    /// <summary>Writes what was held, and the slices if they are not written yet.</summary>
    public void Write()
    {
        foreach (var side in sides.All) AddSlices(side);
        records.ForEach(raw.Write);
        records.Clear();
    }

    /// <summary>Fails at what no launch may have that is to count.</summary>
    public void Judge(RunSettings settings)
    {
        long Sum(string outcome, params string[] of) => sides.Clients.Sum(client => sums[client].Sum(outcome, of));
        var wrong = wrongs.Sum(outcome => Sum(outcome));
        if (settings.IsStream) JudgeStream(settings.Delivery);
        if (!SweepSettings.IsOfMessages(settings.Work) && wrong > 0)
            throw new Failure($"{Text.Count(wrong, "call")} failed, were answered wrongly, late or not at all{Kinds}.");
        if (settings.Delivery != "unreliable" && wrong > 0)
            throw new Failure($"{settings.Delivery} delivery lost, repeated or changed {wrong} messages.");
        if (Sum("lost", "window", "drain") > 0 && Sum("completed", "window") == 0)
            throw new Failure("The server stopped answering.");
    }

    void JudgeStream(string delivery)
    {
        var server = sums[sides.Server];
        if (Carried.Fault(delivery, sides.Clients.Sum(client => sums[client].Count("streamed")), field => server.Count(field)) is { } fault)
            throw new Failure($"{char.ToUpperInvariant(fault[0])}{fault[1..]}.");
        if (Carried.To(server.Of("window")) == 0) throw new Failure("Nothing of the stream arrived in its window.");
    }

    // Of failed calls, by the library's own words for them.
    string Kinds => string.Join(", ", sides.Clients.SelectMany(client => sums[client].Failures).GroupBy(failure => failure.Kind)
        .OrderByDescending(kind => kind.Sum(failure => failure.Count))
        .Select(kind => $"{kind.Key} {kind.Sum(failure => failure.Count):N0}")) is { Length: > 0 } kinds ? $" ({kinds})" : "";
}
