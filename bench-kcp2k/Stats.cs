using System.Diagnostics;
using System.Runtime;
using System.Security.Cryptography;
using Newtonsoft.Json;
using Newtonsoft.Json.Serialization;

/// <summary>What this process cost and, on a server, what it echoed; writes the JSON lines.</summary>
static class Stats
{
    /// <summary>Version of the record format (CONTRACT.md).</summary>
    public const int Version = 1;
    /// <summary>Time between two interval records, in milliseconds.</summary>
    public const int IntervalMs = 500;

    /// <summary>Names become snake_case, nulls stay.</summary>
    public static readonly JsonSerializer Json = JsonSerializer.Create(new()
    {
        ContractResolver = new DefaultContractResolver { NamingStrategy = new SnakeCaseNamingStrategy() },
    });

    sealed class Echoes { public long Messages, Bytes, Unsent, Passes, IdlePasses, Seen; }

    /// <summary>Cumulative counters of this process and of the system that it runs on.</summary>
    public readonly record struct Snapshot(
        long Ticks, long Received, long BytesReceived, long Sent,
        TimeSpan CpuUser, TimeSpan CpuSystem, int Gc0, int Gc1, int Gc2, TimeSpan GcPause,
        long AllocatedBefore, long AllocatedAfter, long RssBytes, Dictionary<int, TimeSpan> Threads,
        long Passes, long IdlePasses, Kernel.Counters Kernel);

    [ThreadStatic] static Echoes? mine;
    static readonly List<Echoes> all = [];
    static readonly List<Snapshot> marks = [];
    static readonly string[] phases = ["warmup", "window", "drain"];
    static readonly long startedAt = Stopwatch.GetTimestamp();
    static readonly Lock writing = new();
    static byte[] helloReply = [];
    static Settings? served;
    static Timer? timer;
    static volatile int pushes;
    static long receiveQueuePeakBytes = -1;
    static TextWriter output = Console.Out;

    /// <summary>Effective socket buffers in bytes as read back; null where the library hides them.</summary>
    public static int? SocketReceiveBufferBytes { get; set; }
    public static int? SocketSendBufferBytes { get; set; }

    /// <summary>Sets what this server runs with; call before it starts.</summary>
    public static void ServeAs(Settings settings)
    {
        (served, helloReply) = (settings, Load.Hello("server", settings));
        Kernel.FindInterface(settings, isServer: true);
    }

    /// <summary>True once this server listens.</summary>
    public static bool IsReady => timer != null;

    /// <summary>Writes the ready record and, from then on, the intervals; call once listening.</summary>
    public static void WriteReady()
    {
        Write(new
        {
            V = Version, Record = "ready", served!.RunId, Library = Library.Name,
            LibraryVersion = Library.Version, served.Delivery, served.Address, served.Port,
            ProcessId = Environment.ProcessId,
        });
        timer ??= new(_ => WriteServerInterval(), null, IntervalMs, IntervalMs);
    }

    /// <summary>Counts a message that a server received; returns the bytes to send back.</summary>
    public static ReadOnlySpan<byte> Echo(ReadOnlySpan<byte> message)
    {
        if (message.StartsWith("hello "u8))
            return pushes > 0 && message.SequenceEqual(Load.Poke) ? Load.Push : helloReply;
        var echoes = mine ??= Register();
        echoes.Messages++;
        echoes.Bytes += message.Length;
        return message;
    }

    /// <summary>How often a message is answered: once, but for a poke of the verb manual.</summary>
    public static int Answers(ReadOnlySpan<byte> message) =>
        pushes > 0 && message.SequenceEqual(Load.Poke) ? pushes : 1;

    /// <summary>Takes a line "push 4": from now on that many messages answer a poke.</summary>
    public static void Push(string line)
    {
        pushes = int.Parse(line.Split(' ')[1]);
        WriteReady();
    }

    /// <summary>Counts a pass of a server's loop that polls rather than blocks.</summary>
    public static void Pass()
    {
        var echoes = mine ??= Register();
        echoes.Passes++;
        if (echoes.Messages == echoes.Seen) echoes.IdlePasses++;
        echoes.Seen = echoes.Messages;
    }

    /// <summary>Takes back the answer counted last: the library refused to send it.</summary>
    public static void Unsent() => (mine ??= Register()).Unsent++;

    static Echoes Register()
    {
        var echoes = new Echoes();
        lock (all) all.Add(echoes);
        return echoes;
    }

    /// <summary>Notes the server's counters where the client's phase changes.</summary>
    public static void Mark()
    {
        lock (marks)
        {
            if (marks.Count == phases.Length - 1) return;
            var now = Take(precise: true);
            LookAtQueues(); // which the window has not paid for
            marks.Add(now);
        }
    }

    // In the window alone; called with the marks locked.
    static void LookAtQueues()
    {
        if (marks.Count == 1 && Kernel.ReceiveQueueBytes(served!) is { } bytes)
            receiveQueuePeakBytes = Math.Max(receiveQueuePeakBytes, bytes);
    }

    /// <summary>Reads the counters; only precise ones have the machine's, the threads and exact
    /// allocation.</summary>
    public static Snapshot Take(bool precise = false)
    {
        var allocated = GC.GetTotalAllocatedBytes(precise); // less than below by what this allocates
        var kernel = precise ? Kernel.Take() : default;
        var threads = precise ? CpuByThread() : [];
        var cpu = Environment.CpuUsage;
        lock (all)
            return new(
                Stopwatch.GetTimestamp(), all.Sum(e => Volatile.Read(ref e.Messages)),
                all.Sum(e => Volatile.Read(ref e.Bytes)),
                all.Sum(e => Volatile.Read(ref e.Messages) - Volatile.Read(ref e.Unsent)),
                cpu.UserTime, cpu.PrivilegedTime,
                GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2),
                GC.GetTotalPauseDuration(), allocated, GC.GetTotalAllocatedBytes(precise),
                Environment.WorkingSet, threads,
                all.Sum(e => Volatile.Read(ref e.Passes)), all.Sum(e => Volatile.Read(ref e.IdlePasses)),
                kernel);
    }

    // By thread id; one that ends meanwhile is left out.
    static Dictionary<int, TimeSpan> CpuByThread()
    {
        var times = new Dictionary<int, TimeSpan>();
        using var process = Process.GetCurrentProcess();
        foreach (ProcessThread thread in process.Threads)
            try
            {
                times[thread.Id] = thread.TotalProcessorTime;
            }
            catch (InvalidOperationException)
            {
                continue;
            }
        return times;
    }

    /// <summary>What this process spent between two snapshots (CONTRACT.md, cost).</summary>
    public static object Cost(Snapshot from, Snapshot to)
    {
        using var process = Process.GetCurrentProcess();
        return new
        {
            ElapsedS = Seconds(to.Ticks - from.Ticks),
            CpuUserS = (to.CpuUser - from.CpuUser).TotalSeconds,
            CpuSystemS = (to.CpuSystem - from.CpuSystem).TotalSeconds,
            CpuBusiestThreadS = to.Threads.Max(thread =>
                thread.Value - from.Threads.GetValueOrDefault(thread.Key)).TotalSeconds,
            Gc0Count = to.Gc0 - from.Gc0,
            Gc1Count = to.Gc1 - from.Gc1,
            Gc2Count = to.Gc2 - from.Gc2,
            GcPauseS = (to.GcPause - from.GcPause).TotalSeconds,
            AllocatedBytes = to.AllocatedBefore - from.AllocatedAfter,
            to.RssBytes,
            RssPeakBytes = process.PeakWorkingSet64,
            Threads = to.Threads.Count,
            ContextSwitches = to.Kernel.ContextSwitches - from.Kernel.ContextSwitches,
            UdpInErrors = to.Kernel.UdpInErrors - from.Kernel.UdpInErrors,
            UdpRcvbufErrors = to.Kernel.UdpRcvbufErrors - from.Kernel.UdpRcvbufErrors,
            UdpSndbufErrors = to.Kernel.UdpSndbufErrors - from.Kernel.UdpSndbufErrors,
            Kernel.Interface,
            InterfaceSentBytes = to.Kernel.InterfaceSentBytes - from.Kernel.InterfaceSentBytes,
            InterfaceSentPackets = to.Kernel.InterfaceSentPackets - from.Kernel.InterfaceSentPackets,
            MachineCpuS = to.Kernel.MachineCpuS - from.Kernel.MachineCpuS,
            MachineStealS = to.Kernel.MachineStealS - from.Kernel.MachineStealS,
            CpuPressureS = to.Kernel.CpuPressureS - from.Kernel.CpuPressureS,
        };
    }

    /// <summary>Writes one interval record; counts are cumulative since the process started.</summary>
    public static void WriteInterval(string runId, string side, string phase, long sent, long received)
    {
        var now = Take();
        Write(new
        {
            V = Version, Record = "interval", RunId = runId, Side = side, Phase = phase,
            ElapsedS = Seconds(now.Ticks - startedAt), Sent = sent, Received = received,
            CpuUserS = now.CpuUser.TotalSeconds, CpuSystemS = now.CpuSystem.TotalSeconds,
            AllocatedBytes = now.AllocatedBefore, now.RssBytes,
        });
    }

    static void WriteServerInterval()
    {
        var now = Take();
        lock (marks)
        {
            WriteInterval(served!.RunId, "server", phases[marks.Count], now.Sent, now.Received);
            LookAtQueues();
        }
    }

    /// <summary>Writes the server record; costs are null where no client's phases were marked.</summary>
    public static void WriteServer()
    {
        using var stopped = new ManualResetEvent(false);
        if (timer?.Dispose(stopped) == true) stopped.WaitOne(); // the server's record is its last
        var now = Take();
        var marked = marks.Count == phases.Length - 1;
        var passes = marked ? marks[1].Passes - marks[0].Passes : 0;
        Write(new
        {
            V = Version, Record = "server", served!.RunId, Library = Library.Name,
            LibraryVersion = Library.Version, LibrarySha256 = Hash(), Library.Note, Tuning = Tuning(served),
            Settings = served,
            now.Received, now.Sent, now.BytesReceived,
            ReceivedWindow = marked ? marks[1].Received - marks[0].Received : (long?)null,
            SentWindow = marked ? marks[1].Sent - marks[0].Sent : (long?)null,
            Passes = passes > 0 ? passes : (long?)null,
            IdlePasses = passes > 0 ? marks[1].IdlePasses - marks[0].IdlePasses : (long?)null,
            ReceiveQueuePeakBytes = receiveQueuePeakBytes < 0 ? (long?)null : receiveQueuePeakBytes,
            SocketReceiveBufferBytes, SocketSendBufferBytes, Runtime = Runtime(),
            Cost = marked ? Cost(marks[0], marks[1]) : null,
        });
    }

    /// <summary>The library's knobs that the profile turned, by name; none but in `tuned`.</summary>
    public static object Tuning(Settings settings) =>
        settings.Profile == "tuned" ? Library.Tuned! : new Dictionary<string, object>();

    /// <summary>The runtime as it is in this process.</summary>
    public static object Runtime() => new
    {
        DotnetVersion = Environment.Version.ToString(),
        Environment.ProcessorCount,
        ServerGc = GCSettings.IsServerGC,
        ConcurrentGc = GCSettings.LatencyMode != GCLatencyMode.Batch,
    };

    /// <summary>SHA-256 of the measured library's file, in lower-case hex.</summary>
    public static string Hash() =>
        Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(Library.Assembly.Location)));

    /// <summary>SHA-256 over the names and contents of all files of this executable.</summary>
    public static string BenchHash()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var folder = AppContext.BaseDirectory;
        foreach (var file in Directory.GetFiles(folder, "*", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(folder, path).Replace('\\', '/')).Order(StringComparer.Ordinal))
        {
            hash.AppendData(System.Text.Encoding.UTF8.GetBytes(file));
            hash.AppendData(File.ReadAllBytes(Path.Combine(folder, file)));
        }
        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    /// <summary>Stopwatch ticks in seconds.</summary>
    public static double Seconds(long ticks) => (double)ticks / Stopwatch.Frequency;

    /// <summary>Appends the lines to a file from now on, after whatever it holds.</summary>
    public static void AppendTo(string path)
    {
        output = Open(path, FileMode.Append);
        // A line that an earlier run left torn must not swallow this run's first one.
        using var read = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        if (!read.CanSeek || read.Length == 0) return;
        read.Seek(-1, SeekOrigin.End);
        if (read.ReadByte() != '\n') output.WriteLine();
    }

    /// <summary>Opens a file for lines; one that cannot be written fails in a sentence.</summary>
    public static StreamWriter Open(string path, FileMode mode)
    {
        try
        {
            return new(new FileStream(path, mode, FileAccess.Write, FileShare.ReadWrite))
            { AutoFlush = mode == FileMode.Append };
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            throw new Failure($"'{path}' cannot be written: {fault.Message}", Program.OutputFailed);
        }
    }

    /// <summary>Writes one record as a line.</summary>
    public static void Write(object record)
    {
        using var line = new StringWriter();
        Json.Serialize(line, record);
        WriteLine(line.ToString());
    }

    /// <summary>Writes a finished line; when the file takes no more, to stdout instead.</summary>
    public static void WriteLine(string line)
    {
        lock (writing)
            try
            {
                output.WriteLine(line);
            }
            catch (IOException fault) when (output != Console.Out)
            {
                OutputFailed = true;
                Console.Error.WriteLine($"The records go to stdout from here: {fault.Message}");
                output = Console.Out;
                output.WriteLine(line);
            }
    }

    /// <summary>True once a file took no more records.</summary>
    public static bool OutputFailed { get; private set; }
}
