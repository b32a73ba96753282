using Newtonsoft.Json.Linq;

/// <summary>What a round is told by, of one side; a server completes streams alone, and loses nothing.</summary>
/// <param name="ElapsedNs">How long it lasted.</param>
/// <param name="Completed">Messages that were answered or, of a stream, came to the server.</param>
/// <param name="Lost">Messages that got no sound answer.</param>
/// <param name="CpuNs">User and system time.</param>
/// <param name="CompiledMethods">Methods that .NET compiled meanwhile.</param>
readonly record struct SliceFigures(long ElapsedNs, long Completed, long Lost, long CpuNs, long CompiledMethods)
{
    /// <summary>Those of a slice record.</summary>
    public static SliceFigures Of(JObject slice)
    {
        var outcomes = slice["outcomes"] as JObject;
        return new SliceFigures(
            ElapsedNs: (long)slice["elapsed_ns"]!,
            Completed: Arrivals.To(slice),
            Lost: outcomes == null ? 0 : Accounting.Losses.Sum(loss => (long)outcomes[loss]!),
            CpuNs: (long)slice["cpu_user_ns"]! + (long)slice["cpu_system_ns"]!,
            CompiledMethods: (long)slice["compiled_methods"]!);
    }
}
