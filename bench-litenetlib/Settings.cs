using System.CommandLine;
using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>Every effective setting of a run; each is the flag of the same name (CONTRACT.md).</summary>
sealed record Settings(
    string RunId, string Delivery, int Clients, int Parallel, int PayloadBytes, string Payload,
    double WarmupSeconds, double Seconds, int Rate, int TickHz, int ClientThreads,
    string Address, int Port, string ServerCpus, string ClientCpus, int Seed,
    bool Trace, string Profile, int ClientMachines, int ClientMachine)
{
    static readonly Option[] All =
    [
        Text("--run-id", $"{DateTime.UtcNow:yyyyMMdd-HHmmss-fff}", @"^[A-Za-z0-9._-]{1,100}\z",
            "Name of the run in every record: letters, digits, '.', '_' and '-'."),
        Text("--delivery", Library.Deliveries[0], @"^(reliable-ordered|reliable-unordered|unreliable)\z",
            "Delivery mode: reliable-ordered, reliable-unordered or unreliable."),
        Number("--clients", 1, 1, 100_000, "Clients, each with a connection and socket of its own."),
        Number("--parallel", 1, 1, 10_000, "Messages in flight a client (lanes)."),
        Number("--payload-bytes", 32, Load.HeaderBytes, 65_507, "Bytes a message, header included."),
        Text("--payload", "random", @"^(random|zeros|ones)\z", "Content: random, zeros or ones."),
        Number("--warmup-seconds", 3.0, 0, 3_600, "Least warm-up; it lasts until the rate is steady."),
        Number("--seconds", 5.0, -1, 86_400, "Measured window; -1: until stopped."),
        Number("--rate", 0, 0, 10_000_000, "Messages/s over all clients; 0: closed loop."),
        Number("--tick-hz", 0, 0, 10_000, "Polls/s of each side; 0: as messages arrive."),
        Number("--client-threads", 1, 1, 1_024, "Threads that the clients are spread over."),
        Text("--address", "127.0.0.1", @"\S", "Address that the server listens on and clients reach."),
        Number("--port", 0, 0, 65_535, "Port; 0: a free one, named in the ready record."),
        Text("--server-cpus", "all", @"^(all|[0-9]+([,-][0-9]+)*)\z", "CPUs of the server, as in 0,2-3."),
        Text("--client-cpus", "all", @"^(all|[0-9]+([,-][0-9]+)*)\z", "CPUs of the clients."),
        Number("--seed", 1, 0, int.MaxValue, "Seed of the random payload."),
        new Option<bool>("--trace")
        { Description = "A .nettrace of each side beside --out. [default: false]" },
        Text("--profile", "default", @"^(default|tuned)\z",
            "default: the library as it comes; tuned: with the knobs that it has for this load."),
        Number("--client-machines", 1, 1, 64, "Machines that share the clients."),
        Number("--client-machine", 0, 0, 63, "Which share this process takes, from 0."),
    ];

    /// <summary>The first client of a machine's share; the next machine's is the first not in it.</summary>
    public int FirstClientOf(int machine) => (int)((long)Clients * machine / ClientMachines);

    /// <summary>Adds every flag to a verb.</summary>
    public static void AddTo(Command verb) => Array.ForEach(All, verb.Options.Add);

    /// <summary>The settings of a parsed command line.</summary>
    public static Settings From(ParseResult parsed) =>
        new JObject(All.Select(option => new JProperty(
            option.Name[2..].Replace('-', '_'), parsed.GetValue<object>(option.Name))))
        .ToObject<Settings>(Stats.Json)!;

    /// <summary>The flags that give these settings to a child process.</summary>
    public IEnumerable<string> ToFlags() =>
        JObject.FromObject(this, Stats.Json).Properties().SelectMany(setting => new[]
        {
            "--" + setting.Name.Replace('_', '-'),
            ((JValue)setting.Value).ToString(CultureInfo.InvariantCulture),
        });

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
                    return number;
                given.AddError($"{name} takes a number from {least} to {most}, not '{text}'.");
                return value;
            },
        };

    static Option<string> Text(string name, string value, string pattern, string help) => new(name)
    {
        Description = help,
        DefaultValueFactory = _ => value,
        CustomParser = given =>
        {
            var text = given.Tokens[0].Value;
            if (!System.Text.RegularExpressions.Regex.IsMatch(text, pattern))
                given.AddError($"'{text}' is no value for {name}. {help}");
            return text;
        },
    };
}
