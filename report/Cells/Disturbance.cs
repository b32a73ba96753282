using Newtonsoft.Json.Linq;

/// <summary>Evidence from outside, fixed beforehand, that something else disturbed a launch. Shares
/// are of all CPU time of the machine in the window, the most of any machine; null where a fact is
/// missing. Pressure rises with the launch's own load, so it is shown and not judged. Canary: its
/// speed over the median of the session's.</summary>
sealed record Disturbance(
    double? Steal, double? OtherLoad, double? Pressure, double? Canary, string[] Reasons)
{
    const double MostSteal = 0.01, MostOtherLoad = 0.10, CanaryWithin = 0.10;

    /// <summary>True where a launch is to be measured again.</summary>
    public bool Is => Reasons.Length > 0;

    /// <summary>That of one run, from its records; other kinds of records are passed over.</summary>
    public static Disturbance Of(IEnumerable<JObject> run, Session session)
    {
        var sides = run.ToLookup(record => (string?)record["record"]);
        return Of([.. sides["client"]], sides["server"].LastOrDefault(), session);
    }

    /// <summary>That of one launch.</summary>
    public static Disturbance Of(JObject[] clients, JObject? server, Session session)
    {
        if (clients.Length == 0) return new(null, null, null, null, []);
        var machines = Seen.Of(clients, server, session);
        double? OtherLoad(Seen machine) => machine.OtherLoad(session.Uncharged);
        var canary = session.CanaryOf((string)clients[0]["run_id"]!);
        return new(machines.Max(machine => machine.Steal), machines.Max(OtherLoad),
            machines.Max(machine => machine.Pressure), canary, [.. Reasons()]);

        IEnumerable<string> Reasons()
        {
            foreach (var machine in machines)
            {
                if (machine.Steal is > MostSteal and var steal)
                    yield return $"{Percent(steal)} of the CPU time of {machine.Name} was stolen";
                if (OtherLoad(machine) is > MostOtherLoad and var load)
                    yield return $"other load took {Percent(load)} of the CPU time of {machine.Name}";
            }
            if (canary is { } speed && Math.Abs(speed - 1) > CanaryWithin)
                yield return $"the canary before it was {Percent(Math.Abs(speed - 1))} "
                    + $"{(speed < 1 ? "slower" : "faster")} than the session's median";
        }
    }

    static string Percent(double share) => $"{Text.Number(100 * share)} %";
}
