using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

/// <summary>The certificate that sides on this machine show over TLS (ECDSA P-256, for localhost): a file that this
/// process makes when it is first asked for, and deletes as it ends.</summary>
static class Certificate
{
    static readonly Lazy<(string Path, string Sha256)> made = new(MakeTemporary);

    /// <summary>The file, PKCS #12 without a password, which only its owner may read.</summary>
    public static string Path => made.Value.Path;

    /// <summary>Its SHA-256, in hexadecimal: clients trust no other.</summary>
    public static string Sha256 => made.Value.Sha256;

    /// <summary>Makes one as a file; returns its SHA-256.</summary>
    public static string Make(string path)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        DateTimeOffset now = DateTimeOffset.UtcNow;
        using X509Certificate2 certificate = request.CreateSelfSigned(now.AddDays(-1), now.AddDays(30));
        byte[] bytes = certificate.Export(X509ContentType.Pkcs12);
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }
        try
        {
            using var file = new FileStream(path, options);
            file.Write(bytes);
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            throw new Failure($"The certificate cannot be written: {fault.Message}", Exit.WrongUsage);
        }
        return Convert.ToHexStringLower(SHA256.HashData(certificate.RawData));
    }

    static (string Path, string Sha256) MakeTemporary()
    {
        string path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"bench-{Guid.NewGuid():N}.pfx");
        string sha256 = Make(path);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => File.Delete(path);
        return (path, sha256);
    }
}
