using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Sweeps that nobody measured: the contract's examples with other values.</summary>
static class MadeUp
{
    const int Messages = 10_000;

    /// <summary>A string that would do harm wherever it is not made inert.</summary>
    public const string Hostile = "=1+1,\";=2+2\n# x ```` <b onclick=x>[red]y[/] [z](w) |\u001b[31m\u0085\u202e ../..";

    /// <summary>Writes a folder's raw.jsonl.</summary>
    public static void Write(string folder, params IEnumerable<JObject> records)
    {
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, "raw.jsonl"), string.Concat(
            records.Select(record => record.ToString(Formatting.None) + "\n")));
    }

    /// <summary>The record of a machine; fields by their paths, as in `sweep.slo`.</summary>
    public static JObject Machine(params (string Path, object? Value)[] fields) =>
        With([Record.Parse(Contract.Examples["machine"])], fields)[0];

    /// <summary>Valid launches of one cell in a closed loop, each with its messages/s; all round trips take
    /// the same time, and both sides 100 µs of CPU a message.</summary>
    public static JObject[] Cell(string library, string delivery, int clients, double[] rates,
        params (string Path, object? Value)[] fields) =>
        [.. rates.SelectMany((rate, launch) => With(Launch($"r{launch}-{library}-{delivery}-{clients}",
            rate, (long)(clients * 1e9 / rate)),
            [("library", library), ("settings.delivery", delivery), ("settings.clients", clients), .. fields]))];

    /// <summary>The same records with other values, in those of them that have the field.</summary>
    public static JObject[] With(JObject[] records, params (string Path, object? Value)[] fields)
    {
        foreach (var record in records)
            foreach (var (path, value) in fields)
                record.SelectToken(path)?.Replace(value == null ? JValue.CreateNull() : JToken.FromObject(value));
        return records;
    }

    static JObject[] Launch(string runId, double rate, long rttNs)
    {
        var width = 1L << Math.Max(0, (int)long.Log2(rttNs) - 6);
        JObject client = Record.Parse(Contract.Examples["client"]), server = Record.Parse(Contract.Examples["server"]);
        foreach (var count in client.Properties().Where(count =>
            count.Name.EndsWith("_warmup") || count.Name.EndsWith("_window"))) count.Value = 0;
        (client["received_warmup_late"], client["received_drain"], client["elapsed_s"]) = (0, 0, Messages / rate);
        client["sent_window"] = client["received_window"] = client["completed_window"] = client["rtt_count"] = Messages;
        server["received"] = server["sent"] = server["received_window"] = server["sent_window"] = Messages;
        server["bytes_received"] = 32 * Messages;
        (client["rtt_min_ns"], client["rtt_max_ns"], client["rtt_sum_ns"]) = (rttNs, rttNs, Messages * rttNs);
        client["rtt_ns"] = new JArray { new JArray(rttNs / width * width, Messages) };
        return With([client, server], ("run_id", runId), ("settings.run_id", runId), ("settings.seconds", 0.1),
            ("cost.elapsed_s", Messages / rate), ("cost.cpu_user_s", 0.5), ("cost.cpu_system_s", 0.5),
            ("cost.machine_cpu_s", 2), ("cost.machine_steal_s", 0));
    }
}
