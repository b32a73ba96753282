using Newtonsoft.Json.Linq;

/// <summary>What a side of a bench has counted since its last drain: the parts of its records drain, closed and error,
/// of which the runner makes slices.</summary>
static class Counted
{
    static readonly string[] parts = ["window", "other"];

    // Fields of the answer to `drain`, but for its parts.
    static readonly string[] ofAnswer = ["v", "record", "library", "side"];

    // Fields of a slice that the runner adds.
    static readonly string[] ofRunner =
        ["v", "record", "run_id", "library", "side", "client_machine", "phase", "slice", "outside"];

    /// <summary>What was counted in the window, of which there must have been one.</summary>
    public static JObject Window(JObject record) => Assert.IsType<JObject>(record["window"]);

    /// <summary>What was counted at all other times.</summary>
    public static JObject Other(JObject record) => Assert.IsType<JObject>(record["other"]);

    /// <summary>Both, the window first, or the other alone where there was no window.</summary>
    public static JObject[] PartsOf(JObject record) => [.. parts.Select(part => record[part]).OfType<JObject>()];

    /// <summary>The same of several records.</summary>
    public static JObject[] PartsOf(IEnumerable<JObject> records) => [.. records.SelectMany(PartsOf)];

    /// <summary>What a side by hand has counted, all of which stands in the window of its last record.</summary>
    public static JObject ByHand(IEnumerable<JObject> records) => Window(Record.Single(records, "closed"));

    /// <summary>Asserts that led clients whose server was killed end well or in a sentence, and tell what they counted.
    /// </summary>
    public static void AssertToldWithoutServer(Command clients)
    {
        // They may have seen by now that it is gone.
        if (!clients.HasExited)
        {
            clients.CloseInput();
        }
        var ended = clients.Wait();
        ended.AssertNoStackTrace();
        var told = ended.ExitCode == 0 ? Record.Single(ended.Records, "closed") : ended.Failure();
        Assert.All(PartsOf(told), Record.AssertAddsUp);
        Assert.True(Record.Sum(PartsOf(told), "completed") > 10);
    }

    /// <summary>What in a bench's own record is not as docs/records.md says: fields that no table has and, of the
    /// parts, fields that are missing, too.</summary>
    public static string[] Faults(JObject record)
    {
        var rest = (JObject)record.DeepClone();
        Array.ForEach(parts, part => rest.Remove(part));
        // Answers to commands are not records that the runner keeps, so that no table has them.
        var isAnswer = !Contract.Tables.ContainsKey(Record.KindOf(rest));
        var faults = isAnswer ? rest.Properties().Select(field => field.Name).Except(ofAnswer) : Contract.Unknown(rest);
        var missing = ofRunner.Select(field => $"slice.{field} is missing");
        var ofParts = PartsOf(record).SelectMany(part => Contract.Faults(part, "slice")).Except(missing);
        return [.. faults, .. ofParts];
    }
}
