using Newtonsoft.Json.Linq;

/// <summary>What both sides of a launch say: what they counted is added up by phase, and all becomes the launch's
/// records. </summary>
/// <param name="sides">The sides.</param>
/// <param name="raw">Where the records go.</param>
/// <param name="isHeld">True where it may have to begin anew: then nothing is written before its end.</param>
sealed class LaunchRecords(RunningSides sides, RawFile raw, bool isHeld) : ILaunchCounts
{
    // Of the commands, see Answers.
    static readonly string[] answers = ["start", "begin", "end", "count", "drain"];

    readonly Dictionary<Side, PhaseSums> sums = [];
    readonly Dictionary<Side, ReadyRecord> ready = [];
    readonly List<JObject> records = [];
    readonly HashSet<Side> summedUp = [];

    /// <summary>What the sides that are ready said.</summary>
    public IReadOnlyDictionary<Side, ReadyRecord> Ready => ready;

    /// <summary>What each side answered last to a command.</summary>
    public Dictionary<Side, JObject> Answers { get; } = [];

    /// <summary>True where both sides have counted in a phase.</summary>
    public bool Has(string phase) => sums.Count == sides.Count && sums.Values.All(side => side.Has(phase));

    /// <summary>That of each client.</summary>
    public SliceRecord[] OfClients(string phase) => [.. sides.Clients.Select(client => sums[client].Slice(phase))];

    /// <summary>That of the server.</summary>
    public SliceRecord OfServer(string phase) => sums[sides.Server].Slice(phase);

    /// <summary>That of all sides.</summary>
    public SliceRecord[] OfAll(string phase) => [.. sides.All.Select(side => sums[side].Slice(phase))];

    /// <summary>What came last to a phase: of all clients together (of a stream what the server received, by its
    /// clock), and of the server.</summary>
    public (SliceFigures Clients, SliceFigures Server) Last(string phase)
    {
        SliceFigures[] clients = [.. sides.Clients.Select(client => sums[client].Last(phase))];
        SliceFigures server = sums[sides.Server].Last(phase);
        bool isStream = server.Completed > 0;
        var all = new SliceFigures(
            ElapsedNs: isStream ? server.ElapsedNs : clients.Max(client => client.ElapsedNs),
            Completed: server.Completed + clients.Sum(client => client.Completed),
            Lost: clients.Sum(client => client.Lost),
            CpuNs: clients.Sum(client => client.CpuNs),
            CompiledMethods: clients.Sum(client => client.CompiledMethods));
        return (all, server);
    }

    /// <summary>Takes what a side said.</summary>
    public void Take(Side side, JObject record, LaunchSettings settings)
    {
        string kind = (string)record["record"]!;
        if (answers.Contains(kind))
        {
            Answers[side] = record;
            return;
        }
        record.Property("record")!.AddAfterSelf(new JProperty("run_id", settings.RunId));
        switch (kind)
        {
            case "ready":
                ready[side] = RecordFile.As<ReadyRecord>(record);
                AddClientMachine(side, record);
                break;
            case "closed":
                AddCounted(side, record, windowPhase: "window", otherPhase: "end", settings.RunId);
                AddClientMachine(side, record);
                WritePhases(side);
                break;
            case "error":
                AddCounted(side, record, windowPhase: "window", otherPhase: "end", settings.RunId);
                record["settings"] = RecordFile.ToJson(settings);
                break;
        }
        Add(record);
    }

    /// <summary>Takes a record of the launch itself.</summary>
    public void Add(JObject record)
    {
        if (isHeld)
        {
            records.Add(record);
        }
        else
        {
            raw.Write(record);
        }
    }

    /// <summary>Adds what a side counted in its window and at other times to phases, and removes it from the record
    /// that says it.</summary>
    public void AddCounted(Side side, JObject record, string windowPhase, string otherPhase, string runId)
    {
        JToken? kernel = record["kernel"];
        AddPart(side, record["window"] as JObject, windowPhase, kernel, runId);
        AddPart(side, record["other"] as JObject, otherPhase, null, runId);
        record.Remove("window");
        record.Remove("other");
        record.Remove("kernel");
    }

    /// <summary>Writes what was held, and the phases of sides that have not said that they closed.</summary>
    public void Write()
    {
        foreach (Side side in sides.All)
        {
            WritePhases(side);
        }
        records.ForEach(raw.Write);
        records.Clear();
    }

    /// <summary>Fails at what no launch may have that is to count.</summary>
    public void Judge(LaunchSettings settings)
    {
        if (Works.Of(settings.Work).Fault(settings, this) is { } fault)
        {
            throw new Failure(fault);
        }
    }

    /// <inheritdoc/>
    public SliceRecord ServerWindow => OfServer("window");

    /// <inheritdoc/>
    public string Failures
    {
        get
        {
            // The most frequent first.
            var kinds = sides.Clients
                .SelectMany(client => sums[client].Failures)
                .GroupBy(failure => failure.Key, failure => failure.Value)
                .Select(kind => (Kind: kind.Key, Count: kind.Sum()))
                .OrderByDescending(kind => kind.Count)
                .Select(kind => $"{kind.Kind} {kind.Count:N0}");
            string words = string.Join(", ", kinds);
            return words == "" ? "" : $" ({words})";
        }
    }

    /// <inheritdoc/>
    public long OfClients(Func<SliceRecord, long> count) => sides.Clients.Sum(client => sums[client].Count(count));

    /// <inheritdoc/>
    public long OfServer(Func<SliceRecord, long> count) => sums[sides.Server].Count(count);

    /// <inheritdoc/>
    public long OfOutcomes(Func<OutcomesPart, long> count, params string[] phases) =>
        sides.Clients.Sum(client => sums[client].Sum(count, phases));

    void AddPart(Side side, JObject? part, string phase, JToken? kernel, string runId)
    {
        if (part == null)
        {
            return;
        }
        if (!sums.TryGetValue(side, out PhaseSums? phases))
        {
            phases = new PhaseSums();
            sums[side] = phases;
        }
        var slice = new JObject
        {
            ["v"] = Contract.Version,
            ["record"] = "slice",
            ["run_id"] = runId,
            ["library"] = side.Library,
            ["side"] = side.IsServer ? "server" : "client",
            ["client_machine"] = sides.MachineOf(side),
            ["phase"] = phase,
            ["slice"] = 0,
        };
        // Moved, not copied, as the histograms are kept beside their lists.
        foreach (JProperty field in part.Properties().ToArray())
        {
            field.Remove();
            slice.Add(field);
        }
        slice["outside"] = kernel ?? JValue.CreateNull();
        phases.Add(slice);
    }

    void AddClientMachine(Side side, JObject record)
    {
        record.Property("side")!.AddAfterSelf(new JProperty("client_machine", sides.MachineOf(side)));
    }

    // Before it says that it has closed, or when it will say no more.
    void WritePhases(Side side)
    {
        if (!sums.TryGetValue(side, out PhaseSums? phases) || !summedUp.Add(side))
        {
            return;
        }
        foreach (JObject slice in phases.All)
        {
            Add(slice);
        }
    }
}
