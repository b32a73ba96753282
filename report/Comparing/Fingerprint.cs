using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>The facts of a sweep's machines that figures depend on, by the machines' roles.</summary>
static partial class Fingerprint
{
    const int CommitDigits = 7;

    // Of the sweep, or what one compares.
    static readonly string[] notCompared =
    [
        "v",
        "record",
        "run_id",
        "date_utc",
        "preset",
        "changed",
        "sweep_seed",
        "repeats",
        "role",
        "client_machine",
        "sweep",
        "suite_commit",
        "suite_dirty",
    ];

    // Of these null says that there is none. Any other fact that is null is one that nobody could tell, and that is no
    // difference.
    static readonly string[] knownToBeNone = ["hypervisor", "cgroup_cpu_quota"];

    /// <summary>The facts in the machine records of a sweep; refuses one of whose machines nothing or two things are
    /// said.</summary>
    public static JObject Of(MachineRecord[] records, string source)
    {
        if (records.Length == 0)
            throw new Failure($"{source} has no record of its machine.", Exit.WrongUsage);
        var machines = new JObject();
        foreach (var record in records)
        {
            var facts = new JObject(record.Json.Properties().Where(fact => !notCompared.Contains(fact.Name)));
            var role = RoleOf(record);
            if (machines[role] is JObject known && Difference(known, facts) is { } fact)
            {
                throw new Failure(
                    $"{source} has records of two machines: {fact} is "
                        + $"{Text.Value(known[fact])} and {Text.Value(facts[fact])}.",
                    Exit.WrongUsage
                );
            }
            machines[role] = facts;
        }
        return machines;
    }

    /// <summary>Every fact of two sets of machines that differs, with both values.</summary>
    public static IEnumerable<(string Fact, JToken? One, JToken? Other)> Differences(JObject machines, JObject others)
    {
        foreach (var role in Names(machines, others))
        {
            if (machines[role] is JObject one && others[role] is JObject other)
            {
                foreach (var fact in Differing(one, other))
                    yield return (role == "all" ? fact : $"{fact} of {role}", one[fact], other[fact]);
            }
            else
            {
                yield return ($"the machine of role {role}", Known(machines[role]), Known(others[role]));
            }
        }
    }

    /// <summary>Refuses two sets that differ, naming the first fact that does.</summary>
    public static void AssertSame(JObject machines, string source, JObject others, string otherSource, string why)
    {
        foreach (var (fact, one, other) in Differences(machines, others))
        {
            throw new Failure(
                $"{fact} is {Text.Value(one)} in {source}, but {Text.Value(other)} in {otherSource}: {why}.",
                Exit.WrongUsage
            );
        }
    }

    /// <summary>The machine's role; that of client machines with their place from 1.</summary>
    public static string RoleOf(MachineRecord machine) =>
        machine.Role + (machine.ClientMachine is { } share ? $" {share + 1}" : "");

    /// <summary>The model, without its marks, and the number of its CPUs, such as "AMD EPYC, 2 CPUs"; not escaped.
    /// </summary>
    public static string CpusOf(MachineRecord machine) =>
        $"{Marks().Replace(Text.Value(machine.CpuModel), "")}, {Text.Count(machine.CpuCount, "CPU")}";

    /// <summary>The commit of the suite, and whether files had changed since; not escaped.</summary>
    public static string CommitOf(MachineRecord machine) =>
        Text.Plain(Text.Value(machine.SuiteCommit), CommitDigits).TrimEnd('…')
        + (machine.SuiteDirty == true ? " with changes" : "");

    /// <summary>A machine's role to stand before its facts; empty where there is but one machine.</summary>
    public static string Prefix(MachineRecord machine) => machine.Role == "all" ? "" : $"{RoleOf(machine)}: ";

    static string? Difference(JObject one, JObject other) => Differing(one, other).FirstOrDefault();

    static IEnumerable<string> Differing(JObject one, JObject other) =>
        Names(one, other)
            .Where(fact => knownToBeNone.Contains(fact) || IsTold(one[fact]) && IsTold(other[fact]))
            .Where(fact => !JToken.DeepEquals(one[fact], other[fact]));

    static bool IsTold(JToken? fact) => fact is { Type: not JTokenType.Null };

    static IEnumerable<string> Names(JObject one, JObject other) =>
        one.Properties().Concat(other.Properties()).Select(property => property.Name).Distinct();

    static JToken? Known(JToken? machine) => machine == null ? null : (JToken)"recorded";

    [GeneratedRegex(@"\((R|TM)\)| Processor$")]
    private static partial Regex Marks();
}
