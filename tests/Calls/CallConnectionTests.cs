/// <summary>What befalls the connections of calls, which each library has its own files for.</summary>
public sealed class CallConnectionTests
{
    const string Work = "sum";

    // The server and its clients are led by hand; before it dies all that they call is answered and counted, of a work
    // that CallsTests does not try in this way.
    [Theory, MemberData(nameof(CallsTests.Ways), MemberType = typeof(CallsTests))]
    public void Clients_are_served_or_end_in_a_sentence_that_know_another_certificate_or_whose_server_dies(
        string bench, string variant)
    {
        string[] ofAll = ["--variant", variant, "--work", Work];
        var isEncrypted = CallsTests.CanEncrypt(bench, variant);
        var canGoBare = CallsTests.CanGoBare(bench, variant);
        string[] shown = isEncrypted ? MadeCertificate.Trusted : [];
        using var pair = new Pair(bench, [.. ofAll, .. shown, "--clients", "2", "--parallel", "4"]);
        if (isEncrypted)
        {
            MadeCertificate.AssertAreNotLetIn(bench, ["client", .. ofAll, "--port", pair.Port], canGoBare);
        }
        CallsTests.AssertAnswers(pair);
        pair.Start();
        pair.Until("completed", 11);
        pair.Server.Kill();
        Counted.AssertToldWithoutServer(pair.Client);
    }
}
