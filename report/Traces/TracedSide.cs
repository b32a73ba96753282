/// <summary>Where the time of one side of a cell went, in the windows of all its launches that have a trace.</summary>
sealed class TracedSide
{
    /// <summary>What of the CPU time no sample of .NET names: in calls that may also have waited, and in threads of
    /// .NET's own.</summary>
    public static readonly Method Rest = new("calls that may wait, threads of .NET's own", Method.Native);

    const double LeastOfCalls = 0.1;

    static readonly Method collector = new("garbage collection, as long as its pauses", Method.Native);

    readonly bool isServer;
    readonly MethodSums mayWait = new();
    double cpuS;
    double systemS;
    double elapsedS;
    double gcPauseS;
    long running;
    long ofPool;
    long inPool;

    TracedSide(Cell cell, bool isServer)
    {
        Cell = cell;
        this.isServer = isServer;
    }

    /// <summary>The cell that it is of.</summary>
    public Cell Cell { get; }

    /// <summary>server or client, as the names of files have it.</summary>
    public string Name => isServer ? "server" : "client";

    /// <summary>As readers call it.</summary>
    public string InWords => isServer ? "the server" : "the clients";

    /// <summary>Launches whose trace could be read.</summary>
    public int Launches { get; private set; }

    /// <summary>CPU time of the methods' own code, in s.</summary>
    public MethodSums Cpu { get; } = new();

    /// <summary>Bytes that methods allocated.</summary>
    public MethodSums Allocated { get; } = new();

    /// <summary>The methods that most of the calls outside .NET were in that may have waited.</summary>
    public IEnumerable<Method> MayWait(int most) =>
        mayWait.Largest(most).Where(method => mayWait.Of(method).Amount >= LeastOfCalls * mayWait.Total);

    /// <summary>CPU time per message, in µs; null where it is not known.</summary>
    public double? CpuUs => Cell.Median(launch => isServer ? launch.ServerCpuUs : launch.ClientCpuUs);

    /// <summary>Managed bytes per message; null where they are not known.</summary>
    public double? AllocatedBytes =>
        Cell.Median(launch => isServer ? launch.ServerAllocatedBytes : launch.ClientAllocatedBytes);

    /// <summary>The share of the CPU time that the kernel took for it.</summary>
    public double? Kernel => Launch.Ratio(systemS, cpuS);

    /// <summary>The share of the windows for which the collector stopped it.</summary>
    public double? GcPause => Launch.Ratio(gcPauseS, elapsedS);

    /// <summary>Of the samples that ran, the share on threads of the thread pool.</summary>
    public double? OfPool => Launch.Ratio(ofPool, running);

    /// <summary>The same in the thread pool's own code.</summary>
    public double? InPool => Launch.Ratio(inPool, running);

    /// <summary>The share of the CPU time in the harness.</summary>
    public double? Harness => Cpu.ShareOf(method => method.IsHarness);

    /// <summary>Those of a cell whose traces lie in a folder, the server first; faults: takes a sentence for each trace
    /// that says nothing.</summary>
    public static IEnumerable<TracedSide> Of(Cell cell, string folder, List<string> faults)
    {
        yield return Of(cell, isServer: true, folder, faults);
        yield return Of(cell, isServer: false, folder, faults);
    }

    static TracedSide Of(Cell cell, bool isServer, string folder, List<string> faults)
    {
        var traced = new TracedSide(cell, isServer);
        foreach (var launch in cell.Launches)
        {
            if ((isServer ? launch.Server : launch.Clients[0]) is not { } side)
            {
                continue;
            }
            var file = $"{launch.Record.RunId}-{traced.Name}";
            try
            {
                traced.Add(side, Path.Combine(folder, Path.GetFileName(file)));
            }
            catch (Failure fault)
            {
                faults.Add($"The trace {file}.nettrace {fault.Message}.");
            }
        }
        return traced;
    }

    void Add(Side side, string path)
    {
        var trace = TraceSamples.In($"{path}.nettrace", side);
        if (trace.Turns == 0)
        {
            throw new Failure("has no samples of its window");
        }
        Launches++;
        var pauseS = side.Window.GcPauseNs / 1e9;
        var ofSideS = side.UserS + side.SystemS;
        cpuS += ofSideS;
        systemS += side.SystemS;
        elapsedS += side.ElapsedS;
        gcPauseS += pauseS;
        running += trace.Running.Samples;
        ofPool += trace.OfPool;
        inPool += trace.InPool;
        Allocated.AddAll(trace.Allocated, side.Window.AllocatedBytes);
        if (PerfText.In($"{path}.perf.txt") is { } perf)
        {
            AddByPerf(trace, perf, ofSideS);
        }
        else
        {
            AddBySamples(trace, ofSideS, pauseS, (side.ElapsedS - pauseS) / trace.Turns);
        }
    }

    // perf knows how much code of .NET took, and its samples which methods.
    void AddByPerf(TraceSamples trace, PerfText perf, double ofSideS)
    {
        var aSampleS = ofSideS / (perf.Managed + perf.Native.Samples);
        Cpu.AddAll(trace.Managed, aSampleS * perf.Managed);
        Cpu.AddAll(perf.Native, aSampleS * perf.Native.Samples);
    }

    // A thread that ran as it was sampled did so until the next turn; what then lacks of the process's CPU time was
    // spent where a sample does not tell work from waiting.
    void AddBySamples(TraceSamples trace, double ofSideS, double pauseS, double turnS)
    {
        var seenS = turnS * trace.Running.Total;
        Cpu.AddAll(trace.Running, seenS);
        mayWait.AddAll(trace.MayWait, turnS * trace.MayWait.Total);
        var collectorS = Math.Clamp(ofSideS - seenS, 0, pauseS);
        AddIfAny(collector, collectorS);
        AddIfAny(Rest, ofSideS - seenS - collectorS);
    }

    void AddIfAny(Method method, double seconds)
    {
        if (seconds > 0)
        {
            Cpu.Add(method, seconds, samples: 0);
        }
    }
}
