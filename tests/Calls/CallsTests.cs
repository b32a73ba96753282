using Newtonsoft.Json.Linq;

/// <summary>Benches whose work is calls, led by the runner, each in all its ways.</summary>
public sealed class CallsTests
{
    const string NotBuilt = "(not built)";

    // Whose values have most to serialize.
    const string Work = "get-user";

    // A variant of broadcasts.
    const string Loop = "loop";

    // A block of all benches and their variants, encrypted where they can be. The other works are tried without one:
    // say-hello by SayHelloTests, and sum by CallConnectionTests.
    static readonly Lazy<LedBlock> block = new(Measure);

    const string Encrypted = "tls";
    const string Bare = "none";

    const string Http = "bench-http";

    // Each generation 0 then holds 256 KiB, which calls fill again and again.
    static readonly (string, string)[] smallGenerations = [("DOTNET_gcServer", "0"), ("DOTNET_GCgen0size", "40000")];

    /// <summary>Every bench with each of its variants; one that is not built is skipped, never passed.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Variants =>
        from bench in Repo.CallBenches
        from variant in VariantsOf(bench)
        select new TheoryDataRow<string, string>(bench, variant)
        {
            Skip = variant == NotBuilt ? $"{bench} is not built: unavailable."
                : CanEncrypt(bench, variant) || CanGoBare(bench, variant) ? null
                : RefusalOf(bench, variant, Encrypted),
        };

    /// <summary>Of these those whose calls go ways of their own: others differ from the first by their serializer
    /// alone.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Ways =>
        Variants.Where(row => row.Skip != null || IsWay(row.Data.Item1, row.Data.Item2));

    [Theory, MemberData(nameof(Variants))]
    public void Every_call_is_answered_and_counted(string bench, string variant)
    {
        var member = MemberOf(bench, variant);
        var records = block.Value.Launched(member);
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        Assert.Equal(Work, (string?)Record.Single(records, "launch")["settings"]!["work"]);
        AssertSound(records, bench, variant);
        var certificate = (string?)Record.Of(records, "server", "ready")["certificate_sha256"];
        Assert.Matches(member.Security == Encrypted ? "^[0-9a-f]{64}$" : "^$", certificate ?? "");
    }

    [Fact]
    public void The_block_of_calls_ends_well() => block.Value.AssertAllLaunched();

    // How many calls each client makes, how a command is answered, and how the pauses of the collector are counted is
    // decided alike in every bench. The calls of HTTP leave enough behind to be collected.
    [Theory, InlineData(Http, 3_000), InlineData("bench-websocket", 20)]
    public void Each_client_makes_as_many_calls_as_it_is_told_and_each_command_is_answered(string bench, int each)
    {
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        using var pair = new Pair(bench, ["--clients", "3", "--parallel", "4"], ofServer: [], smallGenerations);
        pair.Begin();
        pair.Send(each, answers: 3 * each);
        pair.End();
        pair.Send(2, answers: 3 * each + 6);
        var (client, server) = pair.Drain();
        var parts = Counted.PartsOf(client);
        Assert.All(parts, Record.AssertAddsUp);
        Assert.Equal([3 * each, 6], parts.Select(part => (int)part["sent"]!));
        Assert.Equal(3 * each + 6, Record.Sum(parts, "received"));
        Assert.Equal(3 * each + 6, Record.Sum(Counted.PartsOf(server), "received"));
        Assert.Equal(3 * each + 6, Record.Sum(Counted.PartsOf(server), "sent"));
        if (bench == Http)
        {
            AssertCollected(Counted.Window(client));
            AssertCollected(Counted.Window(server));
        }
        var window = Counted.Window(pair.Measure(100).Client);
        Record.AssertAddsUp(window);
        Assert.True(Record.Sum(window, "completed") > 0);
        var (endOfClient, endOfServer) = pair.Close();
        Assert.Empty(endOfClient.WithCode(0).Error.Concat(endOfServer.WithCode(0).Error));
    }

    /// <summary>Asserts that two clients' calls are all answered, rightly, and counted on both sides.</summary>
    internal static void AssertAnswers(Pair pair)
    {
        pair.Send(10, answers: 20);
        var (client, server) = pair.Drain();
        var called = Counted.Other(client);
        Record.AssertAddsUp(called);
        Assert.Equal((20, 20), (Record.Sum(called, "sent"), Record.Sum(called, "received")));
        Assert.Equal(0, Record.Sum(called, "corrupt", "failed", "lost"));
        Assert.Equal(20, Record.Sum(Counted.Other(server), "received"));
    }

    // Pauses of a window are a part of it.
    static void AssertCollected(JObject window) =>
        Assert.InRange(Record.Sum(window, "gc_pause_ns"), 1, Record.Sum(window, "elapsed_ns") - 1);

    static LedBlock Measure()
    {
        var members = Variants.Where(row => row.Skip == null).Select(row => MemberOf(row.Data.Item1, row.Data.Item2));
        string[] load = ["--work", Work, "--clients", "3", "--parallel", "4"];
        return new(members, [.. load, "--warmup-seconds", "0", "--seconds", "0.1"]);
    }

    static LedBlock.Member MemberOf(string bench, string variant)
    {
        var security = CanEncrypt(bench, variant) ? Encrypted : Bare;
        return new(bench, Bench.DeliveriesOf(bench)[0], Variant: variant, Security: security);
    }

    static void AssertSound(JObject[] records, string bench, string variant)
    {
        var serializer = SerializerOf(bench, variant);
        foreach (var side in Measured.Sides)
        {
            Assert.Equal(serializer, (string?)Record.Of(records, side, "ready")["serializer"]);
        }
        Assert.True((double)Record.Of(records, "client", "ready")["connect_s"]! > 0);
        var slices = Record.Slices(records, "client");
        Assert.All(slices, Record.AssertAddsUp);
        Assert.True(Record.Sum(slices, "completed") > 10);
        Assert.Equal(0, Record.Sum(slices, "corrupt", "failed", "lost", "late_arrivals"));
        Assert.Equal(Record.Sum(slices, "sent"), Record.Sum(Record.Slices(records, "server"), "received"));
    }

    // Those of broadcasts alone are none of calls.
    static string[] VariantsOf(string bench)
    {
        if (!Bench.IsBuilt(bench))
        {
            return [NotBuilt];
        }
        var names = ((JObject)Bench.InfoOf(bench)["variants"]!).Properties().Select(variant => variant.Name);
        return [.. names.Where(name => name != Loop)];
    }

    static string SerializerOf(string bench, string variant) =>
        (string)Bench.InfoOf(bench)["variants"]![variant]!;

    static bool IsWay(string bench, string variant)
    {
        var first = VariantsOf(bench)[0];
        // StreamJsonRpc has two serializers of JSON; system-text-json is the other one, and no way of its own.
        return variant == first || variant == "tcp"
            || (variant != "system-text-json" && SerializerOf(bench, variant) == SerializerOf(bench, first));
    }

    internal static bool CanEncrypt(string bench, string variant) => RefusalOf(bench, variant, Encrypted) == null;

    // HTTP/3 cannot.
    internal static bool CanGoBare(string bench, string variant) => RefusalOf(bench, variant, Bare) == null;

    // Why a variant cannot be so; null: it can.
    static string? RefusalOf(string bench, string variant, string security) =>
        Bench.RefusalOf(bench, $"--variant {variant} --security {security}");
}
