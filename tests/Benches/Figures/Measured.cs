using Newtonsoft.Json.Linq;

/// <summary>The records of one short run, which several tests look at.</summary>
sealed class Measured
{
    /// <summary>The least that a message can have: its header.</summary>
    public const int PayloadBytes = 24;

    /// <summary>Flags of the run, none with its default value.</summary>
    public static readonly string[] Flags =
    [
        "--run-id", "a_run.of-2",
        "--clients", "2",
        "--parallel", "2",
        "--payload-bytes", $"{PayloadBytes}",
        "--payload", "ones",
        "--warmup-seconds", "0.3",
        "--seconds", "0.3",
        "--client-threads", "2",
        "--seed", "7",
    ];

    /// <summary>The two sides.</summary>
    public static readonly string[] Sides = ["client", "server"];

    /// <summary>What stood in the file before, without a line end.</summary>
    public const string Torn = "{\"v\":2,\"rec";

    static readonly Dictionary<(string, string), Measured> all = [];

    Measured(string bench, string delivery)
    {
        using var scratch = new Scratch();
        File.WriteAllText(scratch.PathOf("raw.jsonl"), Torn);
        Ended = Bench.Lead(bench, ["--delivery", delivery, .. Flags, "--out", scratch.PathOf("raw.jsonl")]);
        var lines = File.ReadAllLines(scratch.PathOf("raw.jsonl"));
        FirstLine = lines[0];
        Lines = lines[1..];
        Records = [.. Lines.Select(Record.Parse)];
    }

    public Ended Ended { get; }
    public string FirstLine { get; }
    public string[] Lines { get; }
    public JObject[] Records { get; }
    public JObject Launch => Record.Single(Records, "launch");

    /// <summary>The slices of the clients, all phases.</summary>
    public JObject[] Clients => Record.Slices(Records, "client");
    public JObject[] Servers => Record.Slices(Records, "server");
    public JObject Window => Slice("client", "window");
    public JObject Ready(string side) => Record.Of(Records, side, "ready");
    public JObject Slice(string side, string phase) => Record.Slice(Records, side, phase);

    /// <summary>The run of a bench with a delivery mode, made at the first call.</summary>
    public static Measured Of(string bench, string delivery)
    {
        if (!all.TryGetValue((bench, delivery), out var run))
        {
            run = new Measured(bench, delivery);
            all[(bench, delivery)] = run;
        }
        return run;
    }
}
