using System.Net.Security;
using System.Security.Authentication;
using Microsoft.AspNetCore.Server.Kestrel.Https;

/// <summary>How servers and clients use TLS 1.3.</summary>
static class TlsOptions
{
    /// <summary>Of a Kestrel server, which shows its certificate.</summary>
    public static HttpsConnectionAdapterOptions OfServer(Settings settings) => new()
    {
        ServerCertificate = Certificates.Own(settings),
        SslProtocols = SslProtocols.Tls13,
    };

    /// <summary>Of a client, which trusts that certificate alone.</summary>
    public static SslClientAuthenticationOptions OfClient(Settings settings) => new()
    {
        TargetHost = "localhost",
        EnabledSslProtocols = SslProtocols.Tls13,
        RemoteCertificateValidationCallback = (_, shown, _, _) => Certificates.IsTrusted(shown, settings),
    };
}
