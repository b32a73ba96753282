using Newtonsoft.Json.Linq;

/// <summary>The facts of a sweep's machines that figures depend on, by the machines' roles.</summary>
static class Fingerprint
{
    // Of the sweep, or what one compares.
    static readonly string[] notCompared =
    [
        "v",
        "record",
        "run_id",
        "date_utc",
        "preset",
        "sweep_seed",
        "repeats",
        "role",
        "client_machine",
        "sweep",
        "suite_commit",
        "suite_dirty",
    ];

    /// <summary>The facts in the machine records of a sweep; refuses one of whose machines nothing or two things are
    /// said.</summary>
    public static JObject Of(JObject[] records, string source)
    {
        if (records.Length == 0)
            throw new Failure($"{source} has no record of its machine.", Exit.WrongUsage);
        var machines = new JObject();
        foreach (var record in records)
        {
            var facts = new JObject(record.Properties().Where(fact => !notCompared.Contains(fact.Name)));
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
                foreach (var fact in Names(one, other).Where(fact => !Same(one[fact], other[fact])))
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
                $"{fact} is {Text.Value(one)} in {source}, but {Text.Value(other)} in " + $"{otherSource}: {why}.",
                Exit.WrongUsage
            );
        }
    }

    /// <summary>The machine's role; that of client machines with their place from 1.</summary>
    public static string RoleOf(JObject machine) =>
        (string)machine["role"]! + ((long?)machine["client_machine"] is { } share ? $" {share + 1}" : "");

    /// <summary>The same to stand before its facts; empty where there is but one machine.</summary>
    public static string Prefix(JObject machine) => (string)machine["role"]! == "all" ? "" : $"{RoleOf(machine)}: ";

    static string? Difference(JObject one, JObject other) =>
        Names(one, other).FirstOrDefault(fact => !Same(one[fact], other[fact]));

    static IEnumerable<string> Names(JObject one, JObject other) =>
        one.Properties().Concat(other.Properties()).Select(property => property.Name).Distinct();

    static bool Same(JToken? one, JToken? other) => JToken.DeepEquals(one, other);

    static JToken? Known(JToken? machine) => machine == null ? null : (JToken)"recorded";
}
