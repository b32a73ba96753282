/// <summary>Whether a machine can hold all libraries of a block at once.</summary>
static class Fit
{
    // What connected libraries hold grows under load.
    const double Growth = 1.5;
    const string Ports = "/proc/sys/net/ipv4/ip_local_port_range", Memory = "/proc/meminfo";

    /// <summary>Why it cannot, as a sentence; null where it can, as far as the system tells. Of the libraries some are
    /// there already and hold so many bytes.</summary>
    public static string? Misfit(int clients, int libraries, int there, long heldBytes)
    {
        if ((long)clients * libraries is var ports && FreePorts() is { } free && ports > free)
            return $"{clients:N0} clients of {libraries} libraries at once need {ports:N0} ports of their own, and this machine has {free:N0}.";
        if (there == 0 || AvailableBytes() is not { } available) return null;
        var needed = Growth * heldBytes / there * (libraries - there) + (Growth - 1) * heldBytes;
        return needed < available ? null : $"{libraries} libraries with {clients:N0} clients at once need some "
            + $"{(needed + heldBytes) / 1e9:0.0} GB of memory, and this machine has {(available + heldBytes) / 1e9:0.0} GB to spare.";
    }

    static long? FreePorts() => !File.Exists(Ports) ? null
        : File.ReadAllText(Ports).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries) is [var first, var last]
            ? long.Parse(last) - long.Parse(first) + 1 : null;

    static long? AvailableBytes() => !File.Exists(Memory) ? null : File.ReadLines(Memory)
        .Where(line => line.StartsWith("MemAvailable:")).Select(line => 1024 * long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]))
        .Select(bytes => Math.Min(bytes, LeftOfGroup() ?? long.MaxValue)).Cast<long?>().FirstOrDefault();

    // Of a container's own limit.
    static long? LeftOfGroup()
    {
        const string folder = "/sys/fs/cgroup/";
        return File.Exists(folder + "memory.max") && File.Exists(folder + "memory.current")
            && long.TryParse(File.ReadAllText(folder + "memory.max"), out var most)
                ? most - long.Parse(File.ReadAllText(folder + "memory.current")) : null;
    }
}
