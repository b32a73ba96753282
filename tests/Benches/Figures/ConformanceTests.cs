using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>Every bench measures and accounts as docs/records.md says, in each delivery mode.</summary>
[Collection(Measured.Name)]
public sealed class ConformanceTests
{
    const int Clients = 2;

    static readonly string[] phases = ["connected", "rounds", "window", "other", "end"];

    [Fact]
    public void A_block_ends_well_and_its_records_are_appended_to_the_file_even_behind_a_torn_line()
    {
        var block = Measured.Block;
        block.AssertAllLaunched();
        Assert.Equal(Measured.Torn, Measured.FirstLine);
        // For whoever looks on, a line per launch.
        var told = block.Told.Where(line => !line.Contains(": failed: ")).ToArray();
        Assert.Equal(block.Records.Count(record => Record.KindOf(record) == "launch"), told.Length);
        Assert.All(told, line => Assert.Matches(@"^  \S+ [^:]+: [\d,.]+ msg/s  p99 ", line));
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Both_sides_write_their_records_in_the_order_of_the_phases(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        Assert.Equal("ready", Record.KindOf(run.Records[0]));
        Assert.Equal("launch", Record.KindOf(run.Records[^1]));
        string[] expected = ["ready", .. phases.Select(_ => "slice"), "closed"];
        foreach (var side in Measured.Sides)
        {
            var own = run.Records.Where(record => (string?)record["side"] == side);
            Assert.Equal(expected, own.Select(Record.KindOf));
            Assert.NotEmpty((string)run.Ready(side)["library_version"]!);
        }
        Assert.All(run.Records, record => Assert.StartsWith("a_run.of-2-", (string?)record["run_id"]));
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Every_record_has_the_fields_of_the_contract(string bench, string delivery)
    {
        var records = Measured.Of(bench, delivery).Records;
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))).Distinct());
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Every_sent_message_ends_in_exactly_one_way(string bench, string delivery)
    {
        var clients = Measured.Of(bench, delivery).Clients;
        Assert.All(clients, Record.AssertAddsUp);
        Assert.Equal(Record.Sum(clients, "received"), Record.Sum(clients, "completed"));
        Assert.Equal(0, Record.Sum(clients, "unanswered", "not_sent"));
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Messages_come_back_once_and_whole_and_none_that_is_reliable_is_lost(string bench, string delivery)
    {
        var clients = Measured.Of(bench, delivery).Clients;
        Assert.Equal(0, Record.Sum(clients, "corrupt", "foreign", "duplicates"));
        if (delivery != "unreliable")
        {
            Assert.Equal(0, Record.Sum(clients, "lost", "unanswered", "late_arrivals"));
        }
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void The_server_received_what_the_clients_sent(string bench, string delivery)
    {
        var clients = Measured.Of(bench, delivery).Clients;
        var servers = Measured.Of(bench, delivery).Servers;
        var sent = Record.Sum(clients, "sent");
        var received = Record.Sum(servers, "received");
        Assert.InRange(received, delivery == "unreliable" ? 1 : sent, sent);
        Assert.InRange(Record.Sum(servers, "sent"), Record.Sum(clients, "received"), received);
        Assert.True(Record.Sum(Measured.Of(bench, delivery).Slice("server", "window"), "received") > 0);
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Slices_follow_each_other_and_but_for_connecting_nothing_is_sent_before_the_rounds_or_at_the_end(
        string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        foreach (var slices in new[] { run.Clients, run.Servers })
        {
            Assert.Equal(phases, slices.Select(slice => (string?)slice["phase"]));
            Assert.Equal([0, 1, 2, 3, 4], slices.Select(slice => (int)slice["slice"]!));
            // By its first message each client connects.
            Assert.True(Record.Sum(slices[0], "received") >= Clients);
            Assert.Equal(0, Record.Sum(slices[^1], "sent", "received"));
        }
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void The_window_is_as_long_as_asked(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        foreach (var side in Measured.Sides)
        {
            var window = run.Slice(side, "window");
            // What is read from outside is read before it begins and after it ends; a busy side begins or ends late.
            var outsideS = (double)window["outside"]!["elapsed_s"]!;
            Assert.InRange(outsideS, 0.1, 15);
            Assert.InRange((double)window["elapsed_ns"]! / 1e9, 0.03, Math.Min(outsideS + 5, 15));
        }
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Round_trips_lie_within_the_time_that_there_was(string bench, string delivery)
    {
        var window = Measured.Of(bench, delivery).Window;
        var outcomes = window["outcomes"]!;
        var least = (long)outcomes["rtt_ns"]!.First![0]!;
        var most = (long)outcomes["rtt_ns"]!.Last![0]!;
        Assert.InRange(least, 1_000, most);
        Assert.InRange(most, least, 6_000_000_000); // the window, and the drain of reliable modes
        var mean = (double)outcomes["rtt_sum_ns"]! / Record.Sum(window, "received");
        Assert.InRange(mean, least, most + HistogramTests.Width(most));
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Both_sides_tell_their_memory_when_all_clients_are_connected(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        foreach (var side in Measured.Sides)
        {
            Assert.InRange((long)run.Slice(side, "connected")["rss_bytes"]!, 10 << 20, 1L << 30);
        }
    }

    // A bench whose server confirms waits two seconds for it before it gives up.
    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void The_connections_are_closed_and_the_server_knows(string bench, string delivery)
    {
        Measured.Check(bench, delivery, run =>
        {
            var closed = Record.Of(run.Records, "client", "closed");
            Assert.InRange((double)closed["disconnect_s"]!, 0, 1.5);
        });
    }

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Settings_echo_the_flags(string bench, string delivery)
    {
        var run = Measured.Of(bench, delivery);
        var flags = Contract.Flags.Concat(Contract.FlagsOfRun);
        var expected = flags.ToDictionary(flag => flag.Name, flag => flag.Default);
        foreach (var flag in Measured.Flags.Chunk(2))
        {
            expected[flag[0]] = flag[1];
        }
        // Each of a block has its own.
        expected["--run-id"] = (string)run.Launch["run_id"]!;
        expected["--work"] = "echo";
        expected["--delivery"] = delivery;
        expected["--variant"] = "default";
        expected["--certificate-sha256"] = "";
        expected["--rtt-ms"] = "";
        expected["--port"] = (string)run.Ready("server")["flags"]!["port"]!;
        // A file stands in no record, and what a side alone is told in none of the run.
        var ofRun = Contract.SharedFlags.Concat(Contract.FlagsOfRun).Select(flag => flag.Name);
        AssertEcho(ofRun, (JObject)run.Launch["settings"]!);
        var ofSide = Contract.Flags.Select(flag => flag.Name).Where(name => name != "--certificate");
        foreach (var side in Measured.Sides)
        {
            AssertEcho(ofSide, (JObject)run.Ready(side)["flags"]!);
        }

        void AssertEcho(IEnumerable<string> names, JObject echo)
        {
            var wanted = names.Select(name => (name[2..].Replace('-', '_'), Plain(expected[name])));
            var shown = echo.Properties().Select(setting => (setting.Name, Plain(TextOf(setting))));
            Assert.Equal(wanted.Order(), shown.Order());
        }
    }

    [Fact]
    public void The_report_tool_finds_no_fault_in_the_records_and_shows_their_percentiles()
    {
        Assert.SkipUnless(Tool.IsBuilt, "report is not built.");
        using var scratch = new Scratch();
        File.WriteAllLines(scratch.PathOf("raw.jsonl"), Measured.Block.Lines);
        Tool.Run("check", scratch.PathOf("raw.jsonl")).WithCode(0);
        Tool.Run("render", scratch.Folder).WithCode(0);
        var lines = Pages.In(scratch.Folder).Split('\n').Where(line => line.StartsWith('|'));
        string[][] rows = [.. lines.Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries))];
        // Of the first delivery mode, one row each.
        var head = Array.FindIndex(rows, row => row.Contains("p50 µs") && row.Contains("p99.9 µs"));
        var columns = rows[head];
        var shown = rows[(head + 2)..].TakeWhile(row => row.Length == columns.Length);
        foreach (var bench in Bench.All.Where(row => row.Skip == null).Select(row => row.Data))
        {
            var library = Bench.LibraryOf(bench);
            var row = shown.FirstOrDefault(row => row[0] == library || row[0] == $"{library} (baseline)");
            if (row != null)
            {
                AssertShows(columns, row, Measured.Of(bench, "reliable-ordered").Window);
            }
        }
        Assert.Contains(shown, row => row[0].StartsWith("tcp") && row[Array.IndexOf(columns, "p50 µs")] != "n/a");
    }

    // What too few messages tell of, as on a busy machine, is not shown.
    static void AssertShows(string[] columns, string[] row, JObject window)
    {
        foreach (var (column, quantile) in new[] { ("p50 µs", 0.5), ("p99 µs", 0.99), ("p99.9 µs", 0.999) })
        {
            var cell = row[Array.IndexOf(columns, column)];
            if (cell != "n/a")
            {
                var shownNs = 1000 * double.Parse(cell, CultureInfo.InvariantCulture);
                var ns = Record.QuantileNs(window, quantile);
                // It shows three digits.
                Assert.InRange(shownNs, ns * 0.995, ns * 1.005);
            }
        }
    }

    [Theory, MemberData(nameof(Measured.Encrypted), MemberType = typeof(Measured))]
    public void Echoes_over_TLS_are_encrypted_and_whole(string bench)
    {
        var run = Measured.Of(Measured.OverTls(bench));
        Assert.Matches("^[0-9a-f]{64}$", (string?)run.Ready("server")["certificate_sha256"]);
        AssertNothingIsLost(run);
    }

    [Theory, MemberData(nameof(Measured.OtherVariants), MemberType = typeof(Measured))]
    public void Another_variant_echoes_as_the_first_does(string bench, string variant)
    {
        var run = Measured.Of(Measured.OfVariant(bench, variant));
        Assert.Equal(variant, (string?)run.Launch["settings"]!["variant"]);
        AssertNothingIsLost(run);
    }

    [Theory, MemberData(nameof(Measured.Tuned), MemberType = typeof(Measured))]
    public void A_tuned_library_names_each_knob_on_both_sides(string bench)
    {
        var run = Measured.Of(Measured.WithKnobs(bench));
        Assert.All(run.Clients, Record.AssertAddsUp);
        Assert.True(Record.Sum(run.Window, "received") > 0);
        JObject[] ready = [.. Measured.Sides.Select(run.Ready)];
        Assert.NotEmpty((JObject)ready[0]["tuning"]!);
        Assert.True(JToken.DeepEquals(ready[0]["tuning"], ready[1]["tuning"]));
        Assert.All(ready, side => Assert.Equal("tuned", (string?)side["flags"]!["profile"]));
        Assert.Equal("tuned", (string?)run.Launch["settings"]!["profile"]);
    }

    static void AssertNothingIsLost(Measured run)
    {
        Assert.All(run.Clients, Record.AssertAddsUp);
        var sent = Record.Sum(run.Clients, "sent");
        Assert.True(sent > 10);
        Assert.Equal(sent, Record.Sum(run.Servers, "received"));
        Assert.Equal(0, Record.Sum(run.Clients, "corrupt", "foreign", "lost", "late_arrivals"));
    }

    static string TextOf(JProperty setting) => ((JValue)setting.Value).ToString(CultureInfo.InvariantCulture);

    // 3 and 3.0 are the same, and so are true and True.
    static string Plain(string value)
    {
        if (double.TryParse(value, CultureInfo.InvariantCulture, out var number))
        {
            return $"{number}";
        }
        return bool.TryParse(value, out var yes) ? $"{yes}" : value;
    }
}
