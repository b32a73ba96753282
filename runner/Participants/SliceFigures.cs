/// <summary>What a round is told by, of one side; a server completes streams alone, and loses nothing.</summary>
/// <param name="ElapsedNs">How long it lasted.</param>
/// <param name="Completed">Messages that were answered or, of a stream, came to the server.</param>
/// <param name="Lost">Messages that got no sound answer.</param>
/// <param name="CpuNs">User and system time.</param>
/// <param name="CompiledMethods">Methods that .NET compiled meanwhile.</param>
readonly record struct SliceFigures(long ElapsedNs, long Completed, long Lost, long CpuNs, long CompiledMethods)
{
    /// <summary>Those of a slice record.</summary>
    public static SliceFigures Of(SliceRecord slice) => new(
        slice.ElapsedNs,
        Arrivals.To(slice),
        slice.Outcomes?.WithoutAnswer ?? 0,
        slice.CpuUserNs + slice.CpuSystemNs,
        slice.CompiledMethods);
}
