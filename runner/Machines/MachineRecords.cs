using Newtonsoft.Json.Linq;

/// <summary>The machine record of a sweep, and whether a sweep that goes on has the same.</summary>
static class MachineRecords
{
    /// <summary>The record; client machine is null but for the role `clients`.</summary>
    public static JObject New(
        string runId, string role, int? clientMachine, SweepSettings sweep, JObject facts)
    {
        var record = RecordFile.ToJson(new
        {
            V = Contract.Version,
            Record = "machine",
            RunId = runId,
            DateUtc = DateTime.UtcNow.ToString("yyyy-MM-ddTHH:mm:ssZ"),
            sweep.Preset,
            sweep.Changed,
            SweepSeed = sweep.Seed,
            sweep.Repeats,
            Role = role,
            ClientMachine = clientMachine,
            // Where its sides are is nobody's but theirs.
            Sweep = new JObject(
                SweepSettings.All.Select(setting => new JProperty(setting.Name, sweep.Texts[setting.Name]))),
        });
        record.Add(facts.Properties());
        return record;
    }

    /// <summary>Refuses facts that differ from those recorded of the machine of this role.</summary>
    public static void AssertSame(string raw, string role, int? clientMachine, JObject facts)
    {
        var machine = clientMachine == null ? role : $"{role} {clientMachine}";
        bool IsOfIt(MachineRecord record) => record.Role == role && record.ClientMachine == clientMachine;
        var recorded = RecordFile.OfKind<MachineRecord>(raw).FirstOrDefault(IsOfIt)?.Json
            ?? throw new Failure($"{raw} has no record of a machine for {machine}.");
        foreach (var fact in facts.Properties())
        {
            if (!JToken.DeepEquals(fact.Value, recorded[fact.Name]))
            {
                throw new Failure($"{fact.Name} is {Text.Value(fact.Value)}, but "
                    + $"{Text.Value(recorded[fact.Name])} in {raw}: a sweep goes on where it began.");
            }
        }
    }
}
