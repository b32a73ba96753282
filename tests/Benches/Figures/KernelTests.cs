using Newtonsoft.Json.Linq;

/// <summary>The records say what the operating system counted over the window.</summary>
[Collection(Measuring.Name)]
public sealed class KernelTests
{
    const int HeaderBytes = 28; // IPv4 and UDP

    static readonly string[] facts = ["context_switches", "udp_in_errors", "udp_rcvbuf_errors",
        "udp_sndbuf_errors", "interface_sent_bytes", "interface_sent_packets", "machine_cpu_s",
        "machine_steal_s"];

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Both_sides_tell_what_the_system_counted(string bench, string delivery)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems tell less.");
        var run = Measured.Of(bench, delivery);
        foreach (var cost in new[] { run.Client["cost"]!, run.Server["cost"]! })
        {
            Assert.All(facts, fact => Assert.InRange((double)cost[fact]!, 0, 1e12));
            Assert.Equal("lo", (string?)cost["interface"]);
            Assert.InRange((double)cost["interface_sent_packets"]!, 1, 1e9);
            // In hundredths of a second for each CPU, and read a moment apart.
            Assert.InRange((double)cost["machine_cpu_s"]! + 0.05 * Environment.ProcessorCount,
                (double)cost["cpu_user_s"]! + (double)cost["cpu_system_s"]!, 1e6);
        }
        Assert.InRange((double)run.Client["disconnect_s"]!, 1e-6, 5);
        Assert.InRange((long)run.Client["idle_passes"]!, 0, (long)run.Client["passes"]! - 1);
        var overTcp = bench is "bench-tcp" or "bench-netcoreserver" && delivery != "unreliable";
        Assert.InRange((long?)run.Server["receive_queue_peak_bytes"] ?? -1, overTcp ? -1 : 0, overTcp ? -1 : 1 << 24);
    }

    [Fact]
    public void A_datagram_is_one_packet_of_its_payload_and_headers()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems tell less.");
        var client = Bench.Run("bench-udp", "run", "--clients", "4", "--payload-bytes", "1000",
            "--warmup-seconds", "0.2", "--seconds", "1").WithCode(0).Records
            .Single(record => (string?)record["record"] == "client");
        var (sent, cost) = ((double)client["sent_window"]!, (JObject)client["cost"]!);
        Assert.InRange((double)cost["interface_sent_packets"]! / sent, 1.95, 2.2);
        Assert.InRange((double)cost["interface_sent_bytes"]! / sent, 1.95 * (1000 + HeaderBytes),
            2.2 * (1000 + HeaderBytes));
    }

    [Fact]
    public void Raw_times_are_those_of_the_histogram()
    {
        using var scratch = new Scratch();
        var file = scratch.PathOf("times.txt");
        var client = Bench.Run("bench-udp", ["run", "--raw-times", file, .. Bench.Short]).WithCode(0)
            .Records.Single(record => (string?)record["record"] == "client");
        var times = File.ReadLines(file).Select(long.Parse).ToArray();
        Assert.Equal((long)client["rtt_count"]!, times.Length);
        Assert.Equal((long)client["rtt_sum_ns"]!, times.Sum());
        Assert.Equal((long)client["rtt_min_ns"]!, times.Min());
        Assert.Equal((long)client["rtt_max_ns"]!, times.Max());
    }

    [Fact]
    public void A_file_of_raw_times_that_cannot_be_written_is_told_in_a_sentence()
    {
        var error = Bench.Run("bench-udp",
            ["run", "--raw-times", "/no/such/folder/t", .. Bench.Short]).Failure(4);
        Assert.StartsWith("'/no/such/folder/t' cannot be written", (string?)error["reason"]);
    }
}
