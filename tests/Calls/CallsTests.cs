using Newtonsoft.Json.Linq;

/// <summary>Benches whose work is calls, led by the runner, each in all its ways.</summary>
public sealed class CallsTests
{
    const string NotBuilt = "(not built)";

    static readonly string[] load =
        ["--clients", "3", "--parallel", "4", "--warmup-seconds", "0", "--seconds", "0.3"];

    // Of each bench what it says of itself, and then of each of its variants encrypted.
    static readonly Dictionary<string, JObject[]> infos =
        Repo.CallBenches.Where(Bench.IsBuilt).ToDictionary(bench => bench, InfosOf);

    /// <summary>Every bench with each of its variants; one that is not built is skipped, never passed.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Variants =>
        from bench in Repo.CallBenches
        from variant in VariantsOf(bench)
        select new TheoryDataRow<string, string>(bench, variant)
        {
            Skip = variant == NotBuilt ? $"{bench} is not built: unavailable." : null,
        };

    /// <summary>Of these the ones that can be encrypted.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Encrypted =>
        Variants.Where(row => row.Skip != null || CanEncrypt(row.Data.Item1, row.Data.Item2));

    // The third work is that of the next test.
    [Theory, MemberData(nameof(Variants))]
    public void Every_call_of_each_work_is_answered_and_counted(string bench, string variant)
    {
        foreach (var work in new[] { "sum", "say-hello" })
        {
            AssertSound(Lead(bench, variant, ["--work", work, .. load]), bench, variant, work);
        }
    }

    [Theory, MemberData(nameof(Variants))]
    public void A_rate_is_kept_and_each_of_its_calls_answered(string bench, string variant)
    {
        const string work = "get-user";
        string[] atRate = ["--rate", "500", "--clients", "3", "--warmup-seconds", "0", "--seconds", "1"];
        var records = Lead(bench, variant, ["--work", work, .. atRate]);
        AssertSound(records, bench, variant, work);
        var window = Record.Slice(records, "client", "window");
        // As far as a busy machine lets it; how closely Load.cs keeps to it, HarnessTests holds.
        Assert.InRange((long)window["sent"]! * 1e9 / (long)window["elapsed_ns"]!, 350, 650);
        Assert.NotEmpty(window["outcomes"]!["send_lag_ns"]!);
    }

    [Theory, MemberData(nameof(Variants))]
    public void Each_client_makes_as_many_calls_as_it_is_told_and_each_command_is_answered(string bench, string variant)
    {
        using var pair = new Pair(bench, "--variant", variant, "--clients", "3", "--parallel", "4");
        pair.Begin();
        pair.Send(20, answers: 60);
        pair.End();
        pair.Send(2, answers: 66);
        var (client, server) = pair.Drain();
        var parts = Counted.PartsOf(client);
        Assert.All(parts, Record.AssertAddsUp);
        Assert.Equal([60, 6], parts.Select(part => (int)part["sent"]!));
        Assert.Equal(66, Record.Sum(parts, "received"));
        Assert.Equal(66, Record.Sum(Counted.PartsOf(server), "received"));
        Assert.Equal(66, Record.Sum(Counted.PartsOf(server), "sent"));
        var window = Counted.Window(pair.Measure(100).Client);
        Record.AssertAddsUp(window);
        Assert.True(Record.Sum(window, "completed") > 0);
        var filled = Record.Sum(window, "in_flight_ns", "idle_ns") / (double)Record.Sum(window, "elapsed_ns");
        Assert.InRange(filled, 12 * 0.999, 12 * 1.001);
        var (endOfClient, endOfServer) = pair.Close();
        Assert.Empty(endOfClient.WithCode(0).Error.Concat(endOfServer.WithCode(0).Error));
    }

    [Theory, MemberData(nameof(Encrypted))]
    public void Connections_are_encrypted_for_who_knows_the_certificate_alone(string bench, string variant)
    {
        var records = Lead(bench, variant, ["--security", "tls", .. load]);
        Assert.Matches("^[0-9a-f]{64}$", (string?)Record.Of(records, "server", "ready")["certificate_sha256"]);
        AssertSound(records);

        string[] bare = ["server", "--security", "tls", "--variant", variant];
        Assert.Contains("--security tls needs --certificate FILE", Bench.Run(bench, bare).WrongUsage());

        var (server, port) = Bench.StartServer(bench, [.. MadeCertificate.Shown, "--variant", variant]);
        using (server)
        {
            string[] client = ["client", "--port", port, "--variant", variant];
            string[] stranger = [.. client, .. MadeCertificate.Shown, "--certificate-sha256", new('0', 64)];
            var reason = (string?)Bench.Run(bench, stranger).Failure()["reason"];
            Assert.Contains("certificate is not the one", reason);
            // One that speaks no TLS.
            Bench.Run(bench, client).Failure();
            string[] friend = [.. client, .. MadeCertificate.Trusted, "--seconds", "1"];
            Assert.True(Record.Sum(Counted.ByHand(Bench.Run(bench, friend).WithCode(0).Records), "received") > 0);
        }
    }

    [Theory, MemberData(nameof(Variants))]
    public void A_server_that_dies_in_mid_call_ends_the_run_in_a_sentence(string bench, string variant)
    {
        using var scratch = new Scratch();
        var raw = scratch.PathOf("raw.jsonl");
        void KillServer(Command run) => Command.Send(Bench.ChildrenOf(run.Id)["server"], 9);
        var (ended, children) = Bench.EndInWindow(bench, raw, KillServer, "--variant", variant, "--parallel", "4");
        ended.WithCode(1).AssertNoStackTrace();
        Assert.Contains(Record.In(raw), record => (string?)record["kind"] == "failed");
        Assert.DoesNotContain(children.Values, Bench.IsRunning);
    }

    [Theory, MemberData(nameof(Variants))]
    public void A_name_that_does_not_resolve_and_a_port_that_nobody_serves_are_told(string bench, string variant)
    {
        string[] client = ["client", "--variant", variant];
        var error = Bench.Run(bench, [.. client, "--address", "no.such.host.invalid"]).Failure();
        Assert.Contains("does not resolve", (string?)error["reason"]);
        Bench.Run(bench, [.. client, "--port", Bench.FreePort()]).Failure();
    }

    static JObject[] Lead(string bench, string variant, params string[] flags)
    {
        var records = Bench.Lead(bench, ["--variant", variant, .. flags]).WithCode(0).Records;
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        return records;
    }

    static void AssertSound(JObject[] records, string bench, string variant, string work)
    {
        Assert.Equal(work, (string?)Record.Single(records, "launch")["settings"]!["work"]);
        var serializer = (string?)infos[bench][0]["variants"]![variant];
        foreach (var side in Measured.Sides)
        {
            Assert.Equal(serializer, (string?)Record.Of(records, side, "ready")["serializer"]);
        }
        Assert.True((long)Record.Of(records, "client", "ready")["hello_ns"]! > 0);
        AssertSound(records);
    }

    static void AssertSound(JObject[] records)
    {
        var slices = Record.Slices(records, "client");
        Assert.All(slices, Record.AssertAddsUp);
        Assert.True(Record.Sum(slices, "completed") > 10);
        Assert.Equal(0, Record.Sum(slices, "corrupt", "failed", "timed_out", "late_arrivals"));
        Assert.Equal(Record.Sum(slices, "sent"), Record.Sum(Record.Slices(records, "server"), "received"));
    }

    static JObject[] InfosOf(string bench)
    {
        using var command = Bench.Start(bench, "info", "--until-stdin-closes");
        var first = Record.Parse(command.LineWith("\"info\""));
        command.Write(string.Join('\n', NamesOf(first).Select(variant => $"--variant {variant} --security tls")));
        return command.Wait().WithCode(0).Records;
    }

    static string[] NamesOf(JObject info)
    {
        return [.. ((JObject)info["variants"]!).Properties().Select(variant => variant.Name)];
    }

    static string[] VariantsOf(string bench) => infos.TryGetValue(bench, out var all) ? NamesOf(all[0]) : [NotBuilt];

    static bool CanEncrypt(string bench, string variant)
    {
        var ofVariant = 1 + Array.IndexOf(NamesOf(infos[bench][0]), variant);
        return (string?)infos[bench][ofVariant]["refusal"] == null;
    }
}
