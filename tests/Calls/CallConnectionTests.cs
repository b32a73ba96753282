/// <summary>What befalls the connections of calls, which each library has its own files for.</summary>
public sealed class CallConnectionTests
{
    [Theory, MemberData(nameof(CallsTests.Ways), MemberType = typeof(CallsTests))]
    public void Clients_end_in_a_sentence_that_nobody_serves_or_that_know_another_certificate_or_whose_server_dies(
        string bench, string variant)
    {
        string[] client = ["client", "--variant", variant];
        using var alone = Bench.Start(bench, [.. client, "--port", Bench.FreePort()]);
        var isEncrypted = CallsTests.CanEncrypt(bench, variant);
        string[] shown = isEncrypted ? MadeCertificate.Shown : [];
        var (server, port) = Bench.StartServer(bench, [.. shown, "--variant", variant]);
        using (server)
        {
            client = [.. client, "--port", port];
            if (isEncrypted)
            {
                AssertAreNotLetIn(bench, client);
            }
            string[] known = isEncrypted ? MadeCertificate.Trusted : [];
            string[] words = [.. client, .. known, "--clients", "2", "--parallel", "4", "--until-stdin-closes"];
            using var served = Bench.Start(bench, words);
            served.LineWith("\"ready\"");
            Pair.Ask(served, "start");
            Command.Until(() => Record.Sum(Pair.Ask(served, "count"), "completed") > 10);
            server.Kill();
            Counted.AssertToldWithoutServer(served);
        }
        alone.Wait().Failure();
    }

    // One that trusts another certificate, and one that speaks no TLS.
    static void AssertAreNotLetIn(string bench, string[] client)
    {
        using var bare = Bench.Start(bench, client);
        string[] stranger = [.. client, .. MadeCertificate.Shown, "--certificate-sha256", new('0', 64)];
        var reason = (string?)Bench.Run(bench, stranger).Failure()["reason"];
        Assert.Contains("certificate is not the one", reason);
        bare.Wait().Failure();
    }
}
