/// <summary>Whether a machine can hold all libraries of a block at once.</summary>
static class Fit
{
    // What connected libraries hold grows under load.
    const double Growth = 1.5;
    const string Ports = "/proc/sys/net/ipv4/ip_local_port_range";
    const string Memory = "/proc/meminfo";
    const string GroupMost = "/sys/fs/cgroup/memory.max";
    const string GroupCurrent = "/sys/fs/cgroup/memory.current";

    /// <summary>Why it cannot, as a sentence; null where it can, as far as the system tells. Of the libraries some are
    /// connected already and hold so many bytes.</summary>
    public static string? Misfit(int clients, int libraries, int connected, long heldBytes)
    {
        long ports = (long)clients * libraries;
        if (EphemeralPorts() is { } most && ports > most)
        {
            return $"{clients:N0} clients of {libraries} libraries at once need {ports:N0} ports of their own, "
                + $"and this machine has {most:N0}.";
        }
        if (connected == 0 || AvailableBytes() is not { } available)
        {
            return null;
        }
        double needed = Growth * heldBytes / connected * (libraries - connected) + (Growth - 1) * heldBytes;
        if (needed < available)
        {
            return null;
        }
        return $"{libraries} libraries with {clients:N0} clients at once need some "
            + $"{(needed + heldBytes) / 1e9:0.0} GB of memory, "
            + $"and this machine has {(available + heldBytes) / 1e9:0.0} GB to spare.";
    }

    /// <summary>How many ports clients of this machine may have; null where the system does not tell.</summary>
    public static long? EphemeralPorts() =>
        Machine.Read(Ports)?.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries) is [var first, var last]
            ? Machine.Long(last) - Machine.Long(first) + 1
            : null;

    /// <summary>Memory that may still be taken, as far as the system tells.</summary>
    public static long? AvailableBytes() =>
        1024 * Machine.Long(Machine.Find(Memory, @"^MemAvailable:\s*(\d+) kB$")) is { } bytes
            ? Math.Min(bytes, LeftOfGroup() ?? long.MaxValue)
            : null;

    // Of a container's own limit, which is a word where it has none; null: it has none.
    static long? LeftOfGroup() => Machine.Long(Machine.Read(GroupMost)) - Machine.Long(Machine.Read(GroupCurrent));
}
