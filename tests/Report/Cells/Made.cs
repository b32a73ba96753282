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
    public static JObject Machine => Record.Parse(Contract.Examples["machine"]);

    /// <summary>A canary before a run.</summary>
    public static JObject Canary(string runId, int roundTrips) =>
        With(Record.Parse(Contract.Examples["canary"]), ("run_id", runId), ("round_trips", roundTrips));

    /// <summary>The records of one launch. A field's path begins with client or server, or with neither
    /// for both, as in settings.clients.</summary>
    public static JObject[] Launch(string runId, int parallel, params (string Path, object? Value)[] fields)
    {
        var ns = NsEach * parallel;
        (string, object?)[] usual =
        [
            ("run_id", runId), ("settings.run_id", runId), ("settings.parallel", parallel),
            ("settings.warmup_seconds", 0.0), ("settings.seconds", 1.0),
            ("runtime.processor_count", 1), ("cost.elapsed_s", 1.0), ("cost.machine_cpu_s", 0.9),
            ("cost.machine_steal_s", 0.0), ("cost.cpu_system_s", 0.2), ("cost.cpu_user_s", 0.2), ("cost.cpu_busiest_thread_s", 0.0),
            ("client.cost.cpu_user_s", 0.3), ("client.elapsed_s", 1.0), ("client.sent_warmup", 0),
            ("client.received_warmup", 0), ("client.sent_window", Messages),
            ("client.received_window", Messages), ("client.received_drain", 0),
            ("client.completed_window", Messages), ("client.rtt_count", Messages),
            ("client.rtt_min_ns", ns), ("client.rtt_max_ns", ns), ("client.rtt_sum_ns", Messages * ns),
            ("client.rtt_ns", new JArray { new JArray(BucketOf(ns), Messages) }),
            ("client.passes", 100), ("client.idle_passes", 0), ("server.received", Messages),
            ("server.sent", Messages), ("server.received_window", Messages), ("server.sent_window", Messages),
        ];
        return [.. new[] { "client", "server" }.Select(kind => With(Record.Parse(Contract.Examples[kind]),
            [.. usual.Concat(fields).Where(field => IsOf(kind, field.Item1))
                .Select(field => (field.Item1.Replace(kind + ".", ""), field.Item2))]))];
    }

    /// <summary>Messages that were given up, of the usual number.</summary>
    public static (string, object?)[] Lost(int messages) =>
    [
        ("client.lost_window", messages), ("client.received_window", Messages - messages),
        ("client.completed_window", Messages - messages), ("client.rtt_count", Messages - messages),
        ("client.rtt_sum_ns", (Messages - messages) * NsEach),
        ("client.rtt_min_ns", NsEach), ("client.rtt_max_ns", NsEach),
        ("client.rtt_ns", new JArray { new JArray(BucketOf(NsEach), Messages - messages) }),
    ];

    /// <summary>Writes the file that report reads, renders it and returns the page.</summary>
    public static string Render(Scratch scratch, params IEnumerable<JObject> records)
    {
        File.WriteAllLines(scratch.PathOf("raw.jsonl"),
            records.Select(record => record.ToString(Newtonsoft.Json.Formatting.None)));
        Assert.Empty(Tool.Run("render", scratch.Folder, "--charts", "svg").WithCode(0).Error);
        return File.ReadAllText(scratch.PathOf("report.md"));
    }

    /// <summary>The cells of a table's row, by the table's columns and the first cells of the row.</summary>
    public static Dictionary<string, string> Row(string page, string column, params string[] first)
    {
        foreach (var table in page.Split("\n\n").Where(part => part.StartsWith("| ")))
        {
            var rows = table.Trim().Split('\n').Select(row => row[2..^2].Split(" | ")).ToArray();
            if (!rows[0].Contains(column)) continue;
            if (rows.FirstOrDefault(row => row.Take(first.Length).SequenceEqual(first)) is { } found)
                return rows[0].Zip(found).ToDictionary(cell => cell.First, cell => cell.Second);
        }
        throw new Xunit.Sdk.XunitException($"No row {string.Join(" | ", first)} with {column} in\n{page}");
    }

    static bool IsOf(string kind, string path) =>
        path.Split('.')[0] is not ("client" or "server") || path.StartsWith(kind + ".");

    // Lower bound of the bucket that a time lies in.
    static long BucketOf(long ns)
    {
        var width = 1L << Math.Max(0, (int)long.Log2(ns) - 6);
        return ns / width * width;
    }

    static JObject With(JObject record, params (string Path, object? Value)[] fields)
    {
        foreach (var (path, value) in fields)
            record.SelectToken(path, errorWhenNoMatch: true)!
                .Replace(value == null ? JValue.CreateNull() : JToken.FromObject(value));
        return record;
    }
}
