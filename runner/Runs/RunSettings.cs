using System.CommandLine;
using System.Globalization;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>Every effective setting of a run; each is the flag of the same name (CONTRACT.md). The sides take those of
/// a bench.</summary>
sealed partial record RunSettings(
    string RunId,
    string Work,
    string Delivery,
    int Clients,
    int Parallel,
    int PayloadBytes,
    string Payload,
    int Rate,
    int TickHz,
    int ClientThreads,
    string Address,
    int Port,
    int Seed,
    string Profile,
    string Variant,
    string Security,
    int ClientMachines,
    double WarmupSeconds,
    double Seconds,
    string ServerCpus,
    string ClientCpus,
    int Rounds,
    int SliceMs,
    int SettleMs,
    int OrderSeed,
    bool Awake,
    bool Trace,
    double? RttMs,
    double JitterMs,
    double LossPercent,
    int LossBurstPackets,
    double RateMbit,
    string Queue)
{
    const double LeastSeconds = 0.1;

    // Not given: a bench's own are asked for, a free port is taken.
    static readonly Option[] all =
    [
        Text("--run-id", "", NamePattern(), "Name of the run in every record. [default: date and time]"),
        Text("--work", "", Word(Contract.Works), "What is done. [default: the bench's first]"),
        Text("--delivery", "", Word(Contract.Deliveries), "Delivery mode. [default: the library's first]"),
        Number("--clients", 1, 1, 100_000, "Clients, each with a connection and socket of its own."),
        Number("--parallel", 1, 1, 10_000, "Messages in flight per client."),
        Number("--payload-bytes", 32, 24, 262_144, "Bytes a message, header included."),
        Text("--payload", "random", Word("random", "zeros", "ones"), "Content of the messages."),
        Number("--rate", 0, 0, 10_000_000, "Messages/s over all clients; 0: closed loop."),
        Number("--tick-hz", 0, 0, 10_000, "Polls/s of each side; 0: as messages arrive."),
        Number("--client-threads", 1, 1, 1_024, "Threads that the clients are spread over."),
        Text("--address", "127.0.0.1", NoSpace(), "Address that the server listens on and clients reach."),
        Number("--port", 0, 0, 65_535, "Port; 0: a free one."),
        Number("--seed", 1, 0, int.MaxValue, "Seed of the random payload."),
        Text("--profile", "default", Word("default", "tuned"),
            "The library as it comes, or with its knobs for this load."),
        Text("--variant", "", NamePattern(), "Which of the library's ways. [default: the library's first]"),
        Text("--security", "none", Word("none", "tls"), "Whether connections are encrypted."),
        Number("--client-machines", 1, 1, 64, "Machines that share the clients: as many as --client-hosts."),
        Number("--warmup-seconds", 3.0, 0, 3_600, "Least warm-up; it lasts until the rate is steady."),
        Number("--seconds", 5.0, -1, 86_400, "Measured window; -1: until stopped."),
        Text("--server-cpus", "all", Cpus(), "CPUs of the server, as in 0,2-3."),
        Text("--client-cpus", "all", Cpus(), "CPUs of the clients."),
        Number("--rounds", 0, 0, 10_000,
            "Rounds in which the libraries' slices are interleaved; 0: one after another, a window each."),
        Number("--slice-ms", 80, 1, 1_000, "Least length of a slice."),
        Number("--settle-ms", 30, 1, 1_000, "For the load to settle before a slice."),
        Number("--order-seed", 1, 0, int.MaxValue, "Seed of the order within the rounds."),
        new Option<bool>("--awake")
        {
            Description = "Keeps the CPUs from sleeping by a spinner of the idle scheduling class on each.",
        },
        new Option<bool>("--trace") { Description = "A .nettrace of each side beside --out." },
        Number<double>("--rtt-ms", 0, MostRttMs,
            "Round trip of an emulated link between server and clients. [default: none]"),
        Number("--jitter-ms", 0.0, 0, MostRttMs, "By which its round trips vary."),
        Number("--loss-percent", 0.0, 0, 90, "Of the packets of each direction of it that are lost."),
        Number("--loss-burst-packets", 1, 1, 1_000, "Mean length of the bursts in which it loses them."),
        Number("--rate-mbit", 0.0, 0, 100_000, "Mbit/s of each direction of it; 0: as fast as this machine is."),
        Text("--queue", LinkSettings.Bdp, LinkSettings.QueuePattern(),
            "What may wait for the rate: 64kB; or bdp, 0.5bdp: of bandwidth x round trip."),
    ];

    const double MostRttMs = 10_000;

    static readonly string[] ofRun =
    [
        "run_id", "warmup_seconds", "seconds", "server_cpus", "client_cpus", "rounds", "slice_ms", "settle_ms",
        "order_seed", "awake", "trace",
        "rtt_ms", "jitter_ms", "loss_percent", "loss_burst_packets", "rate_mbit", "queue",
    ];

    /// <summary>The flags, for a verb.</summary>
    public static Option[] Flags => all;

    /// <summary>Those of a link, the last.</summary>
    public static Option[] OfLink => all[^6..];

    /// <summary>The link that a command line asks for; null: none.</summary>
    public static LinkSettings? LinkFrom(ParseResult parsed)
    {
        T Value<T>(int at) => (T)parsed.GetValue<object>(OfLink[at].Name)!;
        if (parsed.GetValue<object>(OfLink[0].Name) is double rttMs)
        {
            return new LinkSettings(
                rttMs, Value<double>(1), Value<double>(2), Value<int>(3), Value<double>(4), Value<string>(5));
        }
        Option? lone = OfLink.FirstOrDefault(option => parsed.GetResult(option) is { Implicit: false });
        return lone == null
            ? null
            : throw new Failure($"{lone.Name} is of a link, which needs its --rtt-ms.", Exit.WrongUsage);
    }

    /// <summary>True where nothing is answered.</summary>
    internal bool IsStream => Work == Arrivals.Stream;

    /// <summary>The link between the sides; null: none.</summary>
    internal LinkSettings? Link => RttMs is { } rttMs
        ? new LinkSettings(rttMs, JitterMs, LossPercent, LossBurstPackets, RateMbit, Queue)
        : null;

    /// <summary>The settings of a parsed command line, of which nothing is found out yet.</summary>
    public static RunSettings From(ParseResult parsed)
    {
        // The flags stand in the constructor's order.
        object?[] values = [.. all.Select(option => parsed.GetValue<object>(option.Name))];
        var settings = (RunSettings)Activator.CreateInstance(typeof(RunSettings), values)!;
        settings.Check(hasLink: LinkFrom(parsed) != null);
        return settings.RunId != "" ? settings : settings with { RunId = $"{DateTime.UtcNow:yyyyMMdd-HHmmss-fff}" };
    }

    void Check(bool hasLink)
    {
        if (Seconds < LeastSeconds && Seconds != -1)
        {
            throw WrongUsage($"--seconds takes -1 or a number from {LeastSeconds}, not '{Seconds}'.");
        }
        if (Rounds > 0 && (Seconds < 0 || Trace))
        {
            throw WrongUsage($"{(Trace ? "--trace" : "--seconds -1")} goes without --rounds.");
        }
        if (hasLink && Rounds > 0)
        {
            throw WrongUsage(
                "--rtt-ms goes without --rounds: a slice is shorter than what a link does to its messages.");
        }
        if (ClientThreads > Clients)
        {
            throw WrongUsage("--client-threads must not exceed --clients.");
        }
    }

    static Failure WrongUsage(string sentence) => new(sentence, Exit.WrongUsage);

    /// <summary>As records have them.</summary>
    public JObject ToJson() => RecordFile.ToJson(this);

    /// <summary>In-flight slots of a closed loop, over all clients.</summary>
    internal long Slots => (long)Clients * Parallel;

    /// <summary>As a sweep plans it.</summary>
    internal PlannedLink? PlannedLink => RttMs is { } rttMs
        ? new PlannedLink($"{rttMs}", $"{JitterMs}", $"{LossPercent}", $"{LossBurstPackets}", $"{RateMbit}", Queue)
        : null;

    /// <summary>The words of its link, for the verb `link`.</summary>
    internal IEnumerable<string> WordsOfLink =>
        Words(setting => Array.Exists(OfLink, option => option.Name == FlagOf(setting)));

    /// <summary>The words of these settings for one side of a bench; machine: the share of its clients; certificate:
    /// the SHA-256 of the server's, where it has one.</summary>
    public IEnumerable<string> WordsOfSide(int machine, string? certificate)
    {
        string[] ofCertificate = certificate == null ? [] : ["--certificate-sha256", certificate];
        return [.. Words(setting => !ofRun.Contains(setting)), "--client-machine", $"{machine}", .. ofCertificate];
    }

    IEnumerable<string> Words(Func<string, bool> isWanted)
    {
        foreach (JProperty setting in ToJson().Properties().Where(setting => isWanted(setting.Name)))
        {
            yield return FlagOf(setting.Name);
            yield return ((JValue)setting.Value).ToString(CultureInfo.InvariantCulture);
        }
    }

    static string FlagOf(string setting) => "--" + setting.Replace('_', '-');

    static Option<T> Number<T>(string name, T value, T least, T most, string help)
        where T : struct, System.Numerics.INumber<T> => new(name)
        {
            Description = help,
            DefaultValueFactory = _ => value,
            CustomParser = given =>
            {
                var text = given.Tokens[0].Value;
                if (T.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
                    && number >= least && number <= most)
                {
                    return number;
                }

                given.AddError($"{name} takes a number from {least} to {most}, not '{text}'.");
                return value;
            },
        };

    // Without it there is none.
    static Option<double?> Number<T>(string name, double least, double most, string help)
    {
        var number = Number(name, least, least, most, help);
        return new(name) { Description = help, CustomParser = given => number.CustomParser!(given) };
    }

    static Option<string> Text(string name, string value, Regex pattern, string help) => new(name)
    {
        Description = help,
        DefaultValueFactory = _ => value,
        CustomParser = given =>
        {
            var text = given.Tokens[0].Value;
            if (!pattern.IsMatch(text))
                given.AddError($"'{text}' is no value for {name}. {help}");
            return text;
        },
    };

    static Regex Word(params string[] words) => new($@"^({string.Join('|', words)})\z");

    [GeneratedRegex(@"^[A-Za-z0-9._-]{1,100}\z")]
    private static partial Regex NamePattern();

    [GeneratedRegex(@"^\S+\z")]
    private static partial Regex NoSpace();

    [GeneratedRegex(@"^(all|[0-9]+([,-][0-9]+)*)\z")]
    private static partial Regex Cpus();
}
