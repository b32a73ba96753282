using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>What a build printed: why it failed, and which packages NuGet replaced.</summary>
static partial class BuildLog
{
    // NuGet's errors of packages that it cannot get.
    const string NoPackage = "error NU1";

    /// <summary>Why it failed as an error record, in one sentence without paths; a sweep's folder gives it its run
    /// id.</summary>
    public static JObject ErrorOf(string library, string output)
    {
        var kind = output.Contains(NoPackage) ? "unavailable" : "failed";
        var reason = Reason(output);
        if (kind == "failed" && NamedLibraries.OtherLibrary(library) is { } other)
        {
            reason = $"{other}: {reason}";
        }
        return ErrorRecords.Of("build", library, "build", kind, Exit.Failed, reason);
    }

    /// <summary>The packages that the registry lacked in the version asked for, each as "Id 1.2.3 → 1.2.5".</summary>
    public static IEnumerable<string> ReplacedIn(string output) => output
        .Split('\n')
        .Select(line => Replaced().Match(line))
        .Where(match => match.Success)
        .Select(match => $"{match.Groups["id"].Value} {match.Groups["asked"].Value} → {match.Groups["got"].Value}")
        .Distinct()
        .Order(StringComparer.Ordinal);

    // The first error, from its code on; else the first line that speaks of one.
    static string Reason(string output)
    {
        var lines = output.Split('\n', StringSplitOptions.TrimEntries)
            .Where(line => line != "").ToArray();
        var line = lines.FirstOrDefault(Coded().IsMatch)
            ?? lines.FirstOrDefault(line => line.Contains("error", StringComparison.OrdinalIgnoreCase))
            ?? lines.FirstOrDefault()
            ?? "The build said nothing.";
        if (Coded().Match(line) is { Success: true } match)
        {
            line = line[match.Groups[1].Index..];
        }
        line = ProjectInBrackets().Replace(line, "");
        return Text.Plain(Path().Replace(QuotedPath().Replace(line, "$1$2$1"), "$1"));
    }

    [GeneratedRegex(@"\berror ([A-Z]+\d+:)")]
    private static partial Regex Coded();

    // "A 1.0.0 depends on B (>= 1.2.3) but B 1.2.3 was not found. B 1.2.5 was resolved instead.", in any language.
    [GeneratedRegex(@"\bNU1603: .*? (?<id>[\w.-]+) \(>= (?<asked>[\w.+-]+)\).*\b\k<id> (?<got>\d[\w.+-]*?)\.?(?!\S)")]
    private static partial Regex Replaced();

    [GeneratedRegex(@"\s*\[[^\]]*proj(::[^\]]*)?\]$")]
    private static partial Regex ProjectInBrackets();

    // Of a path only the last part is kept. Within quotes it may hold spaces.
    [GeneratedRegex(@"(['""])(?:~|[A-Za-z]:)?[/\\](?:[^'""/\\]*[/\\])*([^'""/\\]*)\1")]
    private static partial Regex QuotedPath();

    // An address such as https://host/index.json is none.
    [GeneratedRegex(@"(?<![\w:/\\.~-])(?:file://)?(?:~|[A-Za-z]:)?[/\\](?:[^\s/\\'""(),;:]+[/\\])*([^\s/\\'""(),;:]*)")]
    private static partial Regex Path();
}
