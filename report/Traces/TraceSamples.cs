using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.EventPipe;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

/// <summary>What was sampled in the window of one side: by .NET, which stops all threads at each turn and writes down
/// in which method each is.</summary>
sealed class TraceSamples
{
    // .NET samples one allocated byte in so many.
    const double BytesASample = 102_400;
    // Of a trace that is whole: on a busy machine the last sample may be so much before the end.
    const double MostLackingMs = 200;
    // Of the samples in a method that calls native code, so many times are outside .NET.
    const double LeastNative = 0.1;

    readonly Dictionary<CallStackIndex, StackKind> kinds = [];
    readonly Dictionary<int, long> ofThreads = [];
    readonly MethodSums sending = new();
    readonly double beginsMs;
    readonly double endsMs;

    TraceSamples(TraceLog log, Side side)
    {
        endsMs = LastMs(log, side) - Ms(side.Slices.Where(slice => slice.Phase == "end").Sum(slice => slice.ElapsedNs));
        beginsMs = endsMs - Ms(side.Window.ElapsedNs);
        using var source = log.Events.GetSource();
        new SampleProfilerTraceEventParser(source).ThreadSample += Take;
        source.Clr.AllocationSampling += Take;
        source.Process();
        Turns = ofThreads.Values.DefaultIfEmpty().Max();
        foreach (var method in Managed.Methods)
        {
            var (amount, samples) = Managed.Of(method);
            var isNative = MayWait.Of(method).Samples + sending.Of(method).Samples >= LeastNative * samples;
            Running.Add(method with { IsNative = isNative }, amount, samples);
        }
        foreach (var method in sending.Methods)
        {
            var (amount, samples) = sending.Of(method);
            Running.Add(method with { IsNative = true }, amount, samples);
        }
    }

    /// <summary>How often all threads were sampled: as often as the one that lived longest.</summary>
    public long Turns { get; }

    /// <summary>Samples of threads that ran code of .NET, or were ready to.</summary>
    public MethodSums Managed { get; } = new();

    /// <summary>The same samples, and those in calls outside .NET that do not wait. Where a method itself calls such
    /// code, .NET stops it as that returns, so that its samples are those of the call.</summary>
    public MethodSums Running { get; } = new();

    /// <summary>Samples of threads in calls outside .NET that may have waited.</summary>
    public MethodSums MayWait { get; } = new();

    /// <summary>Of the samples that ran, those on threads of the thread pool.</summary>
    public long OfPool { get; private set; }

    /// <summary>Of these, those in the thread pool's own code.</summary>
    public long InPool { get; private set; }

    /// <summary>Bytes that methods allocated, as estimated from a sample.</summary>
    public MethodSums Allocated { get; } = new();

    /// <summary>Reads the trace of a side; fails in a sentence, which begins with the verb, where it says nothing.
    /// </summary>
    public static TraceSamples In(string path, Side side)
    {
        if (!File.Exists(path))
        {
            throw new Failure("is missing");
        }
        if (new FileInfo(path).Length == 0)
        {
            throw new Failure("is empty");
        }
        var indexed = Path.GetTempFileName();
        try
        {
            TraceLog.CreateFromEventPipeDataFile(path, indexed);
            using var log = new TraceLog(indexed);
            return new(log, side);
        }
        catch (Exception fault) when (fault is not (Failure or OutOfMemoryException))
        {
            // What the library that reads it has to say is of its own files.
            throw new Failure("cannot be read");
        }
        finally
        {
            File.Delete(indexed);
        }
    }

    // Threads are sampled until the process ends, so that from there on back the side's records tell when its window
    // was. What was in flight ended in a moment, or the window is taken for as much later.
    static double LastMs(TraceLog log, Side side)
    {
        var lastMs = 0.0;
        using var source = log.Events.GetSource();
        new SampleProfilerTraceEventParser(source).ThreadSample += sample => lastMs = sample.TimeStampRelativeMSec;
        source.Process();
        var leastMs = Ms((long)side.InAll(slice => slice.ElapsedNs)) - MostLackingMs;
        return lastMs >= leastMs ? lastMs : throw new Failure("is cut short");
    }

    static double Ms(long ns) => ns / 1e6;

    bool IsInWindow(TraceEvent next) => next.TimeStampRelativeMSec >= beginsMs && next.TimeStampRelativeMSec < endsMs;

    void Take(ClrThreadSampleTraceData sample)
    {
        if (!IsInWindow(sample))
        {
            return;
        }
        ofThreads[sample.ThreadID] = ofThreads.GetValueOrDefault(sample.ThreadID) + 1;
        if (KindOf(sample) is { } kind)
        {
            Add(kind, isInside: sample.Type == ClrThreadSampleType.Managed);
        }
    }

    void Take(AllocationSampledTraceData allocation)
    {
        if (IsInWindow(allocation) && KindOf(allocation) is { } kind)
        {
            var share = 1 - Math.Pow(1 - 1 / BytesASample, allocation.ObjectSize);
            Allocated.Add(kind.Allocates, allocation.ObjectSize / share);
        }
    }

    StackKind? KindOf(TraceEvent next)
    {
        if (next.CallStack() is not { } stack)
        {
            return null;
        }
        if (!kinds.TryGetValue(stack.CallStackIndex, out var kind))
        {
            kind = new(stack);
            kinds[stack.CallStackIndex] = kind;
        }
        return kind;
    }

    void Add(StackKind kind, bool isInside)
    {
        if (!isInside && kind.Waits)
        {
            return;
        }
        if (!isInside && !kind.Sends)
        {
            MayWait.Add(kind.Top, 1);
            return;
        }
        if (isInside)
        {
            Managed.Add(kind.Top, 1);
        }
        else
        {
            sending.Add(kind.Top, 1);
        }
        OfPool += kind.IsOfPool ? 1 : 0;
        InPool += kind.IsInPool ? 1 : 0;
    }
}
