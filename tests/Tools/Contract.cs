using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>The tables and example lines of CONTRACT.md.</summary>
static class Contract
{
    /// <summary>A line of a field table.</summary>
    public sealed record Field(string Name, string Type);

    /// <summary>A line of the table of flags; least and most are null where it names no range.</summary>
    public sealed record Flag(string Name, string Default, string Values, string? Least, string? Most);

    static readonly string document = File.ReadAllText(Repo.PathOf("CONTRACT.md"));

    /// <summary>The field tables by heading, with the fields that every record has.</summary>
    public static readonly Dictionary<string, Field[]> Tables = [];

    /// <summary>The example line of each record.</summary>
    public static readonly Dictionary<string, string> Examples = [];

    static Contract()
    {
        foreach (var section in document.Split("\n### ").Skip(1))
        {
            var name = section.Split('\n')[0].Trim();
            var fields = Rows(section).SelectMany(cells => cells[0].Split(", ").Select(name => new Field(name, cells[1].Split(", v")[0])));
            if (Regex.Match(section, "```json\n(.+)\n```") is { Success: true } example)
            {
                Examples[name] = example.Groups[1].Value;
                fields = fields.Prepend(new("run_id", "string")).Prepend(new("record", "string"))
                    .Prepend(new("v", "int"));
            }
            Tables[name] = [.. fields];
        }
    }

    /// <summary>The flags that every bench has.</summary>
    public static Flag[] Flags => FlagsIn(TablesOf("Flags")[0]);

    /// <summary>Those that `runner run` has besides.</summary>
    public static Flag[] FlagsOfRun => FlagsIn(TablesOf("Flags")[1]);

    /// <summary>Every flag of a bench that is named where its verbs and flags are told of.</summary>
    public static string[] NamedFlags =>
        [.. Regex.Matches(Section("Verbs of a bench") + string.Concat(Flags.Select(flag => $"`{flag.Name}`")), "`(--[a-z0-9-]+)")
            .Select(m => m.Groups[1].Value).Distinct().Order()];

    /// <summary>Every flag that is named where the runner's verbs are told of.</summary>
    public static string[] FlagsNamedOfRunner =>
        [.. Regex.Matches(Section("Verbs of the runner"), "`(--[a-z-]+)").Select(match => match.Groups[1].Value)];

    /// <summary>The delivery modes.</summary>
    public static string[] Deliveries => Quoted(Flags.Single(flag => flag.Name == "--delivery").Values);

    /// <summary>The verbs of a bench.</summary>
    public static string[] Verbs => [.. TablesOf("Verbs of a bench")[0].SelectMany(cells => Quoted(cells[0]))];

    /// <summary>The verbs of the runner.</summary>
    public static string[] VerbsOfRunner => [.. TablesOf("Verbs of the runner")[0]
        .SelectMany(cells => Quoted(cells[0].Split(" or ")[0])).Select(verb => verb.Split(' ')[0])];

    /// <summary>The exit codes.</summary>
    public static int[] ExitCodes =>
        [.. Rows(Section("Streams and exit codes")).Select(cells => int.Parse(cells[0]))];

    // Which share of the clients it takes, what it shows and whom it trusts, a side is told by the runner.
    static readonly string[] ofSideAlone = ["--client-machine", "--certificate", "--certificate-sha256"];

    /// <summary>The flags that a bench and a run share.</summary>
    public static Flag[] SharedFlags => [.. Flags.Where(flag => !ofSideAlone.Contains(flag.Name))];

    /// <summary>Fields of a bench's own record that no table has; `library_file` is what the runner hashes.</summary>
    public static string[] Unknown(JObject given) => [.. Faults(given, Record.KindOf(given))
        .Where(fault => !fault.EndsWith("is missing") && !fault.EndsWith("library_file is unknown"))];

    /// <summary>What in an object differs from its table, its parts included.</summary>
    public static string[] Faults(JObject given, string table)
    {
        var names = given.Properties().Select(property => property.Name).ToArray();
        var fields = Tables[table];
        return
        [
            .. names.Except(fields.Select(field => field.Name)).Select(name => $"{table}.{name} is unknown"),
            .. fields.Select(field => field.Name).Except(names).Select(name => $"{table}.{name} is missing"),
            .. fields.Where(field => names.Contains(field.Name) && !Fits(given[field.Name]!, field.Type))
                .Select(field => $"{table}.{field.Name} is no {field.Type}"),
            .. fields.Where(field => Tables.ContainsKey(field.Name))
                .SelectMany(field => given[field.Name] is JObject part ? Faults(part, field.Name) : []),
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

    // Each with its rows.
    static string[][][] TablesOf(string heading) => [.. Section(heading)[(heading.Length + 1)..].Split("\n\n")
        .Where(part => part.StartsWith('|')).Select(table => Rows(table).ToArray())];

    // A row of several has one default for all, or each its own.
    static Flag[] FlagsIn(string[][] table) => [.. table.SelectMany(cells => Quoted(cells[0]).Select((name, at) =>
    {
        var defaults = cells[1].Split(", ");
        var range = Regex.Match(cells[2], @"^(\d+(?:\.\d+)?) to (\d+)");
        var least = cells[2].Contains("; -1:") ? "-1" : range.Groups[1].Value;
        return new Flag(name, (defaults.ElementAtOrDefault(at) ?? cells[1]).Trim('`'), cells[2], range.Success ? least : null,
            range.Success ? range.Groups[2].Value : null);
    }))];

    static IEnumerable<string[]> Rows(string section) =>
        section.Split('\n').Where(line => line.StartsWith('|')).Skip(2)
            .Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries));

    static string[] Quoted(string text) =>
        [.. Regex.Matches(text, "`([^`]+)`").Select(match => match.Groups[1].Value)];
}
