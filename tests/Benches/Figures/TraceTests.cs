using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.EventPipe;
using Newtonsoft.Json.Linq;

/// <summary>The traces of a run are read by the library that PerfView and other viewers read them with.</summary>
public sealed class TraceTests
{
    const string Sampler = "Microsoft-DotNETCore-SampleProfiler";

    [Fact]
    public void Each_side_of_a_traced_run_leaves_its_samples_and_collections()
    {
        using var scratch = new Scratch();
        string[] load = ["--parallel", "10", "--payload-bytes", "128", "--warmup-seconds", "0", "--seconds", "0.5"];
        string[] flags = ["--trace", "--run-id", "traced", "--out", scratch.PathOf("raw.jsonl")];
        Bench.Lead(Bench.Model, [.. load, .. flags]).WithCode(0);
        // Where there is perf, what it saw lies beside them, and nothing else of it.
        var files = Directory.GetFiles(scratch.Folder).Select(file => Path.GetFileName(file)!);
        Assert.Equal(
            ["raw.jsonl", "traced-client.nettrace", "traced-server.nettrace"],
            files.Where(file => !file.EndsWith(".perf.txt")).Order());
        var records = Record.In(scratch.PathOf("raw.jsonl"));
        foreach (var (side, method) in new[] { ("client", "Client.Poll"), ("server", "Server.Run") })
        {
            AssertReadable(scratch.PathOf($"traced-{side}.nettrace"), Record.Slices(records, side), method);
        }
        Assert.True((bool)Record.Single(records, "launch")["settings"]!["trace"]!);
    }

    static void AssertReadable(string path, JObject[] slices, string method)
    {
        var samples = 0;
        var collections = 0;
        var ofRuntime = 0;
        var allocations = 0;
        using (var source = new EventPipeEventSource(path))
        {
            source.Clr.GCStart += _ => collections++;
            source.Clr.All += _ => ofRuntime++;
            source.Clr.AllocationSampling += _ => allocations++;
            new SampleProfilerTraceEventParser(source).ThreadSample += _ => samples++;
            source.Process();
        }
        Assert.True(ofRuntime > 0, "The runtime's own events are missing.");
        // Of a byte in about 100,000; each side allocates over a million before anything is sent.
        Assert.InRange(allocations, 1, 1_000);
        Assert.True(collections > 0 || Record.Sum(slices, "gc_pause_ns") == 0);

        using var log = new TraceLog(TraceLog.CreateFromEventPipeDataFile(path));
        var events = log.Events.Where(next => next.ProviderName == Sampler);
        string[][] stacks = [.. events.Select(next => MethodsOf(next.CallStack()).ToArray())];
        Assert.Equal(samples, stacks.Length);
        bool IsOwn(string name) => name.StartsWith($"{Bench.Model}!") && name.Contains(method);
        Assert.True(stacks.Any(stack => stack.Any(IsOwn)), $"None of {samples} samples is in {method}.");
    }

    static IEnumerable<string> MethodsOf(TraceCallStack? stack)
    {
        for (; stack != null; stack = stack.Caller)
        {
            yield return $"{stack.CodeAddress.ModuleName}!{stack.CodeAddress.FullMethodName}";
        }
    }
}
