using Newtonsoft.Json.Linq;

/// <summary>In a broadcast each delivery is accounted for: what a network does to some of them is counted, exactly.
/// </summary>
[Collection(Measuring.Name)]
public sealed class BroadcastTests
{
    const int Clients = 10;
    const int Rate = 400;
    const int PayloadBytes = 64;
    // Of rooms of three the last has one client.
    const int DeliveriesInRoomsOfThree = 3 * 3 * 3 + 1;

    // The first messages are spared.
    static readonly Line whole = new(DelayMs: 1) { Spared = 4 * Clients };

    static readonly string[] load =
        ["--work", "broadcast", "--clients", $"{Clients}", "--payload-bytes", $"{PayloadBytes}"];

    [Fact]
    public void What_a_network_does_to_deliveries_is_counted()
    {
        var lossy = whole with
        {
            Loss = 0.02,
            Repeat = 0.02,
            Reorder = 0.02,
            ReorderMs = 40,
            Change = 0.03,
            Late = 0.01,
        };
        using var run = new ThroughRelay(Bench.Model, "unreliable", whole, lossy, [.. load, "--rate", $"{Rate}"]);
        var measured = run.Measure(800);
        JObject[] clients = [.. measured.Clients, .. run.Close().Clients];
        Way down = run.Relay.Down;
        long Sum(params string[] fields) => Record.Sum(clients, fields);

        Assert.All(clients, Record.AssertAddsUp);
        Assert.True(down.Dropped > 20 && down.Changed > 20 && down.Repeated > 20 && down.Late > 5);
        Assert.Equal(Clients * Sum("sent"), Sum("deliveries_due"));
        // What is late may come after the end.
        long most = Sum("deliveries_due") - down.Dropped - down.Changed + down.Repeated;
        Assert.InRange(Sum("deliveries"), most - down.Late, most);
        Assert.Equal(down.Changed, Sum("corrupt", "foreign"));
        Assert.InRange(Sum("late_arrivals"), 1, down.Late);
        Assert.True(Sum("lost") > 0 && Sum("corrupt") > 0);
    }

    [Fact]
    public void A_message_that_never_came_to_the_server_is_missing_at_all_of_its_room()
    {
        string[] rooms = [.. load, "--rate", $"{Rate}", "--room", "5"];
        using var run = new ThroughRelay(Bench.Model, "unreliable", whole with { Loss = 0.05 }, whole, rooms);
        JObject[] clients = [.. run.Measure(800).Clients, .. run.Close().Clients];
        Assert.True(run.Relay.Up.Dropped > 5);
        Assert.Equal(run.Relay.Up.Dropped, Record.Sum(clients, "lost"));
        var missing = Record.Sum(clients, "deliveries_due") - Record.Sum(clients, "deliveries");
        Assert.Equal(5 * run.Relay.Up.Dropped, missing);
    }

    [Fact]
    public void A_delivery_is_timed_from_when_its_message_was_due()
    {
        var far = whole with { DelayMs = 20 };
        using var run = new ThroughRelay(Bench.Model, "unreliable", far, far, [.. load, "--rate", "100"]);
        var window = run.Measure(600).Window["outcomes"]!;
        // By the lower bound of a bucket, which is less than 1 % below it.
        Assert.InRange(Median(window["delivery_ns"]!), 39.5e6, 60e6);
    }

    [Fact]
    public void Those_alone_who_share_a_room_hear_each_other_and_nothing_is_allocated_for_it()
    {
        using var pair = new Pair(Bench.Model, [.. load, "--room", "3"]);
        pair.Start();
        pair.Until("completed", 20_000);
        pair.Drain();
        var (client, server) = pair.Measure(500);
        var clients = Counted.PartsOf(client);
        var sent = Record.Sum(clients, "sent");
        Assert.True(sent > 1_000);
        Assert.Equal(sent, Record.Sum(clients, "received"));
        Assert.Equal(Record.Sum(clients, "deliveries_due"), Record.Sum(clients, "deliveries"));
        Assert.Equal(0, Record.Sum(clients, "foreign", "duplicates", "corrupt"));
        Assert.Equal(Record.Sum(clients, "deliveries"), Record.Sum(Counted.PartsOf(server), "sent"));
        // Clients send about as often as each other.
        Assert.InRange(
            (double)Record.Sum(clients, "deliveries") / sent, 1.5, (double)DeliveriesInRoomsOfThree / Clients + 0.1);
        // The least that .NET allocates for anything is 24 bytes.
        var window = Counted.Window(client);
        Assert.InRange((double)window["allocated_bytes"]! / Record.Sum(window, "deliveries"), 0, 8);
    }

    static double Median(JToken histogram)
    {
        var buckets = histogram.Select(bucket => ((long)bucket[0]!, (long)bucket[1]!)).ToArray();
        var left = buckets.Sum(bucket => bucket.Item2) / 2;
        return buckets.First(bucket => (left -= bucket.Item2) < 0).Item1;
    }
}
