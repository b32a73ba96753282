using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Where a verb's records go.</summary>
static class Records
{
    /// <summary>Appends them to a file, or writes them to stdout; returns the exit code.</summary>
    public static int Write(string? path, params JObject[] records)
    {
        if (path != null)
        {
            RecordFile.Append(path, records);
            return Exit.Done;
        }
        foreach (var record in records)
        {
            Console.WriteLine(record.ToString(Formatting.None));
        }
        return Exit.Done;
    }
}
