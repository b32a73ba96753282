using Newtonsoft.Json.Linq;

/// <summary>One machine in the window of a launch, as the records of the sides that ran there tell.
/// Shares are of the CPU time of all its CPUs; null where a fact is missing.</summary>
sealed record Seen(string Name, JObject?[] Sides, long? Cpus)
{
    JToken? Cost => Sides[0]?["cost"];
    double? CpuSeconds => Cpus * Of(Cost, "elapsed_s");
    double? OwnSystem => Sum("cpu_system_s");

    // What was in use and is charged to neither side.
    double? Rest => Of(Cost, "machine_cpu_s") - OwnSystem - Sum("cpu_user_s");

    public double? Steal => Of(Cost, "machine_steal_s") / CpuSeconds;

    /// <summary>Time in which some task waited for a CPU, over the window.</summary>
    public double? Pressure => Of(Cost, "cpu_pressure_s") / Of(Cost, "elapsed_s");

    /// <summary>The kernel's work for both sides that it did not charge to them, if nothing else ran:
    /// over their system time.</summary>
    public double? Uncharged => Launch.Ratio(Rest, OwnSystem) is { } share ? Math.Max(0, share) : null;

    /// <summary>All that neither side can have caused; uncharged: see there.</summary>
    public double? OtherLoad(double uncharged) =>
        (Rest - uncharged * OwnSystem) / CpuSeconds is { } share ? Math.Max(0, share) : null;

    /// <summary>The machines of a launch: one, or that of each client record and the server's.</summary>
    public static Seen[] Of(JObject[] clients, JObject? server, Session session)
    {
        var isOne = session.IsOneMachine(clients[0]);
        if (isOne) return [new("the machine", [clients[0], server], session.CpusOf(clients[0], isOne))];
        var all = clients.Select(client => new Seen($"client machine {Launch.MachineOf(client) + 1}",
            [client], session.CpusOf(client, isOne)));
        return [.. server == null ? all
            : all.Append(new("the server's machine", [server], session.CpusOf(server, isOne)))];
    }

    double? Sum(string field) =>
        Sides.Aggregate((double?)0, (sum, side) => sum + Of(side?["cost"], field));

    static double? Of(JToken? cost, string field) => (double?)(cost as JObject)?[field];
}
