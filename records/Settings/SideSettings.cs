/// <summary>What the runner tells one side beside the settings of its launch.</summary>
sealed record SideSettings
{
    /// <summary>PKCS #12 file of the certificate that a side shows; the runner hands it on and deletes it</summary>
    [Setting("File of the certificate that a server shows. [default: none]", Pattern = ".", IsOfBench = true)]
    public required string? Certificate { get; init; }

    /// <summary>of the server's certificate, in hexadecimal; the runner hands it on</summary>
    [Setting("Of the server's certificate. [default: none]", Pattern = "^[0-9a-fA-F]{64}$", IsOfBench = true)]
    public required string? CertificateSha256 { get; init; }

    /// <summary>the share of the clients that this process takes</summary>
    [Setting("Which share of the clients.", Default = 0, Least = 0, Most = 63, IsOfBench = true)]
    public required int ClientMachine { get; init; }
}
