using Newtonsoft.Json.Linq;

/// <summary>What every record has.</summary>
abstract record AnyRecord
{
    JObject? json;

    /// <summary>version of the record format</summary>
    public required long V { get; init; }

    /// <summary>its kind</summary>
    public required string Record { get; init; }

    /// <summary>the run that it is of; of `machine` and `info` the sweep</summary>
    [ByRunner]
    public required string RunId { get; init; }

    /// <summary>All its fields by name, for whoever lists them; histograms are empty there.</summary>
    internal JObject Json => json ?? throw new InvalidOperationException("The record was not read from a file.");

    /// <summary>A sound object of a file of records as the record that it is.</summary>
    internal static AnyRecord Of(JObject json)
    {
        var record = (AnyRecord)json.ToObject(Contract.Kinds[(string)json["record"]!], RecordFile.SnakeCase)!;
        record.json = json;
        return record;
    }
}

/// <summary>What a record has that is of one library.</summary>
abstract record LibraryRecord : AnyRecord
{
    /// <summary>the library, as a sweep [names it](cli.md#versions-of-a-library)</summary>
    public required string Library { get; init; }
}

/// <summary>What a record has in which a bench tells of its library.</summary>
abstract record BenchRecord : LibraryRecord
{
    /// <summary>version of the library, as loaded</summary>
    public required string LibraryVersion { get; init; }

    /// <summary>hash of the library's file</summary>
    [ByRunner]
    public required string LibrarySha256 { get; init; }

    /// <summary>hash of all files of the executable</summary>
    [ByRunner]
    public required string BenchSha256 { get; init; }

    /// <summary>what a reader of the figures must know</summary>
    public required string? Note { get; init; }
}
