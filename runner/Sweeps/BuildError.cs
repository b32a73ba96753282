using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>What a failed build printed, as an error record: one sentence, without paths.</summary>
static partial class BuildError
{
    // NuGet's errors of packages that it cannot get.
    const string NoPackage = "error NU1";

    /// <summary>The record; a sweep's folder gives it its run id.</summary>
    public static JObject Of(string library, string output)
    {
        var kind = output.Contains(NoPackage) ? "unavailable" : "failed";
        return ErrorRecords.Of("build", library, "build", kind, Exit.Failed, Reason(output));
    }

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

    [GeneratedRegex(@"\s*\[[^\]]*proj(::[^\]]*)?\]$")]
    private static partial Regex ProjectInBrackets();

    // Of a path only the last part is kept. Within quotes it may hold spaces.
    [GeneratedRegex(@"(['""])(?:~|[A-Za-z]:)?[/\\](?:[^'""/\\]*[/\\])*([^'""/\\]*)\1")]
    private static partial Regex QuotedPath();

    // An address such as https://host/index.json is none.
    [GeneratedRegex(@"(?<![\w:/\\.~-])(?:file://)?(?:~|[A-Za-z]:)?[/\\](?:[^\s/\\'""(),;:]+[/\\])*([^\s/\\'""(),;:]*)")]
    private static partial Regex Path();
}
