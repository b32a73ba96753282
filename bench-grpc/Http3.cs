using System.Net.Quic;
using System.Runtime.Versioning;

// Where .NET has QUIC.
[assembly: SupportedOSPlatform("linux")]
[assembly: SupportedOSPlatform("macos")]
[assembly: SupportedOSPlatform("windows")]

/// <summary>HTTP/3, HTTP over QUIC: .NET brings all that it takes but libmsquic.</summary>
static class Http3
{
    /// <summary>The variant of it.</summary>
    public const string Variant = "h3";

    /// <summary>The limit that settings of that variant break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        if (settings.Variant != Variant)
        {
            return null;
        }
        if (settings.Security != "tls")
        {
            return $"HTTP/3 is always encrypted: --variant {Variant} goes with --security tls.";
        }
        return IsSupported()
            ? null
            : "HTTP/3 is unavailable without libmsquic 2.2.2 or newer: on Debian install the package libmsquic of "
                + "Microsoft's repository (packages.microsoft.com), on Alpine call `apk add libmsquic`; Windows has it "
                + "from Windows 11 and Server 2022 on.";
    }

    // A libmsquic that is too old to be asked throws.
    static bool IsSupported()
    {
        try
        {
            return QuicListener.IsSupported;
        }
        catch (TypeInitializationException)
        {
            return false;
        }
    }
}
