using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>The kernel's own emulator, where it has it: virtual devices join the two ends, each of which delays and
/// loses what it sends. With a rate a router is between them, whose queues count bytes.</summary>
sealed class Netem
{
    /// <summary>What records call it.</summary>
    public const string Name = "netem";

    const int UnlimitedPackets = 1_000_000;

    // Of Ethernet, which rates and queues do not count.
    const int HeadBytes = 14;

    // What a rate lets through at once where the kernel woke late for it.
    const double BurstMs = 0.5;

    // All of one link have it, each on a cable of its own.
    const string RouterMac = "02:00:00:00:00:03";

    // Given a rate netem keeps the order of packets whose delays differ; so fast a one delays nothing.
    static readonly string[] inOrder = ["rate", "100gbit"];

    readonly End clients;
    readonly End server;
    readonly Namespace? router;

    Netem(Namespace clients, Namespace server, Namespace? router)
    {
        this.clients = new End(clients, LinkVerb.ClientAddress, "02:00:00:00:00:01", "toclients");
        this.server = new End(server, LinkVerb.ServerAddress, "02:00:00:00:00:02", "toserver");
        this.router = router;
    }

    // Who is at an end, and the router's device that leads there.
    sealed record End(Namespace Namespace, string Address, string Mac, string RouterDevice);

    /// <summary>Joins two namespaces by it. Null where this kernel does not have it.</summary>
    public static Netem? Join(Namespace clients, Namespace server, LinkSettings settings)
    {
        bool hasRate = settings.RateMbit > 0;
        if (!clients.Do(() => IsHere(hasRate)))
        {
            return null;
        }
        var made = new Netem(clients, server, hasRate ? new Namespace() : null);
        return made.IsMade(settings) ? made : null;
    }

    /// <summary>What came to it from the clients, what it lost and what found a queue full; how late it was it does not
    /// tell.</summary>
    public OneWayCounts ToServer => Counts(clients, server);

    /// <summary>The same from the server.</summary>
    public OneWayCounts ToClients => Counts(server, clients);

    OneWayCounts Counts(End from, End to)
    {
        var (lost, packets, bytes) = from.Namespace.Do(() =>
        {
            JToken stats = Stats(LinkVerb.Device);
            var drops = (long)stats["drops"]!;
            // Those that it has let go, has lost, and has still.
            return (drops, (long)stats["packets"]! + drops + (long)stats["qlen"]!, SentBytes());
        });
        long dropped = router?.Do(() => (long)Stats(to.RouterDevice)["drops"]!) ?? 0;
        return new OneWayCounts(packets, bytes, lost, dropped, []);
    }

    // All that follows: in the namespace of the thread that calls.
    static JToken Stats(string device)
    {
        var (exitCode, said) = Namespace.Run("tc", ["-s", "-j", "qdisc", "show", "dev", device]);
        return exitCode == 0 ? JArray.Parse(said)[0] : throw new Failure($"tc fails: {Text.Plain(said)}");
    }

    // Bytes of IP packets that it has sent: netem's own have the heads of Ethernet and lack what it loses.
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

    static bool IsHere(bool hasRate) =>
        Takes("lo", "netem", "delay", "1ms") && (!hasRate || Takes("lo", RateWords(mbit: 1, queueBytes: 2_000)));

    // Tries it.
    static bool Takes(string device, params string[] discipline)
    {
        if (Namespace.Run("tc", ["qdisc", "add", "dev", device, "root", .. discipline]).ExitCode != 0)
        {
            return false;
        }
        Namespace.Run("tc", ["qdisc", "del", "dev", device, "root"]);
        return true;
    }

    bool IsMade(LinkSettings settings)
    {
        if (router == null)
        {
            if (!Connect(clients, server.Namespace, LinkVerb.Device, server.Mac))
            {
                return false;
            }
            SetUp(clients, server, server.Mac, settings);
            SetUp(server, clients, clients.Mac, settings);
            return true;
        }
        foreach (End end in new[] { clients, server })
        {
            if (!Connect(end, router, end.RouterDevice, RouterMac))
            {
                return false;
            }
            router.Do(() => Route(end, settings));
        }
        SetUp(clients, server, RouterMac, settings);
        SetUp(server, clients, RouterMac, settings);
        return true;
    }

    static bool Connect(End end, Namespace other, string device, string mac)
    {
        string[] words =
        [
            "link", "add", LinkVerb.Device, "address", end.Mac, "type", "veth",
            "peer", "name", device, "address", mac, "netns", other.Path,
        ];
        return end.Namespace.Do(() => Namespace.Run("ip", words).ExitCode == 0);
    }

    static void SetUp(End own, End peer, string nextMac, LinkSettings settings) => own.Namespace.Do(() =>
    {
        Namespace.Ip(
            Up(LinkVerb.Device),
            $"addr add {own.Address}/32 peer {peer.Address} dev {LinkVerb.Device}",
            Neighbour(peer.Address, nextMac, LinkVerb.Device));
        return Add(LinkVerb.Device, NetemWords(settings));
    });

    static bool Route(End end, LinkSettings settings)
    {
        Namespace.Ip(
            Up(end.RouterDevice),
            $"route add {end.Address} dev {end.RouterDevice}",
            Neighbour(end.Address, end.Mac, end.RouterDevice));
        File.WriteAllText("/proc/sys/net/ipv4/ip_forward", "1");
        return Add(end.RouterDevice, RateWords(settings.RateMbit, settings.QueueBytes!.Value));
    }

    // Loss must hit packets as they are on the wire, not 64 kB of them at once, and nothing but the sides' own: each
    // end knows the next address (a lost ARP would hold all for a second), and there is no IPv6.
    static string Up(string device) =>
        $"link set {device} mtu {LinkSettings.MtuBytes} gso_max_segs 1 addrgenmode none up";

    static string Neighbour(string address, string mac, string device) =>
        $"neigh add {address} lladdr {mac} dev {device} nud permanent";

    static bool Add(string device, string[] discipline)
    {
        var (exitCode, said) = Namespace.Run("tc", ["qdisc", "add", "dev", device, "root", .. discipline]);
        return exitCode == 0
            ? true
            : throw new Failure($"tc does not take these settings: {Text.Plain(said)}", Exit.Unsupported);
    }

    static string[] NetemWords(LinkSettings settings)
    {
        // It varies delays by as much both ways.
        double variesMs = settings.JitterMs / 4;
        string[] jitter = variesMs == 0 ? [] : [$"{Number(variesMs)}ms", .. inOrder];
        string[] delay = ["delay", $"{Number(settings.RttMs / 2 + variesMs)}ms", .. jitter];
        return ["netem", "limit", $"{UnlimitedPackets}", .. delay, .. Loss(settings)];
    }

    static string[] RateWords(double mbit, long queueBytes)
    {
        double burstBytes = Math.Max(LinkSettings.MtuBytes + HeadBytes, BurstMs * mbit * 1e3 / 8);
        return
        [
            "stab", "overhead", $"-{HeadBytes}", "linklayer", "ethernet",
            "tbf", "rate", $"{Number(mbit)}mbit", "burst", $"{burstBytes:0}", "limit", $"{queueBytes}",
        ];
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
