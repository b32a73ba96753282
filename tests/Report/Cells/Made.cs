using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>
/// Records of runs that never ran: 1 udp client, on a machine of 2 CPUs of which each side may use one.
/// <code>
/// 10,000 messages in 1 s, each answered after 100 µs x messages in flight; nothing lost, nothing stolen
/// CPU   client 0.5 s, server 0.4 s of 1 s each; the machine 0.9 s of 2 s
/// </code>
/// </summary>
static class Made
{
    public const int Messages = 10_000;
    const long NsEach = 100_000;

    /// <summary>A sweep's machine; repeats is 2.</summary>
    public static JObject Machine => MadeUp.Machine();

    /// <summary>The machine of the server, and of the first share of the clients.</summary>
    public static JObject[] TwoMachines =>
        [MadeUp.Machine(("role", "server")), MadeUp.Machine(("role", "clients"), ("client_machine", 0))];

    /// <summary>The records of one launch; fields by their paths, see MadeUp.</summary>
    public static JObject[] Launch(string runId, int parallel, params (string Path, object? Value)[] fields) =>
        MadeUp.With(MadeUp.Run(runId), [.. Usual(parallel), .. fields]);

    /// <summary>Seconds of CPU that a side took in the window.</summary>
    public static (string, object?)[] Cpu(string side, double user, double system) =>
        [($"{side}.window.cpu_user_ns", MadeUp.Ns(user)), ($"{side}.window.cpu_system_ns", MadeUp.Ns(system))];

    /// <summary>Messages that were given up, of the usual number.</summary>
    public static (string, object?)[] Lost(int messages) =>
        MadeUp.Answered(Messages - messages, NsEach, messages);

    /// <summary>Writes the file that report reads, renders it and returns the page.</summary>
    public static string Render(Scratch scratch, params IEnumerable<JObject> records)
    {
        MadeUp.Write(scratch.Folder, records);
        Assert.Empty(Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0).Error);
        return Pages.In(scratch.Folder);
    }

    /// <summary>The cells of a table's row, by the table's columns and the first cells of the row; notes
    /// as WithoutSeparately has them.</summary>
    public static Dictionary<string, string> Row(string page, string column, params string[] first)
    {
        foreach (var table in page.Split("\n\n").Where(part => part.StartsWith("| ")))
        {
            var rows = table.Trim().Split('\n').Select(row => row[2..^2].Split(" | ")).ToArray();
            var columns = rows[0];
            if (!columns.Contains(column))
                continue;
            var found = rows.FirstOrDefault(row => row.Take(first.Length).SequenceEqual(first));
            if (found == null)
                continue;
            return columns.Zip(found).ToDictionary(cell => cell.First, cell => WithoutSeparately(cell.Second));
        }
        throw new Xunit.Sdk.XunitException($"No row {string.Join(" | ", first)} with {column} in\n{page}");
    }

    /// <summary>Notes, or a row with them, but for what all of these say: that they were measured separately.</summary>
    public static string WithoutSeparately(string notes) =>
        Regex.Replace(notes, @"(?m)(?<=^|\| |; )measured separately; |(; )?measured separately(?=$| \|)", "");

    static (string, object?)[] Usual(int parallel) =>
    [
        .. MadeUp.Lasting(1),
        .. MadeUp.Answered(Messages, NsEach * parallel),
        ("settings.parallel", parallel),
        ("settings.warmup_seconds", 0.0),
        ("settings.seconds", 1.0),
        ("launch.warmup_s", 0.0),
        ("ready.processor_count", 1),
        ("window.outside.machine_cpu_s", 0.9),
        ("window.outside.machine_steal_s", 0.0),
        ("window.outside.cpu_busiest_thread_s", 0.0),
        .. Cpu("client", 0.3, 0.2),
        .. Cpu("server", 0.2, 0.2),
    ];
}
