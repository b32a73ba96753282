/// <summary>A run, or a side of it, that did not measure; a rate that is unknown, because its closed loop did not
/// measure; a bench that could not be built; or what a library cannot do, once per reason.</summary>
sealed record ErrorRecord : LibraryRecord
{
    /// <summary>`run`, `server`, `client`, `info` or `build`</summary>
    [OneOf("run", "server", "client", "info", "build")]
    public required string Side { get; init; }

    /// <summary>`failed`, `retried` (failed, and measured again when the sweep went on), `unsupported` (exit code 3) or
    /// `unavailable` (its package could not be restored, or the machine lacks what it needs)</summary>
    [OneOf("failed", "retried", "unsupported", "unavailable")]
    public required string Kind { get; init; }

    /// <summary>of the side or the run</summary>
    public required long ExitCode { get; init; }

    /// <summary>one sentence</summary>
    public required string Reason { get; init; }

    /// <summary>see [settings](#settings); null of `build` and where nothing was started</summary>
    public required LaunchSettings? Settings { get; init; }
}
