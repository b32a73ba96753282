/// <summary>The certificate of the tests in which sides speak TLS by hand: made once, and deleted as the tests end.
/// </summary>
static class MadeCertificate
{
    static readonly Lazy<(string Path, string Sha256)> made = new(Make);

    /// <summary>The file that it lies in.</summary>
    public static string Path => made.Value.Path;

    /// <summary>Its SHA-256.</summary>
    public static string Sha256 => made.Value.Sha256;

    /// <summary>Flags of a side that speaks TLS and shows it.</summary>
    public static string[] Shown => ["--security", "tls", "--certificate", Path];

    /// <summary>Flags of clients that trust no other.</summary>
    public static string[] Trusted => [.. Shown, "--certificate-sha256", Sha256];

    static (string Path, string Sha256) Make()
    {
        var path = Scratch.OfAllTests().PathOf("side.pfx");
        return (path, Assert.Single(Tool.Lead("certificate", path).WithCode(0).Out));
    }
}
