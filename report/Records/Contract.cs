using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>The field tables of CONTRACT.md, which is embedded: the document is the schema.</summary>
static partial class Contract
{
    /// <summary>Version of the record format.</summary>
    public const int Version = 8;
    /// <summary>From this version on a window is followed by a drain, and what lies outside it is one phase.</summary>
    public const int TwoTallies = 8;
    public const int Oldest = 3;

    /// <summary>A line of a field table. Values: the only ones of a string, which are those that its
    /// meaning names in backticks. Since: records of older versions lack it.</summary>
    public sealed record Field(string Name, string Type, string[] Values, int Since = Oldest)
    {
        public bool Nullable => Type.EndsWith('?');
        public string Kind => Type.TrimEnd('?');
    }

    static readonly (string Part, string Field, object? Value)[] later =
    [
        ("settings", "work", "echo"),
        ("settings", "variant", "default"),
        ("settings", "security", "none"),
        ("outcomes", "failed", 0),
        ("outcomes", "timed_out", 0),
        ("settings", "rtt_ms", null),
        ("settings", "jitter_ms", 0.0),
        ("settings", "loss_percent", 0.0),
        ("settings", "loss_burst_packets", 1),
        ("settings", "rate_mbit", 0.0),
        ("settings", "queue", LinkSettings.Bdp),
    ];

    // Those of streams, which there were not.
    static readonly string[] ofStreams = ["streamed", "stream_corrupt", "stream_repeated", "stream_disordered"];

    static readonly string document = ReadDocument();
    static readonly Dictionary<string, Field[]> tables = [];
    static readonly Dictionary<string, HashSet<string>> names = [];
    static readonly HashSet<string> records = [];

    /// <summary>The delivery modes, in the order of the document.</summary>
    public static readonly string[] Deliveries = Quoted(
        document.Split('\n').First(line => line.StartsWith("| `--delivery`")).Split('|')[3]
    );

    /// <summary>The works, likewise.</summary>
    public static readonly string[] Works = Quoted(
        document.Split('\n').First(line => line.StartsWith("| `--work`")).Split('|')[3]
    );

    static Contract()
    {
        foreach (var section in document.Split("\n### ").Skip(1))
        {
            var name = section.Split('\n')[0].Trim();
            // A section with an example line is a record, one without is a part of records.
            var isRecord = section.Contains("```json");
            if (isRecord)
                records.Add(name);
            tables[name] =
            [
                .. isRecord
                    ? [new("v", "int", []), new("record", "string", []), new Field("run_id", "string", [])]
                    : Array.Empty<Field>(),
                .. Fields(section),
            ];
            names[name] = [.. tables[name].Select(field => field.Name)];
        }
    }

    /// <summary>A sound record with what older ones lack because there was nothing else then.</summary>
    public static JObject Completed(JObject record)
    {
        foreach (var (part, field, value) in later)
        {
            if (record[part] is JObject known && known[field] == null)
                known[field] = value == null ? JValue.CreateNull() : JToken.FromObject(value);
        }
        if ((string?)record["record"] == "slice")
        {
            foreach (var field in ofStreams.Where(field => record[field] == null))
                record[field] = 0;
        }
        return record;
    }

    /// <summary>The fields of a record or of a part of records.</summary>
    public static IReadOnlyList<Field> FieldsOf(string table) => tables[table];

    /// <summary>What is wrong with the fields of a record; empty when nothing is.</summary>
    public static IEnumerable<string> Faults(JObject record)
    {
        if (record["v"] is not { Type: JTokenType.Integer } v)
            return ["v is missing or no int."];
        if (v is not JValue { Value: long version and >= Oldest and <= Version })
            return [$"v is {v}, not {Oldest} to {Version}."];
        if (record["record"] is not { Type: JTokenType.String } name)
            return ["record is missing or no string."];
        return records.Contains((string)name!)
            ? Faults(record, (string)name!, "", (int)version)
            : [$"'{name}' is no record of CONTRACT.md."];
    }

    static IEnumerable<string> Faults(JObject given, string table, string path, int v)
    {
        foreach (var property in given.Properties())
        {
            if (!names[table].Contains(property.Name))
                yield return $"{path}{property.Name} is unknown.";
        }
        foreach (var field in tables[table])
        {
            var name = path + field.Name;
            var value = given[field.Name];
            if (v < field.Since)
            {
                if (value != null)
                    yield return $"{name} is unknown.";
            }
            else if (value == null)
            {
                yield return $"{name} is missing.";
            }
            else if (value.Type == JTokenType.Null && field.Nullable)
            {
                continue;
            }
            else if (!Fits(value, field))
            {
                yield return $"{name} is no {field.Kind}{(field.Nullable ? " or null" : "")}.";
            }
            else if (field.Values.Length > 0 && !field.Values.Contains((string)value!))
            {
                yield return $"{name} is '{value}', not {string.Join(" or ", field.Values)}.";
            }
            else if (value is JObject part && tables.ContainsKey(field.Name))
            {
                foreach (var fault in Faults(part, field.Name, name + ".", v))
                    yield return fault;
            }
        }
    }

    static bool Fits(JToken value, Field field) =>
        field.Kind switch
        {
            "int" => value is JValue { Value: long },
            "number" => value is JValue { Value: long }
                || value is JValue { Value: double number } && double.IsFinite(number),
            "string" => value.Type == JTokenType.String,
            "bool" => value.Type == JTokenType.Boolean,
            "object" => value is JObject part
                && (
                    tables.ContainsKey(field.Name)
                    || part.PropertyValues().All(entry => entry is JValue { Value: not null })
                ),
            "list" => value is JArray list
                && list.All(entry =>
                    entry.Type is JTokenType.String or JTokenType.Integer
                    || entry is JArray { Count: 2 } pair && pair.All(n => n is JValue { Value: long })
                ),
            var other => throw new Failure($"CONTRACT.md names a type '{other}' that report lacks."),
        };

    static IEnumerable<Field> Fields(string section) =>
        section
            .Split('\n')
            .Where(line => line.StartsWith('|'))
            .Skip(2)
            .Select(line => line.Split('|', StringSplitOptions.TrimEntries))
            .SelectMany(cells => cells[1].Split(", ").Select(name => OfType(name, cells[2].Split(", v"), cells[3])));

    static Field OfType(string name, string[] type, string meaning)
    {
        string[] words = [];
        if (name == "delivery")
            words = Deliveries;
        else if (type[0] == "string")
            words = Quoted(meaning);
        return new(name, type[0], words, type.Length > 1 ? int.Parse(type[1]) : Oldest);
    }

    static string[] Quoted(string text) => [.. Backticks().Matches(text).Select(match => match.Groups[1].Value)];

    static string ReadDocument()
    {
        using var stream = typeof(Contract).Assembly.GetManifestResourceStream("CONTRACT.md")!;
        return new StreamReader(stream).ReadToEnd().ReplaceLineEndings("\n");
    }

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Backticks();
}
