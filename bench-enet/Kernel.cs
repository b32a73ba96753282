using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>What the operating system counts, of this process and of the whole machine. A fact that
/// the system does not tell is null.</summary>
static class Kernel
{
    const double ClockTicksPerSecond = 100; // of /proc/stat, whatever the kernel's own
    const int MostClientsForQueues = 1_000; // each reading walks every socket of the machine

    static NetworkInterface? network;

    /// <summary>Cumulative counters; those of UDP, the interface and the machine are the machine's.</summary>
    public readonly record struct Counters(
        long? UdpInErrors, long? UdpRcvbufErrors, long? UdpSndbufErrors, long? ContextSwitches,
        long? InterfaceSentBytes, long? InterfaceSentPackets,
        double? MachineCpuS, double? MachineStealS, double? CpuPressureS);

    /// <summary>Name of the interface that the traffic takes, such as "lo".</summary>
    public static string? Interface => network?.Name;

    /// <summary>Finds the interface of the traffic; call before the first counters are taken.</summary>
    public static void FindInterface(Settings settings, bool isServer)
    {
        var server = Program.Resolve(settings.Address);
        using var socket = new Socket(server.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            if (!isServer) socket.Connect(server, settings.Port); // sends nothing, asks for the route
        }
        catch (SocketException)
        {
            return;
        }
        var own = isServer ? server : ((IPEndPoint)socket.LocalEndPoint!).Address;
        // What a machine sends to an address of its own goes over loopback.
        var isLoopback = IPAddress.IsLoopback(own) || !isServer && own.Equals(server);
        network = NetworkInterface.GetAllNetworkInterfaces().FirstOrDefault(candidate => isLoopback
            ? candidate.NetworkInterfaceType == NetworkInterfaceType.Loopback
            : candidate.GetIPProperties().UnicastAddresses.Any(unicast => unicast.Address.Equals(own)));
    }

    /// <summary>Reads all counters.</summary>
    public static Counters Take()
    {
        var udp = UdpCounters();
        var machine = MachineTicks();
        var sent = network?.GetIPStatistics();
        return new(
            udp?["InErrors"], udp?["RcvbufErrors"], udp?["SndbufErrors"], ContextSwitches(),
            sent?.BytesSent, sent?.UnicastPacketsSent,
            // user, nice and system, then irq and softirq; idle and iowait lie between.
            machine == null ? null : (machine[0] + machine[1] + machine[2] + machine[5] + machine[6])
                / ClockTicksPerSecond,
            machine == null ? null : machine[7] / ClockTicksPerSecond,
            CpuPressureS());
    }

    /// <summary>Bytes that wait in the receive queues of a server's UDP sockets; null of TCP, whose
    /// sockets take the kernel milliseconds to list.</summary>
    public static long? ReceiveQueueBytes(Settings settings)
    {
        if (!OperatingSystem.IsLinux() || settings.Clients > MostClientsForQueues) return null;
        var port = ':' + settings.Port.ToString("X4");
        long? bytes = null;
        foreach (var path in new[] { "/proc/net/udp", "/proc/net/udp6" }.Where(File.Exists))
            foreach (var line in File.ReadLines(path).Where(line => line.Contains(port)))
                // Columns: number, local address:port, remote, state, send queue:receive queue, in hex.
                if (line.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [_, var local, _, _, var queues, ..]
                    && local.EndsWith(port))
                    bytes = (bytes ?? 0) + long.Parse(queues.Split(':')[1], NumberStyles.HexNumber);
        return bytes;
    }

    /// <summary>How many files this process may open.</summary>
    public static int? OpenFilesLimit()
    {
        const string path = "/proc/self/limits";
        if (!File.Exists(path)) return null;
        // The soft limit, in the fourth column; .NET has raised it to the hard one by now.
        var soft = File.ReadLines(path).First(line => line.StartsWith("Max open files"))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)[3];
        return int.TryParse(soft, out var files) ? files : null;
    }

    /// <summary>Seconds since the system started, asleep or not.</summary>
    public static double? UptimeS() => !File.Exists("/proc/uptime") ? null
        : double.Parse(File.ReadAllText("/proc/uptime").Split(' ')[0], CultureInfo.InvariantCulture);

    // /proc/net/snmp has a line of names and a line of values.
    static Dictionary<string, long>? UdpCounters()
    {
        const string path = "/proc/net/snmp";
        if (!File.Exists(path)) return null;
        var udp = File.ReadLines(path).Where(line => line.StartsWith("Udp: ")).ToArray();
        return udp[0].Split(' ').Zip(udp[1].Split(' ')).Skip(1)
            .ToDictionary(pair => pair.First, pair => long.Parse(pair.Second));
    }

    // The first line: cpu user nice system idle iowait irq softirq steal …
    static long[]? MachineTicks()
    {
        const string path = "/proc/stat";
        return !File.Exists(path) ? null : [.. File.ReadLines(path).First()
            .Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).Select(long.Parse)];
    }

    // The line "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345", in microseconds.
    static double? CpuPressureS()
    {
        try
        {
            var some = File.ReadLines("/proc/pressure/cpu").First();
            return long.Parse(some[(some.LastIndexOf('=') + 1)..]) / 1e6;
        }
        catch (IOException)
        {
            return null; // no such file, or a kernel told not to measure pressure
        }
    }

    static long? ContextSwitches()
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsMacOS()) return null;
        var usage = new long[18]; // two times of two words each, then 14 counts
        return GetUsage(0, usage) == 0 ? usage[16] + usage[17] : null; // voluntary and not
    }

    // Of all threads, those that ended too; /proc/self/status has those of one thread.
    [DllImport("libc", EntryPoint = "getrusage")]
    static extern int GetUsage(int whose, [Out] long[] usage);
}
