using System.CommandLine;
using Newtonsoft.Json;

/// <summary>The verb `link`: makes two network namespaces and a link between them, tells where they are, and is the link until its
/// stdin closes. They have no names and no files: when this process and those in them have ended, by whatever means, they are gone.</summary>
static class LinkVerb
{
    /// <summary>Of the clients, of the server.</summary>
    public const string ClientAddress = "10.77.0.1", ServerAddress = "10.77.0.2";
    /// <summary>What each end of it is called there.</summary>
    public const string Device = "link0";
    const string Tun = "/dev/net/tun";
    const int QueuePackets = 20_000; // of the device, so that it drops none before the link takes them

    public static Command Verb
    {
        get
        {
            var seed = new Option<int>("--seed") { Description = "Of what is lost.", DefaultValueFactory = _ => 1 };
            return Flags.Verb("link", "Two network namespaces with a link between them, until stdin closes; for `run`.",
                [.. RunSettings.OfLink, seed], parsed => Be(RunSettings.LinkFrom(parsed)
                    ?? throw new Failure("A link needs its --rtt-ms.", Exit.WrongUsage), parsed.GetValue(seed)));
        }
    }

    static int Be(LinkSettings settings, int seed)
    {
        var (clients, server) = (new Namespace(), new Namespace());
        var netem = Netem.Join(clients, server, settings);
        OneWay[] ways = [];
        if (!netem)
        {
            var (a, b) = (clients.Do(() => OpenTun(ClientAddress, ServerAddress)), server.Do(() => OpenTun(ServerAddress, ClientAddress)));
            ways = [new(a, b, settings, (ulong)seed), new(b, a, settings, (ulong)seed + 1)];
            foreach (var way in ways) new Thread(way.Run) { IsBackground = true }.Start();
        }
        void Tell() => Console.WriteLine(RecordFile.ToJson(new
        {
            Emulator = netem ? "netem" : "tun", Clients = clients.Path, Server = server.Path, settings.QueueBytes, LinkSettings.MtuBytes,
            CpuS = Environment.CpuUsage.TotalTime.TotalSeconds,
            ToServer = netem ? Netem.Counts(clients) : ways[0].Counts, ToClients = netem ? Netem.Counts(server) : ways[1].Counts,
        }).ToString(Formatting.None));
        Tell();
        while (Console.In.ReadLine() != null) Tell();
        return Exit.Done;
    }

    // In the namespace of the thread that calls.
    static unsafe int OpenTun(string own, string peer)
    {
        var file = Libc.Open(Tun, Libc.ReadWrite | Libc.NonBlocking);
        if (file < 0) throw new Failure($"{Tun} cannot be opened: {Libc.Fault}.", Exit.Unsupported);
        // struct ifreq: a name of 16 bytes, then the kind.
        var request = stackalloc byte[40];
        new Span<byte>(request, 40).Clear();
        System.Text.Encoding.ASCII.GetBytes(Device, new Span<byte>(request, 16));
        *(short*)(request + 16) = Libc.TunWithoutHead;
        if (Libc.Control(file, Libc.TunSetIff, request) < 0) throw new Failure($"{Tun} gives no device: {Libc.Fault}.", Exit.Unsupported);
        Namespace.Ip($"link set {Device} mtu {LinkSettings.MtuBytes} txqueuelen {QueuePackets} up", $"addr add {own}/32 peer {peer} dev {Device}");
        return file;
    }
}
