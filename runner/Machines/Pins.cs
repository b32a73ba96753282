using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

/// <summary>Which CPUs server and clients are pinned to, as the flag `--pin` has them: 0,2/1,3.</summary>
sealed partial record Pins(int[] Server, int[] Clients)
{
    const int MostCpu = 9_999;

    public override string ToString() => $"{InWords(Server)}/{InWords(Clients)}";

    /// <summary>Those of a setting; null where it names none.</summary>
    public static Pins? Parse(string text) =>
        text.Split('/') is [var server, var clients]
        && List(server) is { } ofServer
        && List(clients) is { } ofClients
            ? new Pins(ofServer, ofClients)
            : null;

    /// <summary>CPUs of a list such as 0,2-3; null where it is none.</summary>
    public static int[]? List(string text)
    {
        if (!ListPattern().IsMatch(text))
        {
            return null;
        }
        var ranges = text.Split(',').Select(range => range.Split('-').Select(int.Parse).ToArray()).ToArray();
        if (ranges.Any(range => range[0] > range[^1] || range[^1] > MostCpu))
        {
            return null;
        }
        return [.. ranges.SelectMany(range => Enumerable.Range(range[0], range[^1] - range[0] + 1)).Distinct().Order()];
    }

    /// <summary>CPUs as such a list.</summary>
    public static string InWords(int[] cpus)
    {
        // What follows one upon the other has the same distance to its place in the list.
        var runs = cpus.Index()
            .GroupBy(cpu => cpu.Item - cpu.Index, cpu => cpu.Item)
            .Select(run => run.ToArray());
        return string.Join(',', runs.Select(run => run.Length == 1 ? $"{run[0]}" : $"{run[0]}-{run[^1]}"));
    }

    /// <summary>Keeps this thread on a CPU (Linux); false where it may not use that.</summary>
    public static bool StayOn(int cpu)
    {
        var cpus = new ulong[cpu / 64 + 1];
        cpus[cpu / 64] = 1UL << cpu % 64;
        return SetAffinity(0, cpus.Length * sizeof(ulong), cpus) == 0;
    }

    [LibraryImport("libc", EntryPoint = "sched_setaffinity")]
    private static partial int SetAffinity(int thread, nint bytes, ulong[] cpus);

    [GeneratedRegex(@"^[0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?)*\z")]
    private static partial Regex ListPattern();
}
