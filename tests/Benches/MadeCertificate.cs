/// <summary>The certificate of the tests in which sides speak TLS by hand: made once, and deleted as the tests end.
/// </summary>
static class MadeCertificate
{
    /// <summary>What clients say that know another one.</summary>
    public const string NotTrusted = "The server's certificate is not the one whose SHA-256 was given.";

    static readonly Lazy<(string Path, string Sha256)> made = new(Make);

    /// <summary>The file that it lies in.</summary>
    public static string Path => made.Value.Path;

    /// <summary>Its SHA-256.</summary>
    public static string Sha256 => made.Value.Sha256;

    /// <summary>Flags of a side that speaks TLS and shows it.</summary>
    public static string[] Shown => ["--security", "tls", "--certificate", Path];

    /// <summary>Flags of clients that trust no other.</summary>
    public static string[] Trusted => [.. Shown, "--certificate-sha256", Sha256];

    /// <summary>Asserts that a server that shows it lets in no clients, started by these words, that trust another one
    /// and, where there are such, none that speak no TLS.</summary>
    public static void AssertAreNotLetIn(string bench, string[] client, bool canGoBare)
    {
        using var bare = canGoBare ? Bench.Start(bench, client) : null;
        string[] stranger = [.. client, .. Shown, "--certificate-sha256", new('0', 64)];
        Assert.Equal(NotTrusted, (string?)Bench.Run(bench, stranger).Failure()["reason"]);
        bare?.Wait().Failure();
    }

    static (string Path, string Sha256) Make()
    {
        var path = Scratch.OfAllTests().PathOf("side.pfx");
        return (path, Assert.Single(Tool.Lead("certificate", path).WithCode(0).Out));
    }
}
