using System.Globalization;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>The tables and example lines of docs/cli.md, docs/flags.md and docs/records.md.</summary>
static class Contract
{
    /// <summary>A line of a field table.</summary>
    public sealed record Field(string Name, string Type);

    /// <summary>A line of the table of flags; least and most are null where it names no range.</summary>
    public sealed record Flag(string Name, string Default, string Values, string? Least, string? Most);

    static readonly string document = Read("cli.md") + Read("records.md");

    /// <summary>The field tables by heading, with the fields that several records have.</summary>
    public static readonly Dictionary<string, Field[]> Tables = [];

    /// <summary>The example line of each record.</summary>
    public static readonly Dictionary<string, string> Examples = [];

    // Each with who takes it.
    static readonly (Flag Flag, bool IsOfRun, bool IsOfBench)[] flags =
        [.. Rows(Read("flags.md")).Select(cells => (FlagOf(cells), IsOf(cells, "run"), IsOf(cells, "bench")))];

    static Contract()
    {
        var shared = Rows(Section("Records").Split("\n### ")[0]).ToArray();
        foreach (var section in document.Split("\n### ").Skip(1))
        {
            var heading = section.Split('\n')[0].Trim();
            var fields = Rows(section).SelectMany(FieldsOf);
            // What has an example is a record, and no part of one.
            if (Regex.Match(section, "```json\n(.+)\n```") is { Success: true } example)
            {
                Examples[heading] = example.Groups[1].Value;
                fields = shared.Where(cells => IsIn(heading, cells[2])).SelectMany(FieldsOf).Concat(fields);
            }
            Tables[heading] = [.. fields];
        }
        Tables["settings"] = [.. SharedFlags.Concat(FlagsOfRun).Select(FieldOf)];
    }

    // A row may name several fields of one type.
    static IEnumerable<Field> FieldsOf(string[] cells) =>
        cells[0].Split(", ").Select(name => new Field(name, cells[1]));

    // As the table of what several records have says it: all; all but one; or these.
    static bool IsIn(string record, string records) =>
        records.StartsWith("all") ? records != $"all but {record}" : records.Split(", ").Contains(record);

    // What is no number and no yes or no is a text; a number without a default may be null.
    static Field FieldOf(Flag flag)
    {
        var name = flag.Name[2..].Replace('-', '_');
        if (flag.Least != null)
        {
            return new(name, flag.Values.Split(' ')[0] + (flag.Default == "none" ? "?" : ""));
        }
        return new(name, flag.Values == "`yes`, `no`" ? "bool" : "string");
    }

    /// <summary>The flags that every bench has.</summary>
    public static Flag[] Flags => [.. flags.Where(flag => flag.IsOfBench).Select(flag => flag.Flag)];

    /// <summary>Those that `runner run` has besides.</summary>
    public static Flag[] FlagsOfRun =>
        [.. flags.Where(flag => flag.IsOfRun && !flag.IsOfBench).Select(flag => flag.Flag)];

    /// <summary>The flags that a bench and a run share.</summary>
    public static Flag[] SharedFlags =>
        [.. flags.Where(flag => flag.IsOfRun && flag.IsOfBench).Select(flag => flag.Flag)];

    /// <summary>Every flag of a bench that is named where its verbs and flags are told of.</summary>
    public static string[] NamedFlags
    {
        get
        {
            var ofTable = string.Concat(Flags.Select(flag => $"`{flag.Name}`"));
            var named = Regex.Matches(Section("Verbs of a bench") + ofTable, "`(--[a-z0-9-]+)");
            return [.. named.Select(match => match.Groups[1].Value).Distinct().Order()];
        }
    }

    /// <summary>Every flag that is named where the runner's verbs are told of.</summary>
    public static string[] FlagsNamedOfRunner
    {
        get
        {
            var named = Regex.Matches(Section("Verbs of the runner"), "`(--[a-z-]+)");
            return [.. named.Select(match => match.Groups[1].Value)];
        }
    }

    /// <summary>The delivery modes.</summary>
    public static string[] Deliveries => Quoted(Flags.Single(flag => flag.Name == "--delivery").Values);

    /// <summary>The verbs of a bench.</summary>
    public static string[] Verbs => [.. TablesOf("Verbs of a bench")[0].SelectMany(cells => Quoted(cells[0]))];

    /// <summary>The verbs of the runner.</summary>
    public static string[] VerbsOfRunner
    {
        get
        {
            var usages = TablesOf("Verbs of the runner")[0].SelectMany(cells => Quoted(cells[0].Split(" or ")[0]));
            return [.. usages.Select(usage => usage.Split(' ')[0])];
        }
    }

    /// <summary>The exit codes.</summary>
    public static int[] ExitCodes =>
        [.. Rows(Section("Streams and exit codes")).Select(cells => int.Parse(cells[0], CultureInfo.InvariantCulture))];

    /// <summary>Fields of a bench's own record that no table has; `library_file` is what the runner hashes.</summary>
    public static string[] Unknown(JObject given)
    {
        var faults = Faults(given, Record.KindOf(given)).Where(fault => !fault.EndsWith("is missing"));
        return [.. faults.Where(fault => !fault.EndsWith("library_file is unknown"))];
    }

    /// <summary>What in an object differs from its table, its parts included.</summary>
    public static string[] Faults(JObject given, string table)
    {
        var names = given.Properties().Select(property => property.Name).ToArray();
        var fields = Tables[table];
        var known = fields.Select(field => field.Name).ToArray();
        var misfits = fields.Where(field => names.Contains(field.Name) && !Fits(given[field.Name]!, field.Type));
        var parts = fields.Where(field => Tables.ContainsKey(field.Name));
        return
        [
            .. names.Except(known).Select(name => $"{table}.{name} is unknown"),
            .. known.Except(names).Select(name => $"{table}.{name} is missing"),
            .. misfits.Select(field => $"{table}.{field.Name} is no {field.Type}"),
            .. parts.SelectMany(field => given[field.Name] is JObject part ? Faults(part, field.Name) : []),
        ];
    }

    static bool Fits(JToken value, string type) => (value.Type, type.TrimEnd('?')) switch
    {
        (JTokenType.Null, _) => type.EndsWith('?'),
        (JTokenType.Integer, "int" or "number") => true,
        (JTokenType.Float, "number") => double.IsFinite((double)value),
        (JTokenType.String, "string") => true,
        (JTokenType.Boolean, "bool") => true,
        (JTokenType.Object, "object") => true,
        (JTokenType.Array, "list") => true,
        _ => false,
    };

    static string Section(string heading) =>
        document.Split("\n## ").Single(section => section.StartsWith(heading + "\n"));

    // The tables of a section, each with its rows, each of these with its cells.
    static string[][][] TablesOf(string heading)
    {
        var paragraphs = Section(heading)[(heading.Length + 1)..].Trim().Split("\n\n");
        var tables = paragraphs.Where(paragraph => paragraph.StartsWith('|'));
        return [.. tables.Select(table => Rows(table).ToArray())];
    }

    static bool IsOf(string[] cells, string taker) =>
        cells[1].StartsWith("all") || cells[1].Split(", ").Contains(taker);

    static Flag FlagOf(string[] cells)
    {
        var range = Regex.Match(cells[2], @"^(?:int|number) (\d+(?:\.\d+)?)–(\d+)$");
        var least = range.Success ? range.Groups[1].Value : null;
        // What is outside of the range, and has a meaning of its own.
        least = cells[4].Contains("; -1:") ? "-1" : least;
        var most = range.Success ? range.Groups[2].Value : null;
        var byHand = cells[3].Split("by hand ")[^1];
        return new(Quoted(cells[0])[0], byHand == "no" ? "false" : byHand, cells[2], least, most);
    }

    // The rows of the tables in a text, without the two lines of the first table's head.
    static IEnumerable<string[]> Rows(string section)
    {
        var lines = section.Split('\n').Where(line => line.StartsWith('|'));
        return lines.Skip(2).Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries));
    }

    static string[] Quoted(string text) =>
        [.. Regex.Matches(text, "`([^`]+)`").Select(match => match.Groups[1].Value)];

    static string Read(string page) => File.ReadAllText(Repo.PathOf("docs", page));
}
