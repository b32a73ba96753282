using Newtonsoft.Json.Linq;

/// <summary>The records of a bench in one short block of all benches, each in each of its delivery modes and with all
/// else that it has, TLS, knobs and other variants: several tests look at them, one after another.</summary>
[CollectionDefinition(Name)]
public sealed class Measured
{
    /// <summary>The collection of those tests: where one of them waits for the block, others need not.</summary>
    public const string Name = "measured";

    /// <summary>Of a message. The least that it can have LinesTests tries.</summary>
    public const int PayloadBytes = 1_000;

    /// <summary>Flags of the block, none with its default value. A warm-up FaultTests looks at.</summary>
    public static readonly string[] Flags =
    [
        "--run-id", "a_run.of-2",
        "--clients", "2",
        "--parallel", "2",
        "--payload-bytes", $"{PayloadBytes}",
        "--payload", "random",
        "--warmup-seconds", "0",
        "--rounds", "2",
        "--slice-ms", "5",
        "--settle-ms", "5",
        "--seconds", "0.1",
        "--seed", "7",
    ];

    /// <summary>The two sides.</summary>
    public static readonly string[] Sides = ["client", "server"];

    /// <summary>What stood in the file before, without a line end.</summary>
    public const string Torn = "{\"v\":2,\"rec";

    static readonly Lazy<(LedBlock Block, string FirstLine)> all = new(Measure);

    Measured(JObject[] records) => Records = records;

    /// <summary>The block, of which each launch has its part.</summary>
    internal static LedBlock Block => all.Value.Block;

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

    /// <summary>Every bench that has knobs.</summary>
    public static IEnumerable<TheoryDataRow<string>> Tuned =>
        Bench.All.Where(row => row.Skip != null || Bench.HasKnobs(row.Data));

    /// <summary>Every bench that has TLS.</summary>
    public static IEnumerable<TheoryDataRow<string>> Encrypted =>
        Bench.All.Where(row => row.Skip == null && Bench.HasTls(row.Data));

    // A variant of broadcasts alone.
    const string Loop = "loop";

    /// <summary>Every bench that has variants, with those of echoes that are not its default.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> OtherVariants =>
        from bench in Bench.All.Where(row => row.Skip == null).Select(row => row.Data)
        from variant in ((JObject)Bench.InfoOf(bench)["variants"]!).Properties().Skip(1)
        where variant.Name != Loop
        select new TheoryDataRow<string, string>(bench, variant.Name);

    /// <summary>What was measured of a bench with a delivery mode.</summary>
    internal static Measured Of(string bench, string delivery) => Of(new(bench, delivery));

    /// <summary>What was measured of one of the block.</summary>
    internal static Measured Of(LedBlock.Member member) => new(Block.Launched(member));

    /// <summary>Looks at what a busy machine may have spoiled, and where it did at a launch alone.</summary>
    public static void Check(string bench, string delivery, Action<Measured> check)
    {
        try
        {
            check(Of(bench, delivery));
        }
        catch (Xunit.Sdk.XunitException)
        {
            check(new(Block.LaunchedAlone(new(bench, delivery))));
        }
    }

    /// <summary>A bench that has TLS, in the mode that is encrypted.</summary>
    internal static LedBlock.Member OverTls(string bench) => new(bench, "reliable-ordered", Security: "tls");

    /// <summary>A bench with its knobs, in its first mode.</summary>
    internal static LedBlock.Member WithKnobs(string bench) => new(bench, FirstOf(bench), Profile: "tuned");

    /// <summary>Another variant of a bench, in the first mode that it has.</summary>
    internal static LedBlock.Member OfVariant(string bench, string variant) =>
        new(bench, Bench.DeliveryOf(bench, variant), Variant: variant);

    static string FirstOf(string bench) => Bench.DeliveriesOf(bench)[0];

    static IEnumerable<LedBlock.Member> Members =>
    [
        .. Bench.WithDeliveries.Where(row => row.Skip == null)
            .Select(row => new LedBlock.Member(row.Data.Item1, row.Data.Item2)),
        .. Encrypted.Select(row => OverTls(row.Data)),
        .. Tuned.Where(row => row.Skip == null).Select(row => WithKnobs(row.Data)),
        .. OtherVariants.Select(row => OfVariant(row.Data.Item1, row.Data.Item2)),
    ];

    static (LedBlock, string) Measure()
    {
        var firstLine = "";
        var block = new LedBlock(Members, members =>
        {
            using var scratch = new Scratch();
            var raw = scratch.PathOf("raw.jsonl");
            File.WriteAllText(raw, Torn);
            string[] words = ["run", string.Join(',', members), .. Flags, "--out", raw];
            var ended = Tool.LeadWithin(LedBlock.MostSeconds, words);
            var lines = File.ReadAllLines(raw);
            firstLine = lines[0];
            return (ended, lines[1..]);
        });
        return (block, firstLine);
    }
}
