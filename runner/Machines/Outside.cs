using System.Diagnostics;
using System.Net.NetworkInformation;
using Newtonsoft.Json.Linq;

/// <summary>What is to be seen of a side from outside over a window: its threads, and what the machine
/// that it runs on counts (docs/records.md, outside).</summary>
sealed class Outside : IDisposable
{
    const int LookMs = 500;

    readonly Process process;
    readonly NetworkInterface? network;
    readonly bool awake;
    readonly string[] controlGroups;
    readonly Dictionary<int, TimeSpan> firstThreads;
    readonly Dictionary<int, long>? firstSwitches;
    readonly Reading first;
    readonly Timer? looks;
    long receiveQueuePeakBytes = -1;

    // What the whole machine counts: nearer to the window than what takes long to read.
    sealed record Reading(long At, KernelCounters Kernel, double? SleepS, double WallAheadS);

    /// <summary>Reads what is there as a window opens; port: of a server whose UDP sockets are looked
    /// at; awake: something spins on every CPU.</summary>
    public Outside(Process process, NetworkInterface? network, int? port, bool awake)
    {
        this.process = process;
        this.network = network;
        this.awake = awake;
        // Found once: to look for them at both ends of a window would lengthen what is read there.
        controlGroups = ControlGroup.WithQuota(process.Id);
        if (port is { } own)
        {
            // What is compiled for it is so before the window.
            Look(own);
            looks = new(_ => Look(own), null, LookMs, LookMs);
        }
        firstThreads = CpuByThread();
        firstSwitches = SwitchesByThread();
        first = Read();
    }

    /// <summary>The record of what came about until now.</summary>
    public JObject Close()
    {
        var last = Read();
        var threads = CpuByThread();
        var switches = SwitchesByThread();
        Dispose();
        process.Refresh();
        // The uptime is told in hundredths of a second.
        var sleptS = last.SleepS - first.SleepS is { } slept ? Math.Max(0, slept) : (double?)null;
        return RecordFile.ToJson(new
        {
            ElapsedS = Stopwatch.GetElapsedTime(first.At, last.At).TotalSeconds,
            CpuBusiestThreadS = BusiestS(threads),
            RssPeakBytes = PeakBytes(),
            Threads = threads.Count == 0 ? (int?)null : threads.Count,
            ContextSwitches = SwitchesSince(switches),
            ReceiveQueuePeakBytes = receiveQueuePeakBytes < 0 ? (long?)null : receiveQueuePeakBytes,
            UdpInErrors = last.Kernel.UdpInErrors - first.Kernel.UdpInErrors,
            UdpRcvbufErrors = last.Kernel.UdpRcvbufErrors - first.Kernel.UdpRcvbufErrors,
            UdpSndbufErrors = last.Kernel.UdpSndbufErrors - first.Kernel.UdpSndbufErrors,
            TcpRetransmittedSegments = last.Kernel.TcpRetransmittedSegments - first.Kernel.TcpRetransmittedSegments,
            Interface = network?.Name,
            InterfaceSentBytes = last.Kernel.InterfaceSentBytes - first.Kernel.InterfaceSentBytes,
            InterfaceSentPackets = last.Kernel.InterfaceSentPackets - first.Kernel.InterfaceSentPackets,
            // What spins to keep the CPUs awake is no work.
            MachineCpuS = awake ? null : last.Kernel.MachineCpuS - first.Kernel.MachineCpuS,
            MachineStealS = last.Kernel.MachineStealS - first.Kernel.MachineStealS,
            CpuPressureS = last.Kernel.CpuPressureS - first.Kernel.CpuPressureS,
            CpuQuotaPeriods = last.Kernel.Throttling?.Periods - first.Kernel.Throttling?.Periods,
            CpuThrottledPeriods = last.Kernel.Throttling?.Throttled - first.Kernel.Throttling?.Throttled,
            SuspendedS = sleptS,
            ClockJumpS = last.WallAheadS - first.WallAheadS - (sleptS ?? 0),
        });
    }

    public void Dispose() => looks?.Dispose();

    Reading Read() => new(
        Stopwatch.GetTimestamp(),
        KernelCounters.Take(process.Id, network, controlGroups),
        KernelCounters.SleepS(),
        KernelCounters.WallAheadS());

    double? BusiestS(Dictionary<int, TimeSpan> threads)
    {
        if (threads.Count == 0)
        {
            return null;
        }
        return threads.Max(thread => (thread.Value - firstThreads.GetValueOrDefault(thread.Key)).TotalSeconds);
    }

    // Of a thread that ended meanwhile nothing is known, so that the sum of all might even fall.
    long? SwitchesSince(Dictionary<int, long>? switches)
    {
        if (firstSwitches == null)
        {
            return null;
        }
        return switches?.Sum(thread => thread.Value - firstSwitches.GetValueOrDefault(thread.Key));
    }

    void Look(int port)
    {
        if (KernelCounters.ReceiveQueueBytes(process.Id, port) is { } bytes)
        {
            receiveQueuePeakBytes = Math.Max(receiveQueuePeakBytes, bytes);
        }
    }

    // Null where the system does not tell it, or the process has ended.
    long? PeakBytes()
    {
        try
        {
            return process.PeakWorkingSet64 is > 0 and var peak ? peak : null;
        }
        catch (InvalidOperationException)
        {
            return null;
        }
    }

    // By thread id; one that ends meanwhile is left out.
    Dictionary<int, TimeSpan> CpuByThread()
    {
        var times = new Dictionary<int, TimeSpan>();
        foreach (var thread in Threads())
        {
            try
            {
                times[thread.Id] = thread.TotalProcessorTime;
            }
            catch (InvalidOperationException)
            {
                continue;
            }
        }
        return times;
    }

    // None where the process has ended, whenever it does.
    IEnumerable<ProcessThread> Threads()
    {
        try
        {
            process.Refresh();
            return process.Threads.Cast<ProcessThread>();
        }
        catch (InvalidOperationException)
        {
            return [];
        }
    }

    // Voluntary and not, by thread id; null where the system does not tell them, or the process has ended.
    Dictionary<int, long>? SwitchesByThread()
    {
        string[] threads;
        try
        {
            threads = Directory.GetDirectories($"/proc/{process.Id}/task");
        }
        catch (IOException)
        {
            return null;
        }
        var switches = new Dictionary<int, long>();
        foreach (var thread in threads)
        {
            try
            {
                switches[int.Parse(Path.GetFileName(thread))] = File.ReadLines(Path.Combine(thread, "status"))
                    .Where(line => line.Contains("ctxt_switches:"))
                    .Sum(line => long.Parse(line[(line.LastIndexOf('\t') + 1)..]));
            }
            catch (IOException)
            {
                // It has just ended.
                continue;
            }
        }
        return switches;
    }
}
