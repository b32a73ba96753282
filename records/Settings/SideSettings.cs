/// <summary>What the runner tells one side beside the settings of its launch.</summary>
sealed record SideSettings
{
    /// <summary>PKCS #12 file of the certificate that a side shows; the runner hands it on and deletes it</summary>
    [Setting("File of the certificate that a server shows. [default: none]", Pattern = ".", IsOfBench = true)]
    public required string? Certificate { get; init; }

    /// <summary>SHA-256 of the server's certificate, in hexadecimal; the runner hands it on</summary>
    [Setting("Of the server's certificate. [default: none]", Pattern = "^[0-9a-fA-F]{64}$", IsOfBench = true)]
    public required string? CertificateSha256 { get; init; }

    /// <summary>Number of the process's first client, among those of all client processes</summary>
    [Setting("The number of the first client.", Default = 0, Least = 0, Most = 99_999, IsOfBench = true)]
    public required int FirstClient { get; init; }

    /// <summary>Time after which a message that may get lost, or a call, is given up; 0: 1,000 ms, of calls
    /// 10,000</summary>
    [Setting("Milliseconds after which a message that may get lost is given up; 0: as is usual.", Default = 0,
        Least = 0, Most = 60_000, IsOfBench = true)]
    public required int LossTimeoutMs { get; init; }
}
