/// <summary>What befalls the connections of calls, which each library has its own files for.</summary>
public sealed class CallConnectionTests
{
    [Theory, MemberData(nameof(CallsTests.EncryptedWays), MemberType = typeof(CallsTests))]
    public void Connections_are_encrypted_for_who_knows_the_certificate_alone(string bench, string variant)
    {
        var (server, port) = Bench.StartServer(bench, [.. MadeCertificate.Shown, "--variant", variant]);
        using (server)
        {
            string[] client = ["client", "--port", port, "--variant", variant];
            // One that speaks no TLS.
            using var bare = Bench.Start(bench, client);
            string[] stranger = [.. client, .. MadeCertificate.Shown, "--certificate-sha256", new('0', 64)];
            var reason = (string?)Bench.Run(bench, stranger).Failure()["reason"];
            Assert.Contains("certificate is not the one", reason);
            bare.Wait().Failure();
            string[] friend = [.. client, .. MadeCertificate.Trusted, "--seconds", "1"];
            Assert.True(Record.Sum(Counted.ByHand(Bench.Run(bench, friend).WithCode(0).Records), "received") > 0);
        }
    }

    [Theory, MemberData(nameof(CallsTests.Ways), MemberType = typeof(CallsTests))]
    public void A_server_that_is_not_there_or_dies_in_mid_call_ends_the_run_in_a_sentence(string bench, string variant)
    {
        using var nobody = Bench.Start(bench, "client", "--variant", variant, "--port", Bench.FreePort());
        using var scratch = new Scratch();
        var raw = scratch.PathOf("raw.jsonl");
        void KillServer(Command run) => Command.Send(Bench.ChildrenOf(run.Id)["server"], 9);
        var (ended, children) = Bench.EndInWindow(bench, raw, KillServer, "--variant", variant, "--parallel", "4");
        ended.WithCode(1).AssertNoStackTrace();
        Assert.Contains(Record.In(raw), record => (string?)record["kind"] == "failed");
        Assert.DoesNotContain(children.Values, Bench.IsRunning);
        nobody.Wait().Failure();
    }
}
