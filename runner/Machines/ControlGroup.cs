using System.Globalization;
using System.Text.RegularExpressions;

/// <summary>The quota of CPU time that a control group of Linux has, in version 1 or 2, as the kernel documents them
/// (cgroup-v2, sched-bwc). A quota of a group above binds, too.</summary>
static partial class ControlGroup
{
    const string Root = "/sys/fs/cgroup";

    /// <summary>How many periods of its quota a group has had, and in how many it was held back; cumulative.</summary>
    public sealed record Throttling(long Periods, long Throttled);

    /// <summary>The tightest quota of this process, in CPUs; null: none.</summary>
    public static double? CpuQuota() => GroupsOf("self").Select(QuotaOf).Min();

    /// <summary>The folders of those groups that have a quota, of all that a process is in.</summary>
    public static string[] WithQuota(int process) =>
        [.. GroupsOf(process.ToString(CultureInfo.InvariantCulture)).Where(group => QuotaOf(group) != null)];

    /// <summary>That of the group, of those in some folders, that was held back most; null: there is none.</summary>
    public static Throttling? ThrottlingOf(string[] groups) =>
        groups
            .Select(group => Machine.Read($"{group}/cpu.stat") ?? "")
            .Select(stat => new Throttling(Count(stat, "nr_periods"), Count(stat, "nr_throttled")))
            .MaxBy(group => group.Throttled);

    // The folders of the group of a process and of those above it. A container sees its own at the top.
    static IEnumerable<string> GroupsOf(string process)
    {
        Match group = Group().Match(Machine.Read($"/proc/{process}/cgroup") ?? "");
        if (!group.Success)
        {
            yield break;
        }
        string root = group.Groups["old"].Success ? $"{Root}/cpu" : Root;
        for (string? path = group.Groups["path"].Value.Trim(); path != null; path = Path.GetDirectoryName(path))
        {
            yield return root + path.TrimEnd('/');
        }
    }

    static double? QuotaOf(string group)
    {
        string[] words = Machine.Read($"{group}/cpu.max")?.Split(' ')
            ?? [Machine.Read($"{group}/cpu.cfs_quota_us") ?? "", Machine.Read($"{group}/cpu.cfs_period_us") ?? ""];
        return words is [var quota, var period] && long.TryParse(quota, out long used) && used > 0
            ? used / double.Parse(period, CultureInfo.InvariantCulture)
            : null;
    }

    static long Count(string stat, string name) =>
        Machine.Long(Regex.Match(stat, $@"(?m)^{name} (\d+)$").Groups[1].Value) ?? 0;

    // Of version 1 the line that names the controller, of version 2 the only line; where both are there, that of 1.
    [GeneratedRegex(
        @"^\d+:(?<old>(?:[^:\n]*,)?cpu(?:,[^:\n]*)?):(?<path>.*)$|^0::(?<path>.*)$", RegexOptions.Multiline)]
    private static partial Regex Group();
}
