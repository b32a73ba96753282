using System.Diagnostics;

/// <summary>At a rate the schedule alone says when a message is sent. LossTests and StallTests hold that no slot, no
/// lost message and no slow answer holds one back.</summary>
[Collection(Measuring.Name)]
public sealed class OpenLoopTests
{
    [Theory]
    [InlineData("bench-udp", "stream", 2_000, "streamed")]
    [InlineData("bench-websocket", "sum", 500, "sent")]
    public void A_rate_is_kept_by_streams_and_calls(string bench, string work, int rate, string counted)
    {
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        using var pair = new Pair(bench, "--work", work, "--rate", $"{rate}", "--clients", "3");
        // So that all is compiled.
        pair.Measure(300);
        var window = Counted.Window(pair.Measure(600).Client);
        var due = rate * (double)window["elapsed_ns"]! / 1e9;
        // A stream stops for a moment where its socket is full, and what is then due is sent later.
        var tolerance = work == "stream" ? 0.05 * due : 5;
        Assert.InRange(Record.Sum(window, counted), due - tolerance, due + tolerance);
        Assert.Equal(0, Record.Sum(window, "not_sent"));
        // Of a stream nothing is answered that could tell.
        Assert.Equal(work != "stream", window["outcomes"]!["send_lag_ns"]!.Any());
    }

    [Fact]
    public void A_datagram_is_one_packet_of_its_payload_and_headers()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems tell less.");
        // What the runner reads, it reads a moment before and after the window, in which clients send as well:
        // so at a rate, of which a moment holds little.
        string[] load = ["--clients", "4", "--payload-bytes", "1000", "--payload", "ones", "--rate", "5000"];
        string[] words = ["dotnet", Tool.LeadPath, "run", "udp", .. load, "--warmup-seconds", "0", "--seconds", "1"];
        using var run = Command.Start("env", [.. OnItsOwnNetwork, .. words]);
        var records = run.Wait().WithCode(0).Records;
        // Nor of a content other than the usual.
        Assert.Equal(0, Record.Sum(Record.Slices(records, "client"), "corrupt", "foreign"));
        var window = Record.Slice(records, "client", "window");
        var outside = window["outside"]!;
        var rate = Record.Sum(window, "sent") / ((double)window["elapsed_ns"]! / 1e9);
        var sent = rate * (double)outside["elapsed_s"]!;
        Assert.InRange((double)outside["interface_sent_packets"]! / sent, 1.9, 2.2);
        const int packetBytes = 1000 + 28; // with the headers of IPv4 and UDP
        Assert.InRange((double)outside["interface_sent_bytes"]! / sent, 1.9 * packetBytes, 2.2 * packetBytes);
    }

    [Fact]
    public void After_a_rest_nothing_is_due_by_the_schedule_before_it()
    {
        using var pair = new Pair(Bench.Model, "--rate", "1000");
        LinesTests.AssertNothingIsSentBetweenADrainAndAStart(pair);
        pair.Start();
        pair.Until("sent", 10);
        pair.Drain();
        for (var tries = 0; tries < 5; tries++)
        {
            Thread.Sleep(500);
            var clock = Stopwatch.StartNew();
            pair.Start();
            var (client, _) = pair.Drain();
            Assert.InRange(Record.Sum(Counted.PartsOf(client), "sent"), 0, 1 + clock.ElapsedMilliseconds);
        }
        pair.Close();
    }

    // Plain TCP's profile tuned sends several together, but none waits for it. What all wait for the tenth that waits
    // least on a busy machine has waited for, too.
    [Fact]
    public void A_message_waits_for_no_other_to_be_sent_with()
    {
        Assert.SkipUnless(Bench.IsBuilt("bench-tcp"), "bench-tcp is not built.");
        string[] load = ["--rate", "200", "--clients", "2"];
        using var usual = new Pair("bench-tcp", load);
        using var tuned = new Pair("bench-tcp", ["--profile", "tuned", .. load]);
        double LeastNs(Pair pair) => Record.QuantileNs(Counted.Window(pair.Measure(400).Client), 0.1);

        // So that all is compiled.
        usual.Measure(300);
        tuned.Measure(300);
        Assert.InRange(LeastNs(tuned), 0, 2 * LeastNs(usual) + 500_000);
    }

    // Words that start others where nobody else sends over the interface that they use, if this system can.
    static string[] OnItsOwnNetwork
    {
        get
        {
            var canMake = Environment.IsPrivilegedProcess && Runner.Missing("unshare") == null
                && Runner.Missing("ip") == null;
            return canMake ? ["unshare", "--net", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"] : [];
        }
    }
}
