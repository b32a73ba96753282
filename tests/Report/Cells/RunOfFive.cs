using Newtonsoft.Json.Linq;

/// <summary>
/// A run of 5 udp clients, 1 in flight, on one client machine or on two; worked out by hand:
/// <code>
/// machine 1   2 clients, 20,000 answers in 1 s, each 100 µs [99,328 + 1,024 / 2, CPU 1 s, 20,000 B,  50 MiB
/// machine 2   3 clients, 20,000 answers in 2 s, each 300 µs [299,008 + 4,096 / 2, CPU 3 s, 60,000 B, 70 MiB
/// together    20,000 + 10,000 messages/s; p50 rank 20,000: 99.8 µs; p99 rank 39,600: 301 µs;
///             4 s / 40,000 = 100 µs; 80,000 / 40,000 = 2 B; 120 MiB; Little: (2 + 3) / 5 = 1
///             busiest 3 s / 2 s / 2 CPUs: 75 %; on the wire, which each of
///             the three records has a part of: 3 x 1,480 B / 40,000; switches 2 x 20,150 / 40,000
/// </code>
/// </summary>
public abstract class RunOfFive : OfReport
{
    /// <summary>How its rows begin.</summary>
    protected const string Name = "| udp (baseline) | 5 | 1 | ";

    const string Run = "r1-udp-unreliable-5x1-32";

    const int Each = 20_000; // answers to a client machine

    /// <summary>Renders the records and returns the page.</summary>
    protected string Render(JObject[] records)
    {
        MadeUp.Write(scratch.Folder, records);
        var ended = Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        Assert.DoesNotContain(ended.Error, line => line.StartsWith("Skipped"));
        return Pages.In(scratch.Folder);
    }

    /// <summary>The row of the cell, which stands before those of its shares.</summary>
    protected static string RowOf(string page) =>
        Made.WithoutSeparately(page.Split('\n').First(line => line.StartsWith(Name)));

    /// <summary>The run on two client machines.</summary>
    protected static JObject[] TwoMachines()
    {
        var records = Launch(2, 40_000);
        Set(records, 0, Clients(100_000, seconds: 1, cpuSeconds: 1, bytes: 20_000, mib: 50));
        Set(records, 1, Clients(300_000, seconds: 2, cpuSeconds: 3, bytes: 60_000, mib: 70));
        return records;
    }

    /// <summary>The run on one: 5 clients in 250 µs, 20,000 a second.</summary>
    protected static JObject[] OneMachine()
    {
        var records = Launch(1, 20_000);
        Set(records, 0, Clients(250_000, seconds: 1, cpuSeconds: 1, bytes: 20_000, mib: 50));
        return records;
    }

    /// <summary>Fields of one client machine alone.</summary>
    protected static void Set(JObject[] records, int machine, params (string Path, object? Value)[] fields) =>
        MadeUp.With([.. records.Where(record => (int?)record["client_machine"] == machine)], fields);

    static (string, object?)[] Clients(long rttNs, double seconds, double cpuSeconds, long bytes, long mib) =>
    [
        .. MadeUp.Answered(Each, rttNs).Where(field => field.Item1.StartsWith("client.")),
        ("client.window.elapsed_ns", MadeUp.Ns(seconds)),
        .. Made.Cpu("client", cpuSeconds, 0),
        ("client.window.allocated_bytes", bytes),
        ("client.window.outside.rss_peak_bytes", mib << 20),
    ];

    // All but what the clients of each machine measured.
    static JObject[] Launch(int machines, int received) => MadeUp.With(MadeUp.Run(Run, machines),
    [
        ("settings.delivery", "unreliable"),
        ("settings.clients", 5),
        ("settings.warmup_seconds", 0.0),
        ("settings.seconds", 1.0),
        ("server.window.received", received),
        ("server.window.sent", received),
        .. Made.Cpu("server", 2, 0),
        ("server.window.allocated_bytes", 40_000),
        ("server.window.outside.rss_peak_bytes", 60 << 20),
    ]);
}
