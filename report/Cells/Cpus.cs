/// <summary>How many CPUs each machine of a sweep has, and whether both sides of a launch share one.</summary>
sealed class Cpus(IEnumerable<MachineRecord> machines)
{
    // By role; null where records disagree.
    readonly Dictionary<string, long?> counts = machines
        .GroupBy(Fingerprint.RoleOf, machine => machine.CpuCount)
        .ToDictionary(role => role.Key, role => role.Distinct().Count() == 1 ? role.First() : (long?)null);

    /// <summary>True where server and clients of a launch with so many client machines share one.</summary>
    public bool AreShared(long clientMachines) =>
        clientMachines == 1 && !counts.ContainsKey("server") && !counts.Keys.Any(role => role.StartsWith("clients"));

    /// <summary>Logical processors of a side's machine.</summary>
    public long? Of(Side side, bool areShared)
    {
        var role = $"clients {side.Share + 1}";
        if (areShared)
            role = "all";
        else if (side.IsServer)
            role = "server";
        return counts.GetValueOrDefault(role);
    }
}
