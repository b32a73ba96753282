using System.Collections.Concurrent;
using Newtonsoft.Json.Linq;

/// <summary>A link between server and clients of this machine while it lives: the process that is it, and what the
/// plain UDP bench says of it. It is gone when this process is.</summary>
sealed class Link : IDisposable
{
    const double ReadySeconds = 15;
    const double EndSeconds = 1;
    const double ProbeSeconds = 0.5;
    // Longer, because a side that waits for a CPU on a busy machine sends too little for a moment, and then too much.
    const double RateProbeSeconds = 2;
    // Sides that have just been started compile their code in this time, and catch up with what was due.
    const double RateWarmupSeconds = 2;
    const double SettleSeconds = 0.1;
    const int ProbesPerSecond = 1_000;
    const int FewestProbesPerSecond = 10;
    const int ProbeBytes = 32;
    const int BulkBytes = 1_200;
    const int DatagramHeadBytes = 28;
    const int FirstPort = 9_050;

    // The probe takes at most a quarter of the link's rate.
    const double ProbeShare = 0.25;

    // That rate is measured by more than it lets through, up to what the bench itself can send.
    const double BulkShare = 1.3;
    const double MostBulkMbit = 260;

    /// <summary>By whose plain datagrams it is measured.</summary>
    public const string ProbeLibrary = "udp";

    /// <summary>What befalls those on it when its process dies.</summary>
    public const string EndedEarly = "The link ended before its time.";

    // Of its process: to compile or collect in the background stops all threads for as long as the thread that does it
    // waits for a CPU, which is of no other class than the benches'.
    static readonly Dictionary<string, string> steady = new()
    {
        ["DOTNET_TieredCompilation"] = "0",
        ["DOTNET_gcConcurrent"] = "0",
    };

    readonly Child child;
    readonly BlockingCollection<LinkState> said = [];
    readonly string[] enterUser;
    readonly LaunchSettings settings;
    readonly Hosts hosts;
    readonly Dictionary<(int Rate, int Bytes), Participant> probes = [];
    int ports = FirstPort;
    int probed;
    LinkProbe? truth;

    Link(LaunchSettings settings, Hosts hosts, bool asUser)
    {
        var (server, clients, cpu) = new Topology(Topology.Folder, null)
            .BesideLink(settings.ServerCpus, settings.ClientCpus);
        this.settings = settings with { ServerCpus = server, ClientCpus = clients };
        this.hosts = hosts;
        child = Start(settings, asUser, cpu);
        enterUser = asUser ? ["--preserve-credentials", $"--user=/proc/{child.Process.Id}/ns/user"] : [];
        Task<string> errors = child.Errors.ReadToEndAsync();
        new Thread(Listen) { IsBackground = true }.Start();
        if (!said.TryTake(out var made, TimeSpan.FromSeconds(ReadySeconds)))
        {
            if (child.EndsWithin(EndSeconds))
            {
                string reason = errors.Result.Replace("runner: ", "").Trim();
                throw new Failure(reason == "" ? "No link was made." : reason, Exit.Unsupported);
            }
            child.Dispose();
            throw new Failure($"No link was made within {ReadySeconds:0} s.");
        }
        Made = made;
        // What the kernel itself emulates has no process that would need one.
        Cpu = made.Emulator == Netem.Name ? null : cpu;
    }

    /// <summary>The CPU that its process has to itself; null: none, as the kernel emulates it or there are too
    /// few.</summary>
    public int? Cpu { get; }

    /// <summary>Settings of a launch on it: where it is, and which CPUs are left to the sides.</summary>
    public LaunchSettings Of(LaunchSettings launch)
    {
        LaunchSettings here = launch with { Address = LinkVerb.ServerAddress, Port = ports++ };
        return Cpu == null
            ? here
            : here with { ServerCpus = settings.ServerCpus, ClientCpus = settings.ClientCpus };
    }

    /// <summary>When it ends before its time; on another thread.</summary>
    public event Action? Died;

    /// <summary>True when it has ended.</summary>
    public bool IsDead => said.IsCompleted;

    /// <summary>What it says of itself.</summary>
    public LinkState Made { get; }

    /// <summary>Makes one; where it cannot be made fails, unsupported, in a sentence.</summary>
    public static Link Make(LaunchSettings settings, Hosts hosts)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new Failure("Links are emulated on Linux alone; a real one joins hosts (--server-host).",
                Exit.Unsupported);
        }
        if (hosts.Any)
        {
            throw new Failure("Over hosts the network is the link: --rtt-ms has no place there.", Exit.WrongUsage);
        }
        try
        {
            return new(settings, hosts, asUser: false);
        }
        catch (Failure first) when (first.ExitCode == Exit.Unsupported)
        {
            // Whoever is not root may be so in a user namespace, where the system allows it.
            try
            {
                return new(settings, hosts, asUser: true);
            }
            catch (Failure)
            {
                throw first;
            }
        }
    }

    /// <summary>The words before a command that start it at an end of the link.</summary>
    public string[] Enter(bool isServer)
    {
        string end = isServer ? Made.Server : Made.Clients;
        return ["nsenter", .. enterUser, $"--net={end}", "--"];
    }

    /// <summary>What it did so far: packets, bytes, lost, dropped, late.</summary>
    public LinkState Count()
    {
        if (child.Say("count") && said.TryTake(out var counts, TimeSpan.FromSeconds(ReadySeconds)))
        {
            return counts;
        }
        throw new Failure(EndedEarly);
    }

    /// <summary>How the plain UDP bench finds it, last time, or now for the first time.</summary>
    public LinkProbe Truth => truth ??= Measure();

    /// <summary>How it finds it now.</summary>
    public LinkProbe Measure()
    {
        var found = Probe(ProbeRate(), ProbeBytes, SettleSeconds, ProbeSeconds, fromOutside: false).Client;
        var outcomes = found.Outcomes!;
        var rtt = new Histogram(outcomes.RttNs);
        truth = new LinkProbe(
            found.Sent,
            outcomes.WithoutAnswer,
            (long?)(rtt.Quantile(0.5m) / 1e3),
            (long?)(rtt.Quantile(0.99m, 1) / 1e3),
            RateKbit());
        return truth;
    }

    public void Dispose()
    {
        Died = null;
        foreach (var probe in probes.Values)
        {
            probe.Dispose();
        }
        child.Dispose();
    }

    static Child Start(LaunchSettings settings, bool asUser, int? cpu)
    {
        string[] pinned = cpu == null ? [] : ["taskset", "-c", $"{cpu}"];
        string[] self =
        [
            "dotnet", System.IO.Path.Combine(AppContext.BaseDirectory, "runner.dll"),
            "link", .. settings.WordsOfLink(), "--seed", $"{settings.Seed}",
        ];
        string[] user = asUser ? ["unshare", "--user", "--map-root-user"] : [];
        return Child.Start([.. pinned, .. user, .. self], readsOutput: true, readsErrors: true, variables: steady);
    }

    // Takes down what the process says until it ends.
    void Listen()
    {
        while (child.Output.ReadLine() is { } line)
        {
            said.Add(RecordFile.As<LinkState>(JObject.Parse(line)));
        }
        said.CompleteAdding();
        Died?.Invoke();
    }

    // How many small datagrams per second the link has room for, beside whatever else it carries.
    int ProbeRate()
    {
        if (settings.RateMbit == 0)
        {
            return ProbesPerSecond;
        }
        double most = DatagramsPerSecond(ProbeShare * settings.RateMbit, ProbeBytes);
        return (int)Math.Clamp(most, FewestProbesPerSecond, ProbesPerSecond);
    }

    // What the link lets through when more is sent; null where it has no limit that the bench could reach.
    long? RateKbit()
    {
        // What the link loses it loses before its rate.
        var bulkMbit = BulkShare * settings.RateMbit / (1 - settings.LossPercent / 100);
        if (bulkMbit is not (> 0 and <= MostBulkMbit))
        {
            return null;
        }
        // It is read at the server, because an answer is counted in the window in which its message was due, which may
        // be long before it came. What the server's socket had no room for came over the link, too.
        var rate = (int)Math.Ceiling(DatagramsPerSecond(bulkMbit, BulkBytes));
        var server = Probe(rate, BulkBytes, RateWarmupSeconds, RateProbeSeconds, fromOutside: true).Server;
        var outside = server.Outside!;
        var datagramsPerMs = server.Received / (server.ElapsedNs / 1e6)
            + (outside.UdpRcvbufErrors ?? 0) / (outside.ElapsedS * 1e3);
        return (long)(datagramsPerMs * (BulkBytes + DatagramHeadBytes) * 8);
    }

    static double DatagramsPerSecond(double mbit, int bytes) => mbit * 1e6 / 8 / (bytes + DatagramHeadBytes);

    // A window of the bench, at a rate that nothing holds back. Its sides stand still until they are asked again,
    // because starting them takes longer.
    (SliceRecord Client, SliceRecord Server) Probe(
        int rate, int bytes, double warmupSeconds, double seconds, bool fromOutside)
    {
        var isKept = probes.Remove((rate, bytes), out var kept);
        var probe = kept ?? NewProbe(rate, bytes);
        try
        {
            if (isKept)
            {
                probe.GoOn();
            }
            else
            {
                probe.Connect();
            }
            probed++;
            var phase = $"probe {probed}";
            probe.Start();
            // At the rate asked, from when the first answers are back.
            probe.Wait(2 * settings.RttMs!.Value / 1e3 + (isKept ? SettleSeconds : warmupSeconds));
            probe.Begin(fromOutside);
            probe.Wait(seconds);
            probe.End(fromOutside);
            probe.Drain(phase, probe.DrainSeconds);
            probe.StandStill();
            probes[(rate, bytes)] = probe;
            return (probe.Records.OfClients(phase)[0], probe.Records.OfServer(phase));
        }
        catch
        {
            probe.Dispose();
            throw;
        }
    }

    Participant NewProbe(int rate, int bytes)
    {
        var ofProbe = settings with
        {
            Work = "echo",
            Delivery = "unreliable",
            Variant = "default",
            Security = "none",
            Profile = "default",
            Clients = 1,
            Parallel = 1,
            Rate = rate,
            PayloadBytes = bytes,
        };
        return new(ProbeLibrary, Of(ofProbe), hosts, RawFile.None, null, mayBeginAnew: true, this);
    }
}
