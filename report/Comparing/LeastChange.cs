using Newtonsoft.Json.Linq;

/// <summary>The change of a figure that must be exceeded before it is called, and why it is that.</summary>
sealed record LeastChange(double Value, string Reason)
{
    const double OfMetal = 0.03;
    const double OfVirtual = 0.05;

    /// <summary>That of ratios to the baseline of the same rounds, where there is no noise floor of the machine's
    /// own.</summary>
    public static readonly LeastChange Interleaved = new(OfMetal, "the default of interleaved sweeps");

    /// <summary>The same of what was measured separately on these machines.</summary>
    public static LeastChange Separately(params IEnumerable<JObject> machines)
    {
        var hypervisors = machines
            .SelectMany(facts => facts.PropertyValues())
            .Select(machine => (string?)machine["hypervisor"])
            .OfType<string>()
            .Distinct()
            .ToArray();
        return hypervisors.Length == 0
            ? new(OfMetal, "the default without a hypervisor")
            : new(OfVirtual, $"the default with a hypervisor, {string.Join(", ", hypervisors)}");
    }

    /// <summary>The larger one of this and a machine's noise floor.</summary>
    public LeastChange Or(double noiseFloor, string source) =>
        noiseFloor > Value ? new(noiseFloor, $"the noise floor of {source}") : this;

    /// <summary>In %, and why; not escaped.</summary>
    public override string ToString() => $"{100 * Value:0.##} % ({Reason})";
}
