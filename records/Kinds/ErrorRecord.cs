/// <summary>A run, or one side of it, that did not measure, or whose rate could not be known (a percentage of a closed
/// loop that did not measure); a bench that could not be built; what a library cannot do, once a reason.</summary>
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

    /// <summary>see settings; null for build and where nothing was started</summary>
    public required LaunchSettings? Settings { get; init; }
}
