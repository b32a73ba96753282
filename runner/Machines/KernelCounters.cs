using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

/// <summary>What the operating system of this machine counts, of all its traffic and of its CPUs. A fact
/// that it does not tell is null. Cumulative.</summary>
sealed record KernelCounters(
    long? UdpInErrors, long? UdpRcvbufErrors, long? UdpSndbufErrors, long? TcpRetransmittedSegments,
    long? InterfaceSentBytes, long? InterfaceSentPackets,
    double? MachineCpuS, double? MachineStealS, double? CpuPressureS, ControlGroup.Throttling? Throttling)
{
    // Those of /proc/stat, whatever the kernel's own.
    const double ClockTicksPerSecond = 100;

    /// <summary>Reads them, of the network as a process sees it; the interface: that of the traffic, if it is
    /// known; the control groups: those of the process that have a quota.</summary>
    public static KernelCounters Take(int process, NetworkInterface? network, string[] controlGroups)
    {
        var udp = Counters(process, "Udp: ");
        var tcp = Counters(process, "Tcp: ");
        var machine = MachineTicks();
        var sent = network?.GetIPStatistics();
        return new(
            udp?["InErrors"],
            udp?["RcvbufErrors"],
            udp?["SndbufErrors"],
            tcp?["RetransSegs"],
            sent?.BytesSent,
            sent?.UnicastPacketsSent,
            // Those of user, nice and system, then of irq and softirq; idle and iowait lie between.
            (machine?[0] + machine?[1] + machine?[2] + machine?[5] + machine?[6]) / ClockTicksPerSecond,
            machine?[7] / ClockTicksPerSecond,
            PressureS(),
            ControlGroup.ThrottlingOf(controlGroups));
    }

    /// <summary>The interface that a side's traffic takes; null where it cannot be told.</summary>
    public static NetworkInterface? InterfaceOf(string address, bool isServer)
    {
        var server = Address.Resolve(address);
        using var socket = new Socket(server.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            // This sends nothing, but asks for the route.
            if (!isServer)
            {
                socket.Connect(server, 9);
            }
        }
        catch (SocketException)
        {
            return null;
        }
        var own = isServer ? server : ((IPEndPoint)socket.LocalEndPoint!).Address;
        // What a machine sends to an address of its own goes over loopback.
        var isLoopback = IPAddress.IsLoopback(own) || !isServer && own.Equals(server);
        return NetworkInterface.GetAllNetworkInterfaces().FirstOrDefault(candidate => isLoopback
            ? candidate.NetworkInterfaceType == NetworkInterfaceType.Loopback
            : candidate.GetIPProperties().UnicastAddresses.Any(unicast => unicast.Address.Equals(own)));
    }

    /// <summary>Bytes that wait in the receive queues of a process's UDP sockets on a port; null where it has none, as
    /// of TCP, whose sockets take the kernel milliseconds to list.</summary>
    public static long? ReceiveQueueBytes(int process, int port)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }
        var local = ':' + port.ToString("X4");
        long? bytes = null;
        HashSet<string>? sockets = null;
        foreach (var path in new[] { $"/proc/{process}/net/udp", $"/proc/{process}/net/udp6" })
        {
            foreach (var line in LinesOf(path).Where(line => line.Contains(local)))
            {
                // Columns: number, local address:port, remote, state, send queue:receive queue, in hex, …, inode.
                var columns = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
                if (columns is [_, var own, _, _, var queues, _, _, _, _, var inode, ..] && own.EndsWith(local)
                    && (sockets ??= SocketsOf(process)).Contains(inode))
                {
                    bytes = (bytes ?? 0) + long.Parse(queues.Split(':')[1], NumberStyles.HexNumber);
                }
            }
        }
        return bytes;
    }

    // The inodes of the sockets that it has open; a file that is closed meanwhile is left out.
    static HashSet<string> SocketsOf(int process)
    {
        const string socket = "socket:[";
        var sockets = new HashSet<string>();
        try
        {
            foreach (var file in new DirectoryInfo($"/proc/{process}/fd").EnumerateFileSystemInfos())
            {
                if (file.LinkTarget is { } target && target.StartsWith(socket, StringComparison.Ordinal))
                {
                    sockets.Add(target[socket.Length..^1]);
                }
            }
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            // The process has ended, or is not ours to look at.
        }
        return sockets;
    }

    /// <summary>Seconds for which the machine has slept since it started, and more that never changes.</summary>
    public static double? SleepS() => Machine.Read("/proc/uptime") is { } uptime
        ? double.Parse(uptime.Split(' ')[0], CultureInfo.InvariantCulture) - ClockS()
        : null;

    /// <summary>Seconds by which the wall clock is ahead of Stopwatch.</summary>
    public static double WallAheadS() => (DateTime.UtcNow - DateTime.UnixEpoch).TotalSeconds - ClockS();

    static double ClockS() => (double)Stopwatch.GetTimestamp() / Stopwatch.Frequency;

    // The file has a line of names and a line of values.
    static Dictionary<string, long>? Counters(int process, string protocol)
    {
        var lines = LinesOf($"/proc/{process}/net/snmp").Where(line => line.StartsWith(protocol)).ToArray();
        if (lines is not [var names, var values])
        {
            return null;
        }
        return names.Split(' ').Zip(values.Split(' ')).Skip(1)
            .ToDictionary(pair => pair.First, pair => long.Parse(pair.Second));
    }

    // None where there is no such file, or the process has just ended.
    static string[] LinesOf(string path)
    {
        try
        {
            return File.ReadAllLines(path);
        }
        catch (IOException)
        {
            return [];
        }
    }

    // The first line: cpu user nice system idle iowait irq softirq steal …
    static long[]? MachineTicks()
    {
        const string path = "/proc/stat";
        if (!File.Exists(path))
        {
            return null;
        }
        var first = File.ReadLines(path).First();
        return [.. first.Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).Select(long.Parse)];
    }

    // The line "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345", in microseconds.
    static double? PressureS()
    {
        // No such file, or a kernel told not to measure pressure.
        if (LinesOf("/proc/pressure/cpu") is not [var some, ..])
        {
            return null;
        }
        return long.Parse(some[(some.LastIndexOf('=') + 1)..]) / 1e6;
    }
}
