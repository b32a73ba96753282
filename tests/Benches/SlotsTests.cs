using System.Globalization;
using System.Text.RegularExpressions;

/// <summary>A slot, in which a message is in flight, takes as much of a bench's memory as the runner says; more of them
/// than memory holds are refused.</summary>
public sealed partial class SlotsTests
{
    // The most of each flag.
    const int Clients = 100_000;
    const int Parallel = 10_000;
    // With so many slots each a million.
    const int ClientsOfAMillion = 100;
    // What a process takes varies by a few MB from one time to the next.
    const int ToleranceBytes = 4;
    const int SlotBytes = 20;
    const string Tcp = "bench-tcp";

    static readonly Lazy<double?> slotBytes = new(SaidBytes);

    static readonly string[] most = ["--clients", $"{Clients}", "--parallel", $"{Parallel}"];

    [Fact]
    public void More_slots_than_memory_holds_are_refused_by_the_runner_with_the_figure()
    {
        Assert.SkipWhen(slotBytes.Value == null, "This machine holds them all.");
        Assert.Equal(SlotBytes, slotBytes.Value);
        // At a rate what is in flight is bounded, whatever the slots: it fails later.
        var atRate = Bench.Lead(Bench.Model, [.. most, "--rate", "1", "--address", "no-such-host.invalid"]).Failure();
        Assert.DoesNotMatch(Refusal(), (string)atRate["reason"]!);
    }

    [Fact]
    public void A_million_slots_are_counted_right_and_take_as_much_memory_as_the_runner_says()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test finds the memory of processes in /proc.");
        var (few, many) = (MemoryWith(1), MemoryWith(Parallel));
        var each = (double)(many - few) / (ClientsOfAMillion * (Parallel - 1));
        var said = slotBytes.Value ?? SlotBytes;
        Assert.InRange(each, said - ToleranceBytes, said + ToleranceBytes);
    }

    [Fact]
    public void All_slots_of_a_closed_loop_are_in_flight()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        Assert.SkipUnless(Bench.IsBuilt(Tcp), $"{Tcp} is not built.");
        const int inFlight = 100_000;
        using var pair = new Pair(Tcp, "--clients", "100", "--parallel", $"{inFlight / 100}");
        pair.Server.Freeze();
        pair.Start();
        pair.Until("sent", inFlight);
        for (var look = 0; look < 20; look++) // and no more
        {
            Assert.Equal(inFlight, Record.Sum(Counted.PartsOf(pair.Count()), "sent"));
        }
    }

    [Fact]
    public void At_a_rate_due_messages_beyond_the_bound_in_flight_are_counted_as_not_sent()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test stops a process by a signal.");
        const int mostInFlight = 65_536;
        const int rate = 1_000_000;
        // However slow the machine is, none is given up before so many are in flight.
        using var pair = new Pair(Bench.Model, "--rate", $"{rate}", "--loss-timeout-ms", "60000");
        pair.Server.Freeze(); // so that all stay in flight
        Pair.Ask(pair.Client, "begin");
        pair.Start();
        pair.Until("sent", mostInFlight);
        pair.Until("not_sent", 1);
        Pair.Ask(pair.Client, "end");
        pair.Client.CloseInput();
        var closed = Record.Single(pair.Client.Wait().WithCode(0).Records, "closed");
        var parts = Counted.PartsOf(closed);
        Assert.All(parts, Record.AssertAddsUp);
        Assert.Equal(0, Record.Sum(parts, "received"));
        Assert.True(Record.Sum(parts, "not_sent") > 0);
        Assert.Equal(mostInFlight, Record.Sum(parts, "unanswered"));
        Assert.Equal(mostInFlight, Record.Sum(parts, "sent"));
    }

    // When each client has sent a message, and all are answered.
    static long MemoryWith(int slotsEach)
    {
        using var pair = new Pair(
            Bench.Model, "--clients", $"{ClientsOfAMillion}", "--parallel", $"{slotsEach}");
        pair.Send(1, ClientsOfAMillion);
        var counted = Counted.Other(pair.Drain().Client);
        var memory = Bench.MostMemoryOf(pair.Client.Id);
        Record.AssertAddsUp(counted);
        Assert.Equal(ClientsOfAMillion, Record.Sum(counted, "sent"));
        return memory;
    }

    // That the runner reckons with; null where it does not refuse the most that its flags let through.
    static double? SaidBytes()
    {
        var mostBytes = 1.0 * SlotBytes * Clients * Parallel;
        if (GC.GetGCMemoryInfo().TotalAvailableMemoryBytes > mostBytes)
        {
            return null;
        }
        var refusal = (string)Bench.Lead(Bench.Model, most).Failure(3)["reason"]!;
        var said = Refusal().Match(refusal);
        Assert.True(said.Success, refusal);
        return 1e9 * double.Parse(said.Groups[1].Value, CultureInfo.InvariantCulture) / Clients / Parallel;
    }

    [GeneratedRegex(
        @"^100,000 x 10,000 messages in flight need (\d+\.\d) GB of memory, and this machine has \d+\.\d GB\.\z")]
    private static partial Regex Refusal();
}
