/// <summary>QUIC needs a library of the system, and its variants are of different delivery modes.</summary>
public sealed class QuicTests
{
    const string Quic = "bench-quic";

    [Fact]
    public void Without_libmsquic_it_is_refused_in_a_sentence_that_says_how_to_get_it()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "This test hides a library as Linux finds it.");
        Assert.SkipUnless(Bench.IsBuilt(Quic), $"{Quic} is not built.");
        using var scratch = new Scratch();
        // Found before any other of the name.
        foreach (var name in new[] { "libmsquic.so.2", "libmsquic.so" })
        {
            File.WriteAllText(scratch.PathOf(name), "This is no library.");
        }
        Ended Run(string verb)
        {
            (string, string)[] hidden = [("LD_LIBRARY_PATH", scratch.Folder)];
            using var command = Command.StartIn(scratch.Folder, hidden, "dotnet", Bench.PathOf(Quic), verb);
            return command.Wait();
        }

        var refusal = (string)Run("info").WithCode(0).Records[0]["refusal"]!;
        Assert.All(["unavailable", "libmsquic", "Debian", "Alpine", "Windows"], word => Assert.Contains(word, refusal));
        foreach (var side in Measured.Sides)
        {
            Assert.Equal(refusal, (string?)Run(side).Failure(3)["reason"]);
        }
    }

    [Fact]
    public void Streams_of_their_own_are_of_the_mode_without_order_alone()
    {
        var reason = Bench.All.Single(row => row.Data == Quic).Skip;
        Assert.SkipWhen(reason != null, $"{reason}");
        string Refusal(string variant, string delivery) =>
            (string)Bench.Run(Quic, "server", "--variant", variant, "--delivery", delivery).Failure(3)["reason"]!;

        Assert.Contains("--variant streams", Refusal("default", "reliable-unordered"));
        Assert.Contains("--delivery reliable-unordered", Refusal("streams", "reliable-ordered"));
    }
}
