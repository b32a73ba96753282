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

    const string Any = "any";

    static readonly string document =
        string.Concat(new[] { "cli.md", "flags.md", "records.md" }.Select(page =>
            File.ReadAllText(Repo.PathOf("docs", page))));

    /// <summary>The field tables by heading, with the fields that every record has.</summary>
    public static readonly Dictionary<string, Field[]> Tables = [];

    /// <summary>The example line of each record.</summary>
    public static readonly Dictionary<string, string> Examples = [];

    static Contract()
    {
        foreach (var section in document.Split("\n### ").Skip(1))
        {
            var heading = section.Split('\n')[0].Trim();
            var fields = Rows(section).SelectMany(FieldsOf);
            if (Regex.Match(section, "```json\n(.+)\n```") is { Success: true } example)
            {
                Examples[heading] = example.Groups[1].Value;
                // What has an example is a record, and every record begins with these.
                fields = [new("v", "int"), new("record", "string"), new("run_id", "string"), .. fields];
            }
            Tables[heading] = [.. fields];
        }
        // They are the flags of a run, whose types are the programs' matter.
        Tables["settings"] =
            [.. SharedFlags.Concat(FlagsOfRun).Select(flag => new Field(flag.Name[2..].Replace('-', '_'), Any))];
    }

    // A row may name several fields of one type.
    static IEnumerable<Field> FieldsOf(string[] cells) =>
        cells[0].Split(", ").Select(name => new Field(name, cells[1]));

    /// <summary>The flags that every bench has.</summary>
    public static Flag[] Flags => FlagsIn(TablesOf("Flags of a bench")[0]);

    /// <summary>Those that `runner run` has besides.</summary>
    public static Flag[] FlagsOfRun => FlagsIn(TablesOf("Flags of runner run alone")[0]);

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

    // Which share of the clients it takes, what it shows and whom it trusts, a side is told by the runner.
    static readonly string[] ofSideAlone =
        ["--first-client", "--loss-timeout-ms", "--certificate", "--certificate-sha256"];

    /// <summary>The flags that a bench and a run share.</summary>
    public static Flag[] SharedFlags => [.. Flags.Where(flag => !ofSideAlone.Contains(flag.Name))];

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
        (_, Any) => true,
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

    static Flag[] FlagsIn(string[][] table) => [.. table.SelectMany(FlagsOfRow)];

    static IEnumerable<Flag> FlagsOfRow(string[] cells)
    {
        var names = Quoted(cells[0]);
        // A row of several flags has one default for all, or each its own.
        var defaults = cells[1].Split(", ");
        var values = cells[2];
        var range = Regex.Match(values, @"^(\d+(?:\.\d+)?) to (\d+)");
        string? least = null;
        string? most = null;
        if (range.Success)
        {
            least = values.Contains("; -1:") ? "-1" : range.Groups[1].Value;
            most = range.Groups[2].Value;
        }
        return names.Select((name, at) =>
        {
            var ofFlag = defaults.ElementAtOrDefault(at) ?? cells[1];
            return new Flag(name, ofFlag.Trim('`'), values, least, most);
        });
    }

    // The rows of the tables in a text, without the two lines of the first table's head.
    static IEnumerable<string[]> Rows(string section)
    {
        var lines = section.Split('\n').Where(line => line.StartsWith('|'));
        return lines.Skip(2).Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries));
    }

    static string[] Quoted(string text) =>
        [.. Regex.Matches(text, "`([^`]+)`").Select(match => match.Groups[1].Value)];
}
