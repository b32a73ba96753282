using System.Globalization;
using System.Text.RegularExpressions;

/// <summary>A lane, which is a message in flight, takes at most 64 bytes of a bench's own; more of them than memory holds are refused.</summary>
public sealed partial class LanesTests
{
    const int MostLaneBytes = 64, Clients = 100_000, Parallel = 10_000; // the most of each flag
    const int MillionClients = 100; // with so many lanes each a million

    public static IEnumerable<TheoryDataRow<string>> Built => Repo.Benches.Where(Bench.IsBuilt).Select(bench => new TheoryDataRow<string>(bench));

    [Theory, MemberData(nameof(Built))]
    public void More_lanes_than_memory_holds_are_refused_with_the_figure(string bench)
    {
        Assert.SkipWhen(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes > (long)MostLaneBytes * Clients * Parallel, "This machine holds them all.");
        var refusal = (string)Bench.Run(bench, "info", "--clients", $"{Clients}", "--parallel", $"{Parallel}").Records[0]["refusal"]!;
        var said = Refusal().Match(refusal);
        Assert.True(said.Success, refusal);
        Assert.InRange(1e9 * double.Parse(said.Groups[1].Value, CultureInfo.InvariantCulture) / Clients / Parallel, 1, MostLaneBytes);
        // At a rate what is in flight is bounded, whatever the lanes.
        Assert.DoesNotMatch(Refusal(), (string?)Bench.Run(bench, "info", "--clients", $"{Clients}", "--parallel", $"{Parallel}", "--rate", "1").Records[0]["refusal"] ?? "");
    }

    [Fact]
    public void A_million_lanes_are_counted_right_and_take_64_bytes_each_at_most()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test finds the memory of processes in /proc.");
        var (server, port) = Bench.StartServer(Bench.Model, "--clients", $"{MillionClients}");
        using (server)
        {
            var (few, many) = (MemoryOf(port, lanes: 1), MemoryOf(port, Parallel));
            Assert.InRange((many - few) / (MillionClients * (Parallel - 1)), 1, MostLaneBytes);
        }
    }

    [Theory]
    [InlineData(100, 1_000, 32, 100_000)]
    [InlineData(1_500, 3, 262_144, 2_048)] // half a GiB of payload
    public void All_lanes_are_in_flight_up_to_half_a_GiB_of_payload(int clients, int parallel, int payloadBytes, int inFlight)
    {
        Assert.SkipUnless(Bench.IsBuilt("bench-tcp"), "bench-tcp is not built.");
        string[] load = ["--clients", $"{clients}", "--parallel", $"{parallel}", "--payload-bytes", $"{payloadBytes}"];
        var (server, port) = Bench.StartServer("bench-tcp", [.. load, "--until-stdin-closes"]);
        using (server)
        {
            using var client = Bench.Start("bench-tcp", ["client", "--port", port, .. load, "--until-stdin-closes"]);
            client.LineWith("\"ready\"");
            server.Type("answer 0");
            client.Type("go");
            Command.Until(() => // and stays so
            {
                client.Type("count");
                return client.Lines.Count(line => line.Contains($"\"sent\":{inFlight},")) >= 20;
            }, 15);
        }
    }

    // When each client has sent a message, and all are answered.
    static long MemoryOf(string port, int lanes)
    {
        using var client = Bench.Start(Bench.Model, "client", "--port", port, "--clients", $"{MillionClients}", "--parallel", $"{lanes}", "--until-stdin-closes");
        client.LineWith("\"ready\"");
        client.Type("mark");
        client.Type("go 1");
        Command.Until(() =>
        {
            client.Type("count");
            return client.Lines.Any(line => line.Contains($"\"completed\":{MillionClients},"));
        }, 15);
        client.Type("rest");
        client.LineWith("\"slice\":1");
        var memory = Bench.MostMemoryOf(client.Id);
        client.CloseInput();
        var slices = Record.Slices(client.Wait().WithCode(0).Records, "client");
        Assert.All(slices, Record.AssertAddsUp);
        Assert.Equal(MillionClients, Record.Sum(slices, "sent"));
        return memory;
    }

    [GeneratedRegex(@"^100,000 x 10,000 lanes need (\d+\.\d) GB of memory, and this machine has \d+\.\d GB\.\z")]
    private static partial Regex Refusal();
}
