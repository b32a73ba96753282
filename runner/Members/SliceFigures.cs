using Newtonsoft.Json.Linq;

/// <summary>What a round is told by, of one slice of a side; a server completes streams alone, and loses nothing. CpuNs: user and system.
/// CompiledMethods: in the slice.</summary>
readonly record struct SliceFigures(long ElapsedNs, long Completed, long Lost, long CpuNs, long CompiledMethods)
{
    /// <summary>Those of a slice record.</summary>
    public static SliceFigures Of(JObject slice)
    {
        long Outcome(string name) => (long?)(slice["outcomes"] as JObject)?[name] ?? 0;
        return new((long)slice["elapsed_ns"]!, Carried.To(slice), Accounting.Losses.Sum(Outcome),
            (long)slice["cpu_user_ns"]! + (long)slice["cpu_system_ns"]!, (long)slice["compiled_methods"]!);
    }
}
