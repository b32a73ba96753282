/// <summary>The last record of a side that ended well.</summary>
sealed record ClosedRecord : LibraryRecord
{
    /// <summary>`server` or `client`</summary>
    [OneOf("server", "client")]
    public required string Side { get; init; }

    /// <summary>as in ready</summary>
    [ByRunner]
    public required long? ClientMachine { get; init; }

    /// <summary>time to close all connections; null of a server</summary>
    public required double? DisconnectS { get; init; }
}
