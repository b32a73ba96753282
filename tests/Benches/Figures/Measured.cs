using Newtonsoft.Json.Linq;

/// <summary>The records of a bench in one short block of all benches, each in each of its delivery modes and those that
/// have TLS with it as well: several tests look at them.</summary>
sealed class Measured
{
    /// <summary>The least that a message can have: its header.</summary>
    public const int PayloadBytes = 24;

    /// <summary>Flags of the block, none with its default value.</summary>
    public static readonly string[] Flags =
    [
        "--run-id", "a_run.of-2",
        "--clients", "2",
        "--parallel", "2",
        "--payload-bytes", $"{PayloadBytes}",
        "--payload", "ones",
        "--warmup-seconds", "0.3",
        "--rounds", "3",
        "--slice-ms", "30",
        "--settle-ms", "10",
        "--seconds", "0.3",
        "--client-threads", "2",
        "--seed", "7",
    ];

    /// <summary>The two sides.</summary>
    public static readonly string[] Sides = ["client", "server"];

    /// <summary>What stood in the file before, without a line end.</summary>
    public const string Torn = "{\"v\":2,\"rec";

    static readonly Lazy<(LedBlock Block, string FirstLine)> all = new(Measure);

    Measured(LedBlock.Member member) => Records = Block.Launched(member);

    /// <summary>The block, of which each launch has its part.</summary>
    public static LedBlock Block => all.Value.Block;

    /// <summary>Of the file that the block's records were appended to.</summary>
    public static string FirstLine => all.Value.FirstLine;

    public JObject[] Records { get; }
    public JObject Launch => Record.Single(Records, "launch");

    /// <summary>The slices of the clients, all phases.</summary>
    public JObject[] Clients => Record.Slices(Records, "client");
    public JObject[] Servers => Record.Slices(Records, "server");
    public JObject Window => Slice("client", "window");
    public JObject Ready(string side) => Record.Of(Records, side, "ready");
    public JObject Slice(string side, string phase) => Record.Slice(Records, side, phase);

    /// <summary>What was measured of a bench with a delivery mode.</summary>
    public static Measured Of(string bench, string delivery) => new(new(bench, delivery));

    /// <summary>The same over TLS.</summary>
    public static Measured Encrypted(string bench) => new(MemberOverTls(bench));

    /// <summary>A bench that has TLS, in the mode that is encrypted.</summary>
    public static LedBlock.Member MemberOverTls(string bench) => new(bench, "reliable-ordered", Security: "tls");

    static (LedBlock, string) Measure()
    {
        var plain =
            from row in Bench.WithDeliveries
            where row.Skip == null
            select new LedBlock.Member(row.Data.Item1, row.Data.Item2);
        var overTls = Repo.Benches.Where(Bench.IsBuilt).Where(Bench.HasTls).Select(MemberOverTls);
        var firstLine = "";
        var block = new LedBlock(plain.Concat(overTls), members =>
        {
            using var scratch = new Scratch();
            var raw = scratch.PathOf("raw.jsonl");
            File.WriteAllText(raw, Torn);
            string[] words = [Tool.LeadPath, "run", string.Join(',', members), .. Flags, "--out", raw];
            using var run = Command.Start("dotnet", words);
            var ended = run.Wait(300);
            var lines = File.ReadAllLines(raw);
            firstLine = lines[0];
            return (ended, lines[1..]);
        });
        return (block, firstLine);
    }
}
