using System.Text.RegularExpressions;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>One line of a file of records: a record, or what is wrong with the line.</summary>
sealed record Line(int Number, JObject? Record, string[] Faults);

/// <summary>Reads files of JSON lines.</summary>
static partial class RecordFile
{
    static readonly JsonLoadSettings strict = new()
    { DuplicatePropertyNameHandling = DuplicatePropertyNameHandling.Error };

    /// <summary>Every line of a file; a record is null where the line is none of CONTRACT.md.</summary>
    public static IEnumerable<Line> Read(string path) =>
        Lines(path).Select((line, index) => Parse(index + 1, line.Text, line.Torn));

    /// <summary>The records of one run, without reading the other lines' fields.</summary>
    public static IEnumerable<JObject> OfRun(string path, string runId) =>
        Lines(path).Where(line => line.Text.Contains(runId))
            .Select(line => Parse(0, line.Text, line.Torn).Record).OfType<JObject>()
            .Where(record => (string?)record["run_id"] == runId);

    /// <summary>False where the last line has no line end: whoever wrote it was cut off.</summary>
    public static bool EndsWhole(string path)
    {
        using var file = Open(path);
        if (file.Length == 0) return true;
        file.Seek(-1, SeekOrigin.End);
        return file.ReadByte() == '\n';
    }

    static IEnumerable<(string Text, bool Torn)> Lines(string path)
    {
        var endsWhole = EndsWhole(path);
        using var reader = new StreamReader(Open(path));
        var line = reader.ReadLine();
        while (line != null)
        {
            var next = reader.ReadLine();
            yield return (line, next == null && !endsWhole);
            line = next;
        }
    }

    static FileStream Open(string path)
    {
        try
        {
            return new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        }
        catch (Exception fault) when (fault is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new Failure($"There is no file '{path}'.", Program.WrongUsage);
        }
    }

    /// <summary>A line of records.</summary>
    public static Line Parse(int number, string text, bool torn)
    {
        try
        {
            // Newtonsoft also reads comments, single quotes and NaN, which are no JSON.
            using (System.Text.Json.JsonDocument.Parse(text)) { }
            using var reader = new JsonTextReader(new StringReader(text))
            { DateParseHandling = DateParseHandling.None };
            var record = JObject.Load(reader, strict);
            string[] faults = [.. Contract.Faults(record).Select(fault => Text.Plain(fault))];
            return new(number, faults.Length == 0 ? record : null, faults);
        }
        catch (Exception fault) when (fault is JsonException or System.Text.Json.JsonException)
        {
            return new(number, null, [torn ? "The last line is torn: it has no line end."
                : text.Trim().Length == 0 ? "The line is empty."
                : "The line is no JSON object: " + Text.Plain(Position().Replace(fault.Message, ""))]);
        }
    }

    // Where in the line, as either parser puts it; the line's own number is said already.
    [GeneratedRegex(@" (LineNumber:|Path ').*$")]
    private static partial Regex Position();
}
