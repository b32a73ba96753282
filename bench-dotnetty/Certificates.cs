using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

/// <summary>The certificates of TLS: a side shows the one in its --certificate, and clients trust only the one whose
/// SHA-256 is their --certificate-sha256.</summary>
static class Certificates
{
    /// <summary>The certificate that this side shows, with its key.</summary>
    public static X509Certificate2 Own(Settings settings)
    {
        if (settings.Certificate == "")
        {
            throw new Failure(
                "--security tls needs --certificate FILE (PKCS #12), which `runner certificate FILE` makes.",
                Program.WrongUsage);
        }
        try
        {
            return X509CertificateLoader.LoadPkcs12FromFile(settings.Certificate, password: null);
        }
        catch (Exception fault) when (fault is CryptographicException or IOException or UnauthorizedAccessException)
        {
            throw new Failure($"The certificate '{settings.Certificate}' cannot be read: {fault.Message}",
                Program.WrongUsage);
        }
    }

    /// <summary>Whether a client may trust the certificate that a server shows; throws where it may not.</summary>
    public static bool IsTrusted(X509Certificate? shown, Settings settings)
    {
        string? hash = shown?.GetCertHashString(HashAlgorithmName.SHA256);
        if (!string.Equals(hash, settings.CertificateSha256, StringComparison.OrdinalIgnoreCase))
        {
            throw new Failure("The server's certificate is not the one whose SHA-256 was given.");
        }
        return true;
    }
}
