using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>The kernel's own emulator, over a pair of virtual devices, where it has it.</summary>
static class Netem
{
    /// <summary>What records call it.</summary>
    public const string Name = "netem";

    const int UnlimitedPackets = 1_000_000;
    const string ClientMac = "02:00:00:00:00:01";
    const string ServerMac = "02:00:00:00:00:02";

    /// <summary>Joins two namespaces by it. False where this kernel does not have it, for jitter, with which it does
    /// not keep the order, and for a rate: its queue counts packets, not bytes, and it tells the sender at once what
    /// finds it full.</summary>
    public static bool Join(Namespace clients, Namespace server, LinkSettings settings)
    {
        if (settings.JitterMs > 0 || settings.RateMbit > 0)
        {
            return false;
        }
        if (!clients.Do(IsHere) || !clients.Do(() => MakePair(server)))
        {
            return false;
        }
        clients.Do(() => SetUp(LinkVerb.ClientAddress, LinkVerb.ServerAddress, ServerMac, settings));
        server.Do(() => SetUp(LinkVerb.ServerAddress, LinkVerb.ClientAddress, ClientMac, settings));
        return true;
    }

    /// <summary>What came to it in the direction that leaves a namespace, and what it lost; how late it was it does not
    /// tell.</summary>
    public static OneWayCounts Counts(Namespace from) => from.Do(() =>
    {
        var (exitCode, said) = Namespace.Run("tc", ["-s", "-j", "qdisc", "show", "dev", LinkVerb.Device]);
        if (exitCode != 0)
        {
            throw new Failure($"tc fails: {Text.Plain(said)}");
        }
        var stats = JArray.Parse(said)[0];
        var lost = (long)stats["drops"]!;
        // Those that it has let go, has lost, and has still.
        var packets = (long)stats["packets"]! + lost + (long)stats["qlen"]!;
        return new OneWayCounts(packets, SentBytes(), lost, 0, []);
    });

    // In the namespace of the thread that calls.
    static bool IsHere()
    {
        if (Namespace.Run("tc", ["qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"]).ExitCode != 0)
        {
            return false;
        }
        Namespace.Run("tc", ["qdisc", "del", "dev", "lo", "root"]);
        return true;
    }

    // In the namespace of the thread that calls, with the other end at the server.
    static bool MakePair(Namespace server)
    {
        string[] words =
        [
            "link", "add", LinkVerb.Device, "address", ClientMac, "type", "veth",
            "peer", "name", LinkVerb.Device, "address", ServerMac, "netns", server.Path,
        ];
        return Namespace.Run("ip", words).ExitCode == 0;
    }

    // Bytes of IP packets that the namespace of the thread that calls has sent: netem's own have the heads of Ethernet
    // and lack what it loses.
    static long SentBytes()
    {
        // A line of names, then one of figures.
        string[][] lines =
        [
            .. File.ReadLines("/proc/thread-self/net/netstat")
                .Where(line => line.StartsWith("IpExt:"))
                .Select(line => line.Split(' ')),
        ];
        return long.Parse(lines[1][Array.IndexOf(lines[0], "OutOctets")], CultureInfo.InvariantCulture);
    }

    static int SetUp(string own, string peer, string peerMac, LinkSettings settings)
    {
        // Loss must hit packets as they are on the wire, not 64 kB of them at once, and nothing but the sides' own:
        // each end knows the other's address (a lost ARP would hold all for a second), and there is no IPv6.
        Namespace.Ip(
            $"link set {LinkVerb.Device} mtu {LinkSettings.MtuBytes} gso_max_segs 1 addrgenmode none up",
            $"addr add {own}/32 peer {peer} dev {LinkVerb.Device}",
            $"neigh add {peer} lladdr {peerMac} dev {LinkVerb.Device} nud permanent");
        string[] words =
        [
            "qdisc", "add", "dev", LinkVerb.Device, "root", "netem", "limit", $"{UnlimitedPackets}",
            "delay", $"{Number(settings.RttMs / 2)}ms", .. Loss(settings),
        ];
        var (exitCode, said) = Namespace.Run("tc", words);
        if (exitCode != 0)
        {
            throw new Failure($"netem does not take these settings: {Text.Plain(said)}", Exit.Unsupported);
        }
        return exitCode;
    }

    static string[] Loss(LinkSettings settings)
    {
        if (settings.LossPercent == 0)
        {
            return [];
        }
        if (settings.LossBurstPackets == 1)
        {
            return ["loss", $"{Number(settings.LossPercent)}%"];
        }
        var begins = Number(100 * settings.LossBegins);
        var recovers = Number(100.0 / settings.LossBurstPackets);
        return ["loss", "gemodel", $"{begins}%", $"{recovers}%"];
    }

    static string Number(double number) => number.ToString("0.######", CultureInfo.InvariantCulture);
}
