using Newtonsoft.Json.Linq;

/// <summary>Where libraries cannot be interleaved they are measured one after another, and their records say why.
/// </summary>
public sealed class SeparatelyTests : IDisposable
{
    const string Both = "one/unreliable,two/unreliable";

    readonly Twins twins = new();

    public void Dispose() => twins.Dispose();

    [Fact]
    public void A_block_with_more_clients_than_ports_is_measured_separately()
    {
        var canUnshare = Environment.IsPrivilegedProcess && Runner.Find("unshare") != null;
        Assert.SkipUnless(canUnshare, "A network of its own needs root and unshare.");
        Ended Run(int clients)
        {
            File.Delete(twins.Raw);
            const string script = "ip link set lo up "
                + "&& echo '40001 40010' > /proc/sys/net/ipv4/ip_local_port_range "
                + "&& exec \"$@\"";
            string[] led = ["dotnet", .. twins.LedWords(Both, "--clients", $"{clients}")];
            using var run = Command.Start("unshare", ["-n", "sh", "-c", script, "sh", .. led]);
            return run.Wait().WithCode(0);
        }

        var fits = Run(4);
        Assert.Empty(fits.Error);
        const string Block = $"r1-unreliable-4x1-32-at-{Twins.Rate}";
        Assert.All(twins.Launches, launch => Assert.Equal(Block, (string?)launch["block"]));
        AssertSeparate(Run(6), "6 clients of 2 libraries at once need 12 ports of their own, and this machine has 10.");
    }

    [Fact]
    public void A_system_that_lets_no_process_stand_still_measures_separately()
    {
        var canGiveUp = Environment.IsPrivilegedProcess && Runner.Find("setpriv") != null;
        Assert.SkipUnless(canGiveUp, "Giving up rights needs root and setpriv.");
        // The sides are somebody else's, whom this runner may not signal, but read all files as before.
        const string toRead = "+dac_read_search,+dac_override";
        const string asElse = $"setpriv --reuid 65534 --clear-groups --inh-caps {toRead} --ambient-caps {toRead}";
        foreach (var name in Twins.Names)
        {
            twins.Add(name, $"exec {asElse}");
        }
        string[] words = ["--inh-caps", "-kill", "--bounding-set", "-kill", "dotnet", .. twins.LedWords(Both)];
        using var run = Command.Start("setpriv", words);
        var ended = run.Wait().WithCode(0);
        AssertSeparate(ended, "This system does not let a process stand still: Operation not permitted.");
        twins.AssertNoneLeft();
    }

    [Theory, InlineData("server"), InlineData("client")]
    public void A_window_lasts_from_when_both_sides_have_begun_it(string slow)
    {
        // The command that opens the window, and all behind it, comes late to one side.
        twins.Add("one", $"""
            while read -r line; do
                if [ "$1 $line" = "{slow} begin" ]; then sleep 0.5; fi
                echo "$line"
            done |
            """);
        twins.Run("one/unreliable", "--rounds", "0", "--warmup-seconds", "0").WithCode(0);
        foreach (var side in Measured.Sides)
        {
            var window = Record.Slice(twins.Records, side, "window");
            Assert.InRange((long)window["elapsed_ns"]!, 300_000_000, 2_000_000_000);
        }
    }

    void AssertSeparate(Ended ended, string because)
    {
        Assert.Equal($"Measured separately, one library after another: {because}", ended.Sentence());
        Assert.Equal(2, twins.Launches.Length);
        foreach (var launch in twins.Launches)
        {
            Assert.Equal(because, (string?)launch["separately_because"]);
            Assert.Null((string?)launch["block"]);
            Assert.Equal(JTokenType.Null, launch["rounds"]!.Type);
        }
        // Nothing is left of what was tried before.
        Assert.Equal(4, twins.Records.Count(record => Record.KindOf(record) == "ready"));
        Assert.Empty(twins.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
    }
}
