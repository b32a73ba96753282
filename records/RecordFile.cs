using System.IO.Compression;
using System.Text.RegularExpressions;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Newtonsoft.Json.Serialization;

/// <summary>One line of a file of records: a record, or what is wrong with the line.</summary>
sealed record Line(int Number, AnyRecord? Record, string[] Faults);

/// <summary>Reads files of JSON lines.</summary>
static partial class RecordFile
{
    // What brotli appends to the name of a file.
    const string Compressed = ".br";

    static readonly JsonLoadSettings strict = new()
    {
        DuplicatePropertyNameHandling = DuplicatePropertyNameHandling.Error,
    };

    // Names become snake_case; the variables' names in dotnet_environment stay.
    internal static readonly JsonSerializer SnakeCase = JsonSerializer.Create(
        new()
        {
            ContractResolver = new DefaultContractResolver
            {
                NamingStrategy = new SnakeCaseNamingStrategy { ProcessDictionaryKeys = false },
            },
            Converters = { new BucketsConverter() },
        }
    );

    /// <summary>The file of a sweep's records in its folder; where it was compressed, that.</summary>
    public static string In(string folder)
    {
        var plain = Path.Combine(folder, "raw.jsonl");
        return !File.Exists(plain) && File.Exists(plain + Compressed) ? plain + Compressed : plain;
    }

    /// <summary>An object as a record.</summary>
    public static JObject ToJson(object record) => JObject.FromObject(record, SnakeCase);

    /// <summary>What a bench says as the record, or the part of one, that it is; what it leaves to the runner is null
    /// or 0.</summary>
    public static T As<T>(JObject json) => json.ToObject<T>(SnakeCase)!;

    /// <summary>Every line of a file; a record is null where the line is none (docs/records.md). A file of another
    /// version is refused.</summary>
    public static IEnumerable<Line> Read(string path)
    {
        RefuseOtherVersion(path);
        return Lines(path).Select((line, index) => Parse(index + 1, line.Text, line.Torn));
    }

    /// <summary>Refuses a file whose first record is of another version, as then all of them are.</summary>
    public static void RefuseOtherVersion(string path)
    {
        if (
            Texts(path).FirstOrDefault() is { } first
            && FastParser.Record(first) is { } record
            && Contract.OtherVersion(record) is { } other
        )
        {
            throw new Failure($"{path}: {other}", Exit.WrongUsage);
        }
    }

    /// <summary>Refuses a file that is to have more records and is compressed.</summary>
    public static void RefuseCompressed(string path)
    {
        if (path.EndsWith(Compressed))
            throw new Failure($"'{path}' takes no more records: `brotli -d` it first.", Exit.WrongUsage);
    }

    /// <summary>Every line without histograms, for whoever waits until a sweep goes on.</summary>
    public static IEnumerable<Line> ReadRunsAlone(string path) =>
        Lines(path).Select((line, index) => Parse(index + 1, Histograms().Replace(line.Text, "$1[]"), line.Torn));

    /// <summary>The lines of a file as they are.</summary>
    public static IEnumerable<string> Texts(string path) => Lines(path).Select(line => line.Text);

    /// <summary>The records of a kind in whose lines a part occurs, without reading the other lines' fields.</summary>
    public static IEnumerable<T> OfKind<T>(string path, string part = "")
        where T : AnyRecord
    {
        string quoted = $"\"{Contract.Kinds.Single(kind => kind.Value == typeof(T)).Key}\"";
        return Lines(path)
            .Where(line => line.Text.Contains(quoted) && line.Text.Contains(part))
            .Select(line => Parse(0, line.Text, line.Torn).Record)
            .OfType<T>();
    }

    /// <summary>The records, without histograms, of the runs in whose ids this occurs.</summary>
    public static IEnumerable<AnyRecord> OfRuns(string path, string part) =>
        Lines(path)
            .Where(line => line.Text.Contains(part))
            .Select(line => Parse(0, Histograms().Replace(line.Text, "$1[]"), line.Torn).Record)
            .OfType<AnyRecord>()
            .Where(record => record.RunId.Contains(part));

    /// <summary>False where the last line has no line end: whoever wrote it was cut off.</summary>
    public static bool EndsWhole(string path)
    {
        // Nothing is appended to what is compressed.
        if (path.EndsWith(Compressed))
            return true;
        using var file = Open(path);
        if (file.Length == 0)
            return true;
        file.Seek(-1, SeekOrigin.End);
        return file.ReadByte() == '\n';
    }

    /// <summary>A new file of lines.</summary>
    public static StreamWriter Create(string path) => new(File.Create(path)) { NewLine = "\n" };

    /// <summary>A file that lines are appended to.</summary>
    public static StreamWriter Append(string path)
    {
        // A line that a run left torn must not swallow the next one.
        var isTorn = File.Exists(path) && !EndsWhole(path);
        var file = new StreamWriter(path, append: true) { NewLine = "\n" };
        if (isTorn)
            file.WriteLine();
        return file;
    }

    /// <summary>Appends records.</summary>
    public static void Append(string path, IEnumerable<JObject> records)
    {
        using var file = Append(path);
        foreach (var record in records)
            file.WriteLine(record.ToString(Formatting.None));
    }

    /// <summary>Brings all that was written to the disk, so that a rename cannot come before it.</summary>
    public static void Flush(StreamWriter file)
    {
        file.Flush();
        ((FileStream)file.BaseStream).Flush(flushToDisk: true);
    }

    static IEnumerable<(string Text, bool Torn)> Lines(string path)
    {
        var endsWhole = EndsWhole(path);
        using Stream file = path.EndsWith(Compressed)
            ? new BrotliStream(Open(path), CompressionMode.Decompress)
            : Open(path);
        using var reader = new StreamReader(file);
        var line = Next(reader, path);
        while (line != null)
        {
            var next = Next(reader, path);
            yield return (line, next == null && !endsWhole);
            line = next;
        }
    }

    static string? Next(StreamReader reader, string path)
    {
        try
        {
            return reader.ReadLine();
        }
        catch (Exception fault) when (fault is InvalidDataException or InvalidOperationException)
        {
            throw new Failure($"'{path}' is not whole, or was not compressed by brotli.", Exit.WrongUsage);
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
            throw new Failure($"There is no file '{path}'.", Exit.WrongUsage);
        }
        catch (Exception fault) when (fault is UnauthorizedAccessException or IOException)
        {
            throw new Failure(fault.Message, Exit.WrongUsage);
        }
    }

    /// <summary>A line of records.</summary>
    public static Line Parse(int number, string text, bool torn)
    {
        if (FastParser.Record(text) is { } sound && !Contract.Faults(sound).Any())
        {
            return new(number, AnyRecord.Of(sound), []);
        }
        try
        {
            // Newtonsoft also reads comments, single quotes and NaN, which are no JSON.
            using (System.Text.Json.JsonDocument.Parse(text))
            { }
            using var reader = new JsonTextReader(new StringReader(text))
            {
                DateParseHandling = DateParseHandling.None,
            };
            var record = JObject.Load(reader, strict);
            string[] faults = [.. Contract.Faults(record).Select(fault => Text.Plain(fault))];
            return new(number, faults.Length == 0 ? AnyRecord.Of(record) : null, faults);
        }
        catch (Exception fault) when (fault is JsonException or System.Text.Json.JsonException)
        {
            var why = "The line is no JSON object: " + Text.Plain(Position().Replace(fault.Message, ""));
            if (torn)
                why = "The last line is torn: it has no line end.";
            else if (text.Trim().Length == 0)
                why = "The line is empty.";
            return new(number, null, [why]);
        }
    }

    [GeneratedRegex(@"(""(rtt|send_lag|delivery)_ns"":)\[[\[\],0-9]*\]")]
    private static partial Regex Histograms();

    // Where in the line, as either parser puts it; the line's own number is said already.
    [GeneratedRegex(@" (LineNumber:|Path ').*$")]
    private static partial Regex Position();
}
