using Newtonsoft.Json.Linq;

/// <summary>Evidence from outside, fixed beforehand, that something else disturbed a launch. Shares
/// are of all CPU time of the machine in the window, the most of any machine; null where a fact is
/// missing. Canary: its speed over the median of the session's.</summary>
sealed record Disturbance(
    double? Steal, double? OtherLoad, double? Pressure, double? Canary, string[] Reasons)
{
    /// <summary>Above these a launch is disturbed. Other load: see CONTRACT.md's machine_cpu_s.</summary>
    public const double MostSteal = 0.01, MostOtherLoad = 0.10, CanaryWithin = 0.10;

    /// <summary>True where a launch is to be measured again.</summary>
    public bool Is => Reasons.Length > 0;

    /// <summary>That of one run, from its records (others are passed over).</summary>
    public static Disturbance Of(IEnumerable<JObject> run, Session session)
    {
        var sides = run.ToLookup(record => (string?)record["record"]);
        return Of([.. sides["client"]], sides["server"].LastOrDefault(), session);
    }

    /// <summary>That of one launch.</summary>
    public static Disturbance Of(JObject[] clients, JObject? server, Session session)
    {
        if (clients.Length == 0) return new(null, null, null, null, []);
        var one = session.IsOneMachine(clients[0]);
        var machines = one ? [new Seen("the machine", [clients[0], server], session.CpusOf(clients[0], true))]
            : clients.Select(client => new Seen($"client machine {Launch.MachineOf(client) + 1}", [client],
                session.CpusOf(client, false)))
                .Concat(server == null ? [] : [new("the server's machine", [server],
                    session.CpusOf(server, false))]).ToArray();
        var canary = session.CanaryOf((string)clients[0]["run_id"]!);
        return new(machines.Max(machine => machine.Steal), machines.Max(machine => machine.OtherLoad),
            machines.Max(machine => machine.Pressure), canary,
            [.. machines.SelectMany(machine => machine.Reasons()), .. ReasonsOf(canary)]);
    }

    static IEnumerable<string> ReasonsOf(double? canary)
    {
        if (canary is { } speed && Math.Abs(speed - 1) > CanaryWithin)
            yield return $"the canary before it was {Percent(Math.Abs(speed - 1))} "
                + $"{(speed < 1 ? "slower" : "faster")} than the session's median";
    }

    static string Percent(double share) => $"{Text.Number(100 * share)} %";

    // One machine of a launch, with the records of the sides that ran there.
    sealed class Seen(string name, JObject?[] sides, long? cpus)
    {
        JObject? Cost => sides[0]?["cost"] as JObject;
        double? CpuSeconds => cpus * Of(Cost, "elapsed_s");
        public double? Steal => Of(Cost, "machine_steal_s") / CpuSeconds;
        public double? Pressure => Of(Cost, "cpu_pressure_s") / Of(Cost, "elapsed_s");

        // What the kernel did for both sides without charging it to them is in it too; the ticks of
        // the machine's counter may also put it below 0.
        public double? OtherLoad
        {
            get
            {
                var own = sides.Aggregate((double?)0, (sum, side) => sum
                    + Of(side?["cost"], "cpu_user_s") + Of(side?["cost"], "cpu_system_s"));
                return (Of(Cost, "machine_cpu_s") - own) / CpuSeconds is { } share
                    ? Math.Max(0, share) : null;
            }
        }

        public IEnumerable<string> Reasons()
        {
            if (Steal is > MostSteal and var steal)
                yield return $"{Percent(steal)} of the CPU time of {name} was stolen";
            if (OtherLoad is > MostOtherLoad and var load)
                yield return $"other load took {Percent(load)} of the CPU time of {name}";
        }

        static double? Of(JToken? cost, string field) => (double?)(cost as JObject)?[field];
    }
}
