using System.Diagnostics;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Newtonsoft.Json.Serialization;

/// <summary>What a side did and spent, each by its name in the records (CONTRACT.md).</summary>
public struct Work
{
    public long ElapsedNs, Sent, Received, Bytes, Streamed, StreamCorrupt, StreamRepeated, StreamDisordered;
    public long Passes, IdlePasses, CpuUserNs, CpuSystemNs;
    public long Gc0Count, Gc1Count, Gc2Count, GcPauseNs, AllocatedBytes, RssBytes, CompiledMethods;
}

/// <summary>What became of the messages that clients sent; each ends in exactly one way (CONTRACT.md).</summary>
public struct Outcomes
{
    public long ReceivedLate, Lost, Corrupt, Failed, TimedOut, Unanswered, Completed, LateArrivals, Duplicates, Foreign, NotSent, IdleNs;
}

/// <summary>What the clients of a thread, or of all, counted in a slice.</summary>
sealed class Counts
{
    public Work Work;
    public Outcomes Outcomes;
    public long PauseNs; // the longest
    public long BeganAt { get; set; } // in Stopwatch ticks, of one thread's
    public readonly Histogram Rtt = new(), SendLag = new();
    public readonly Dictionary<string, long> Failures = []; // of calls, by the library's word for each

    /// <summary>Adds another's.</summary>
    public Counts Merge(Counts other)
    {
        Add(ref Work, other.Work, 1);
        Add(ref Outcomes, other.Outcomes, 1);
        PauseNs = Math.Max(PauseNs, other.PauseNs);
        Rtt.Merge(other.Rtt);
        SendLag.Merge(other.SendLag);
        return this;
    }

    /// <summary>Adds the numbers of a struct of longs (1) or takes them away (-1).</summary>
    public static void Add<T>(ref T sum, T other, int sign) where T : unmanaged
    {
        var numbers = MemoryMarshal.Cast<T, long>(new Span<T>(ref sum));
        var others = MemoryMarshal.Cast<T, long>(new Span<T>(ref other));
        for (var i = 0; i < numbers.Length; i++) numbers[i] += sign * others[i];
    }
}

/// <summary>Counts echoes, notes what this side spent at each mark, and writes the JSON lines, but between two marks.</summary>
static class Records
{
    /// <summary>Version of the record format (CONTRACT.md).</summary>
    public const int Version = 7;
    /// <summary>So many slices can wait to be written.</summary>
    public const int Kept = 8;

    /// <summary>Names become snake_case, nulls stay.</summary>
    public static readonly JsonSerializer Json = JsonSerializer.Create(new() { ContractResolver = new DefaultContractResolver { NamingStrategy = new SnakeCaseNamingStrategy() } });

    static readonly ThreadLocal<StrongBox<Work>> echoes = new(() => new(), trackAllValues: true);
    [ThreadStatic] static StrongBox<Work>? ownEchoes; // this thread's, found at less cost
    // Mark n, where slice n begins, at n modulo its length; with what was allocated when it was over.
    static readonly (Work Spent, long Allocated)[] marks = new (Work, long)[Kept + 1];
    static int marked, written;

    /// <summary>Effective socket buffers as read back; null where the library hides them.</summary>
    public static (int? Receive, int? Send) SocketBufferBytes { get; set; }
    /// <summary>Of the certificate that a server made, in hexadecimal; null: none.</summary>
    public static string? CertificateSha256 { get; set; }
    /// <summary>How often a server answers a message: once, but for who wants to see more (CONTRACT.md).</summary>
    public static int Answers { get; set; } = 1;
    /// <summary>True once this side has said that it is ready.</summary>
    public static bool IsReady { get; private set; }
    /// <summary>The library as it is loaded.</summary>
    public static object OfLibrary => new
    { LibraryVersion = Library.Version, LibraryFile = Library.Assembly.Location, Library.Note };

    /// <summary>Says that this side listens or, after so many seconds, is connected.</summary>
    public static void WriteReady(Settings settings, double? connectS = null)
    {
        IsReady = true;
        Write("ready", OfLibrary, new
        {
            Flags = settings, Tuning = settings.Profile == "tuned" ? Library.Tuned! : [], TickS = Library.TickS(settings),
            ConnectS = connectS, Load.HelloNs, SocketReceiveBufferBytes = SocketBufferBytes.Receive, SocketSendBufferBytes = SocketBufferBytes.Send,
            Serializer = Library.Variants[settings.Variant], CertificateSha256,
            DotnetVersion = Environment.Version.ToString(), Environment.ProcessId, Environment.ProcessorCount,
            ServerGc = GCSettings.IsServerGC, ConcurrentGc = GCSettings.LatencyMode != GCLatencyMode.Batch,
        });
    }

    /// <summary>Counts what a server received, of so many bytes; returns its answer.</summary>
    public static T Counted<T>(T answer, int bytes = 0) where T : allows ref struct
    {
        ref var work = ref Echoes;
        work.Received++;
        work.Sent += Answers;
        work.Bytes += bytes;
        return answer;
    }

    /// <summary>Takes back the answer counted last: the library refused to send it.</summary>
    public static void Unsent() => Echoes.Sent--;

    /// <summary>Counts a pass of a server's loop that polls rather than blocks.</summary>
    public static void Pass(bool idle)
    {
        Echoes.Passes++;
        if (idle) Echoes.IdlePasses++;
    }

    /// <summary>What this thread of a server counted.</summary>
    public static ref Work Echoes => ref (ownEchoes ??= echoes.Value!).Value;

    /// <summary>Ends a slice and begins the next.</summary>
    public static void Mark()
    {
        if (marked - written > Kept) throw new Failure($"More than {Kept} slices without a rest.");
        var allocated = GC.GetTotalAllocatedBytes();
        Load.Mark(marked);
        var cpu = Environment.CpuUsage;
        var spent = new Work
        {
            ElapsedNs = Load.Ns(Stopwatch.GetTimestamp()), CpuUserNs = 100 * cpu.UserTime.Ticks, CpuSystemNs = 100 * cpu.PrivilegedTime.Ticks,
            Gc0Count = GC.CollectionCount(0), Gc1Count = GC.CollectionCount(1), Gc2Count = GC.CollectionCount(2),
            GcPauseNs = 100 * GC.GetTotalPauseDuration().Ticks, AllocatedBytes = allocated, RssBytes = Environment.WorkingSet, CompiledMethods = JitInfo.GetCompiledMethodCount(),
        };
        foreach (var thread in echoes.Values) Counts.Add(ref spent, thread.Value, 1);
        marks[marked++ % marks.Length] = (spent, GC.GetTotalAllocatedBytes());
    }

    /// <summary>Writes a record of each slice that has ended and has none yet.</summary>
    public static void WriteSlices()
    {
        for (; written < marked - 1; written++)
        {
            var (from, to) = (marks[written % marks.Length], marks[(written + 1) % marks.Length]);
            var (work, clients) = (to.Spent, Load.Collect(written));
            Counts.Add(ref work, from.Spent, -1);
            (work.AllocatedBytes, work.RssBytes) = (to.Spent.AllocatedBytes - from.Allocated, to.Spent.RssBytes);
            if (clients != null) work.ElapsedNs = 0; // that of the clients' threads instead
            Counts.Add(ref work, clients?.Work ?? default, 1);
            var rtt = clients?.Rtt;
            Write("slice", new { Slice = written }, work, new
            {
                Outcomes = clients == null ? null : Fields(clients.Outcomes, new
                {
                    clients.PauseNs, RttMinNs = rtt!.Count > 0 ? rtt.MinNs : (long?)null,
                    RttMaxNs = rtt.Count > 0 ? rtt.MaxNs : (long?)null, RttSumNs = rtt.SumNs, RttNs = rtt.Sparse(), SendLagNs = clients.SendLag.Sparse(), clients.Failures,
                }),
            });
        }
    }

    /// <summary>Writes the slices that are left (by hand: the last alone), then the side's last record.</summary>
    public static void End(string record, object content)
    {
        Load.End();
        if (!Program.IsLed) written = Math.Max(0, marked - 1);
        if (marked > 0) { WriteSlices(); Mark(); } // in this order there is room for the last
        WriteSlices();
        if (Program.IsLed || record == "error") Write(record, content);
    }

    /// <summary>Writes one record as a line: the parts' fields, one after the other.</summary>
    public static void Write(string record, params object[] parts)
    {
        var line = Fields([new { V = Version, Record = record, Library = Library.Name, Program.Side }, .. parts]);
        lock (Json) Console.Out.WriteLine(line.ToString(Formatting.None));
    }

    static JObject Fields(params object[] parts) =>
        new(parts.SelectMany(part => JObject.FromObject(part, Json).Properties()));
}
