using System.CommandLine;
using Newtonsoft.Json;

/// <summary>The verb `link`: makes two network namespaces and a link between them, tells where they are, and is the
/// link until its stdin closes. They have no names and no files: when this process and those in them have ended, by
/// whatever means, they are gone.</summary>
static class LinkVerb
{
    /// <summary>The address of the clients.</summary>
    public const string ClientAddress = "10.77.0.1";
    /// <summary>The address of the server.</summary>
    public const string ServerAddress = "10.77.0.2";
    /// <summary>What each end of it is called there.</summary>
    public const string Device = "link0";

    const string Tun = "/dev/net/tun";

    // The device's queue is so long that it drops none before the link takes them.
    const int QueuePackets = 20_000;

    // The kernel's struct ifreq has a name, then the kind.
    const int RequestBytes = 40;
    const int NameBytes = 16;

    public static Command Verb
    {
        get
        {
            var seed = new Option<int>("--seed") { Description = "Of what is lost.", DefaultValueFactory = _ => 1 };
            return Flags.Verb("link", "Two network namespaces with a link between them, until stdin closes; for `run`.",
                [.. SettingFlags.OfLink, seed], parsed =>
                {
                    var settings = SettingFlags.LinkFrom(parsed)
                        ?? throw new Failure("A link needs its --rtt-ms.", Exit.WrongUsage);
                    return Be(settings, parsed.GetValue(seed));
                });
        }
    }

    static int Be(LinkSettings settings, int seed)
    {
        var clients = new Namespace();
        var server = new Namespace();
        var netem = Netem.Join(clients, server, settings);
        var ways = netem != null ? [] : Join(clients, server, settings, seed);
        void Tell()
        {
            var told = RecordFile.ToJson(new LinkState
            {
                Emulator = netem != null ? Netem.Name : "tun",
                Clients = clients.Path,
                Server = server.Path,
                QueueBytes = settings.QueueBytes,
                MtuBytes = LinkSettings.MtuBytes,
                CpuS = Environment.CpuUsage.TotalTime.TotalSeconds,
                ToServer = netem?.ToServer ?? ways[0].Counts,
                ToClients = netem?.ToClients ?? ways[1].Counts,
            });
            Console.WriteLine(told.ToString(Formatting.None));
        }
        Tell();
        while (Console.In.ReadLine() != null)
        {
            Tell();
        }
        return Exit.Done;
    }

    // Joins them by a device each, between which this process carries the packets: to the server, to the clients.
    static OneWay[] Join(Namespace clients, Namespace server, LinkSettings settings, int seed)
    {
        var ofClients = clients.Do(() => OpenTun(ClientAddress, ServerAddress));
        var ofServer = server.Do(() => OpenTun(ServerAddress, ClientAddress));
        OneWay[] ways =
        [
            new(ofClients, ofServer, settings, (ulong)seed),
            new(ofServer, ofClients, settings, (ulong)seed + 1),
        ];
        foreach (var way in ways)
        {
            new Thread(way.Run) { IsBackground = true }.Start();
        }
        return ways;
    }

    // In the namespace of the thread that calls.
    static unsafe int OpenTun(string own, string peer)
    {
        var file = Libc.Open(Tun, Libc.ReadWrite | Libc.NonBlocking);
        if (file < 0)
        {
            throw new Failure($"{Tun} cannot be opened: {Libc.Fault}.", Exit.Unsupported);
        }
        var request = stackalloc byte[RequestBytes];
        new Span<byte>(request, RequestBytes).Clear();
        System.Text.Encoding.ASCII.GetBytes(Device, new Span<byte>(request, NameBytes));
        *(short*)(request + NameBytes) = Libc.TunWithoutHead;
        if (Libc.Control(file, Libc.TunSetIff, request) < 0)
        {
            throw new Failure($"{Tun} gives no device: {Libc.Fault}.", Exit.Unsupported);
        }
        Namespace.Ip(
            $"link set {Device} mtu {LinkSettings.MtuBytes} txqueuelen {QueuePackets} up",
            $"addr add {own}/32 peer {peer} dev {Device}");
        return file;
    }
}
