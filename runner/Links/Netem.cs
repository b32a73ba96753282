using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>The kernel's own emulator, over a pair of virtual devices, where it has it.</summary>
static class Netem
{
    const int UnlimitedPackets = 1_000_000;

    /// <summary>Joins two namespaces by it. False where this kernel does not have it, for jitter, with which it does not keep the
    /// order, and for a rate: its queue counts packets, not bytes, and it tells the sender at once what finds it full.</summary>
    public static bool Join(Namespace clients, Namespace server, LinkSettings settings)
    {
        if (settings.JitterMs > 0 || settings.RateMbit > 0) return false;
        if (clients.Do(() => Namespace.Run("tc", ["qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"])).ExitCode != 0) return false;
        clients.Do(() =>
        {
            Namespace.Run("tc", ["qdisc", "del", "dev", "lo", "root"]);
            Namespace.Ip($"link add {LinkVerb.Device} type veth peer name {LinkVerb.Device} netns {server.Path}");
            return 0;
        });
        clients.Do(() => SetUp(LinkVerb.ClientAddress, LinkVerb.ServerAddress, settings));
        return server.Do(() => SetUp(LinkVerb.ServerAddress, LinkVerb.ClientAddress, settings));
    }

    /// <summary>What it did in the direction that leaves a namespace; how late it was it does not tell.</summary>
    public static OneWayCounts Counts(Namespace from) => from.Do(() =>
    {
        var (exitCode, said) = Namespace.Run("tc", ["-s", "-j", "qdisc", "show", "dev", LinkVerb.Device]);
        if (exitCode != 0) throw new Failure($"tc fails: {Text.Plain(said)}");
        var stats = JArray.Parse(said)[0];
        return new OneWayCounts((long)stats["packets"]! + (long)stats["drops"]!, (long)stats["bytes"]!, (long)stats["drops"]!, 0, []);
    });

    static bool SetUp(string own, string peer, LinkSettings settings)
    {
        // Loss must hit packets as they are on the wire, not 64 kB of them at once.
        Namespace.Ip($"link set {LinkVerb.Device} mtu {LinkSettings.MtuBytes} gso_max_segs 1 up", $"addr add {own}/32 peer {peer} dev {LinkVerb.Device}");
        string N(double number) => number.ToString("0.######", CultureInfo.InvariantCulture);
        string[] words =
        [
            "qdisc", "add", "dev", LinkVerb.Device, "root", "netem", "limit", $"{UnlimitedPackets}", "delay", $"{N(settings.RttMs / 2)}ms",
            .. settings.LossPercent == 0 ? [] : settings.LossBurstPackets == 1 ? new[] { "loss", $"{N(settings.LossPercent)}%" }
                : ["loss", "gemodel", $"{N(100 * settings.LossBegins)}%", $"{N(100.0 / settings.LossBurstPackets)}%"],
        ];
        var (exitCode, said) = Namespace.Run("tc", words);
        return exitCode == 0 ? true : throw new Failure($"netem does not take these settings: {Text.Plain(said)}", Exit.Unsupported);
    }
}
