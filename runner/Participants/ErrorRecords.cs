using Newtonsoft.Json.Linq;

/// <summary>Error records that no bench wrote.</summary>
static class ErrorRecords
{
    /// <summary>One that a side would write itself if it could.</summary>
    public static JObject OfSide(string library, string side, int exitCode, string reason) =>
        RecordFile.ToJson(new
        {
            V = Contract.Version,
            Record = "error",
            Library = library,
            Side = side,
            Kind = "failed",
            ExitCode = exitCode,
            Reason = Text.Plain(reason),
        });

    /// <summary>One; settings: null where nothing was to be started.</summary>
    public static JObject Of(
        string runId,
        string library,
        string side,
        string kind,
        int exitCode,
        string reason,
        JObject? settings = null) => RecordFile.ToJson(new
        {
            V = Contract.Version,
            Record = "error",
            RunId = runId,
            Library = library,
            Side = side,
            Kind = kind,
            ExitCode = exitCode,
            Reason = Text.Plain(reason),
            Settings = settings,
        });
}
