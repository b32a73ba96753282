using System.CommandLine;
using System.Diagnostics;
using System.Globalization;

/// <summary>Every effective setting of a side; each is the flag of the same name (CONTRACT.md).</summary>
sealed record Settings(
    string Work, string Delivery, int Clients, int Parallel, int PayloadBytes, string Payload, int Rate, int TickHz, int ClientThreads, string Address,
    int Port, int Seed, string Profile, string Variant, string Security, string CertificateSha256, int ClientMachines, int ClientMachine)
{
    static readonly Option[] all = [
        Text("--work", "What is done; by default the first that the bench does.", [.. Load.Works.Union(["echo", "stream", "sum", "get-user", "say-hello"])]),
        Text("--delivery", "Delivery mode; by default the library's first.",
            [.. Library.Deliveries.Union(["reliable-ordered", "reliable-unordered", "unreliable"])]),
        Number("--clients", 1, 1, 100_000, "Clients, each with a connection and socket of its own."),
        Number("--parallel", 1, 1, 10_000, "Messages in flight a client (lanes); at a rate, as many as are due."),
        Number("--payload-bytes", 32, 24, 262_144, "Bytes a message, header included."),
        Text("--payload", "Content of the messages.", "random", "zeros", "ones"),
        Number("--rate", 0, 0, 10_000_000, "Messages/s over all clients; 0: closed loop."),
        Number("--tick-hz", 0, 0, 10_000, "Polls/s of each side; 0: as messages arrive."),
        Number("--client-threads", 1, 1, 1_024, "Threads that the clients are spread over."),
        Text("--address", "Address that the server listens on and clients reach.", "127.0.0.1"),
        Number("--port", 9050, 1, 65_535, "Port that the server listens on."),
        Number("--seed", 1, 0, int.MaxValue, "Seed of the random payload."),
        Text("--profile", "The library as it comes, or with its knobs for this load.", "default", "tuned"),
        Text("--variant", "Which of the library's ways; by default its first.", Library.Variants.Keys.First()),
        Text("--security", "Whether connections are encrypted.", "none", "tls"),
        Text("--certificate-sha256", "Of the server's certificate, as its record says: clients trust no other.", ""),
        Number("--client-machines", 1, 1, 64, "Machines that share the clients."),
        Number("--client-machine", 0, 0, 63, "Which share this process takes, from 0."),
    ];

    /// <summary>The first of this process's clients, and how many it has.</summary>
    internal int FirstClient => (int)((long)Clients * ClientMachine / ClientMachines);
    internal int OwnClients => (int)((long)Clients * (ClientMachine + 1) / ClientMachines) - FirstClient;

    /// <summary>Adds every flag to a verb.</summary>
    public static void AddTo(Command verb) => Array.ForEach(all, verb.Options.Add);

    /// <summary>The settings of a parsed command line: the flags stand in the constructor's order.</summary>
    public static Settings From(ParseResult parsed) => (Settings)Activator.CreateInstance(
        typeof(Settings), [.. all.Select(option => parsed.GetValue<object>(option.Name))])!;

    static Option<int> Number(string name, int value, int least, int most, string help) => new(name)
    {
        Description = $"{help} {least} to {most}.", DefaultValueFactory = _ => value,
        CustomParser = given =>
        {
            var text = given.Tokens[0].Value;
            if (int.TryParse(text, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most) return number;
            given.AddError($"{name} takes a number from {least} to {most}, not '{text}'.");
            return value;
        },
    };

    // The first value is the default; where there is but one, any other will do as well.
    static Option<string> Text(string name, string help, params string[] values)
    {
        var option = new Option<string>(name) { Description = help, DefaultValueFactory = _ => values[0] };
        return values.Length == 1 ? option : option.AcceptOnlyFromAmong(values);
    }
}
