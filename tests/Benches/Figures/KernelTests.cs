using System.Net;
using System.Net.Sockets;
using Newtonsoft.Json.Linq;

/// <summary>The records say what the operating system counted over the window.</summary>
[Collection(Measured.Name)]
public sealed class KernelTests
{
    static readonly string[] facts =
    [
        "cpu_busiest_thread_s", "rss_peak_bytes", "threads", "context_switches",
        "udp_in_errors", "udp_rcvbuf_errors", "udp_sndbuf_errors",
        "interface_sent_bytes", "interface_sent_packets", "machine_cpu_s", "machine_steal_s",
    ];

    [Theory, MemberData(nameof(Bench.WithDeliveries), MemberType = typeof(Bench))]
    public void Both_sides_tell_what_the_system_counted(string bench, string delivery)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems tell less.");
        var run = Measured.Of(bench, delivery);
        foreach (var side in Measured.Sides)
        {
            var window = run.Slice(side, "window");
            var outside = window["outside"]!;
            Assert.All(facts, fact => Assert.InRange((double)outside[fact]!, 0, 1e12));
            Assert.Equal("lo", (string?)outside["interface"]);
            Assert.InRange((double)outside["interface_sent_packets"]!, 1, 1e9);
            // In hundredths of a second for each CPU, and read a moment apart.
            var cpuS = Record.Sum(window, "cpu_user_ns", "cpu_system_ns") / 1e9;
            Assert.InRange((double)outside["machine_cpu_s"]! + 0.05 * Environment.ProcessorCount, cpuS, 1e6);
            Assert.InRange((double)outside["cpu_busiest_thread_s"]!, 0, (double)outside["elapsed_s"]! + 0.05);
            var connectedBytes = (long)run.Slice(side, "connected")["rss_bytes"]!;
            Assert.InRange((long)outside["rss_peak_bytes"]!, connectedBytes, 1L << 30);
            var others = Record.Slices(run.Records, side).Where(slice => slice != window);
            Assert.All(others, slice => Assert.Equal(JTokenType.Null, slice["outside"]!.Type));
        }
        Assert.Equal(JTokenType.Null, run.Window["outside"]!["receive_queue_peak_bytes"]!.Type);
        var queued = (long?)run.Slice("server", "window")["outside"]!["receive_queue_peak_bytes"];
        // Only who receives datagrams at its port has it; of the baselines it is known who does.
        Assert.InRange(queued ?? 0, 0, 1 << 24);
        if (bench is "bench-udp" or "bench-tcp")
        {
            Assert.Equal(bench == "bench-udp", queued != null);
        }
    }

    [Fact]
    public void Datagrams_that_another_program_has_at_its_port_are_not_its_own()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems tell less.");
        Assert.SkipUnless(Bench.IsBuilt("bench-tcp"), "bench-tcp is not built.");
        var port = Bench.FreePort();
        using var other = new UdpClient(new IPEndPoint(IPAddress.Loopback, int.Parse(port)));
        var run = Bench.Lead("bench-tcp", [.. Bench.Short, "--port", port]).WithCode(0);
        var window = Record.Slice(run.Records, "server", "window");
        Assert.Equal(JTokenType.Null, window["outside"]!["receive_queue_peak_bytes"]!.Type);
    }
}
