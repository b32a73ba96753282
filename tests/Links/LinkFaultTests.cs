using System.Diagnostics;

/// <summary>What can go wrong with a link ends in a sentence, and nothing of a link is left behind. They measure
/// nothing, and no other tests make links meanwhile: see LinkTests.</summary>
public sealed class LinkFaultTests
{
    static readonly string[] words =
        ["run", "udp", "--rtt-ms", "20", "--rate", "500", "--warmup-seconds", "0.3", "--seconds", "5"];

    // The ids of the processes that are links of these tests.
    static int[] Links()
    {
        var ids = Process.GetProcessesByName("dotnet").Select(process => process.Id);
        return [.. ids.Where(id => WordsOf(id).Contains("runner.dll\0link\0--rtt-ms\020\0"))];
    }

    // Empty for a process that is gone.
    static string WordsOf(int process)
    {
        try
        {
            return File.ReadAllText($"/proc/{process}/cmdline");
        }
        catch (IOException)
        {
            return "";
        }
    }

    static Command Start(params string[] before)
    {
        Assert.SkipWhen(LinkTests.Missing != null, LinkTests.Missing ?? "");
        Assert.Empty(Links());
        string[] all = [.. before, "dotnet", Tool.LeadPath, .. words];
        return Command.Start(all[0], all[1..]);
    }

    static int LinkOf(Command run)
    {
        Command.Until(() => Links().Length == 1 || run.HasExited);
        return Links()[0];
    }

    [Fact]
    public void A_link_that_dies_fails_the_run_in_a_sentence()
    {
        using var run = Start();
        var link = LinkOf(run);
        run.LineWith("\"side\":\"client\"");
        // So long that the window is open.
        Thread.Sleep(1_000);
        Process.GetProcessById(link).Kill();
        Assert.Equal("The link ended before its time.", (string?)run.Wait().Failure()["reason"]);
    }

    [Fact]
    public void Nothing_is_left_of_a_run_that_is_killed()
    {
        using var run = Start();
        LinkOf(run);
        run.Kill();
        Command.Until(() => Links().Length == 0);
        var benches = Process.GetProcessesByName("bench-udp");
        Assert.DoesNotContain(benches, bench => WordsOf(bench.Id).Contains("10.77.0.2"));
    }

    [Fact]
    public void Who_is_not_root_makes_it_in_a_user_namespace()
    {
        var canGiveUp = Environment.IsPrivilegedProcess && Runner.Find("setpriv") != null;
        Assert.SkipUnless(canGiveUp, "Giving up rights needs root and setpriv.");
        var isForAll = OperatingSystem.IsLinux()
            && File.GetUnixFileMode("/dev/net/tun").HasFlag(UnixFileMode.OtherWrite);
        Assert.SkipUnless(isForAll, "/dev/net/tun is root's alone.");
        string[] asNobody = ["setpriv", "--reuid", "65534", "--clear-groups"];
        using var may = Command.Start(asNobody[0], [.. asNobody[1..], "test", "-r", Bench.PathOf("bench-udp")]);
        Assert.SkipUnless(may.Wait().ExitCode == 0, "Who is not root may not enter this folder.");
        using var run = Start(["env", "HOME=/tmp", .. asNobody]);
        Record.Single(run.Wait().WithCode(0).Records, "launch");
    }

    [Fact]
    public void Without_iproute2_the_library_is_unsupported_there()
    {
        Assert.SkipWhen(LinkTests.Missing != null, LinkTests.Missing ?? "");
        using var scratch = new Scratch();
        // All programs that a link needs but that one.
        foreach (var program in new[] { "dotnet", "nsenter", "unshare" })
        {
            var path = Runner.Find(program)!;
            var target = File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path;
            File.CreateSymbolicLink(scratch.PathOf(program), target);
        }
        (string, string)[] variables = [("PATH", scratch.Folder)];
        using var run = Command.StartIn(
            scratch.Folder, variables, Runner.Find("dotnet")!, [Tool.LeadPath, .. words]);
        Assert.Equal("Links need the program ip (iproute2).", (string?)run.Wait().Failure(3)["reason"]);
    }

    [Theory]
    [InlineData("--loss-percent is of a link, which needs its --rtt-ms.", "--loss-percent", "2")]
    [InlineData("--rtt-ms takes a number from 0 to 10000, not '-1'.", "--rtt-ms", "-1")]
    [InlineData("--loss-percent takes a number from 0 to 90, not '100'.", "--rtt-ms", "1", "--loss-percent", "100")]
    [InlineData("'1; reboot' is no value for --queue.", "--rtt-ms", "1", "--queue", "1; reboot")]
    [InlineData("--rtt-ms goes without --rounds", "--rtt-ms", "1", "--rounds", "5")]
    public void Impossible_links_are_wrong_usage(string sentence, params string[] flags) =>
        Assert.Contains(sentence, Tool.Lead(["run", "udp", .. flags]).WrongUsage());
}
