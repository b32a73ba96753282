using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>
/// Sweeps that nobody measured: the contract's examples with other values. A field's path begins with the side and the
/// record or phase that it is of, as far as that is to be told:
/// <code>
/// library                          of every record that has it
/// settings.clients                 of launch and error, and the same flag of both sides
/// ready.library_version            of both sides
/// client.window.outcomes.lost      of the clients' slice of that phase
/// launch.not_warm
/// </code>
/// </summary>
static class MadeUp
{
    const int Messages = 10_000;

    /// <summary>A string that would do harm wherever it is not made inert.</summary>
    public const string Hostile = "=1+1,\";=2+2\n# x ```` <b onclick=x>[red]y[/] [z](w) |\u001b[31m\u0085\u202e ../..";

    /// <summary>The messages/s of five launches: 1 % up and down around the same median.</summary>
    public static readonly double[] Five = [9_800, 9_900, 10_000, 10_100, 10_200];

    // Parsed once, as a sweep takes thousands.
    static readonly Dictionary<string, JObject> examples =
        Contract.Examples.ToDictionary(example => example.Key, example => Record.Parse(example.Value));

    static readonly string[] sides = ["client", "server"];
    static readonly string[] phases = ["connected", "warmup", "rounds", "window", "other", "end"];
    static readonly string[] kinds = ["ready", "closed", "launch", "error", "machine"];

    /// <summary>Writes a folder's raw.jsonl.</summary>
    public static void Write(string folder, params IEnumerable<JObject> records)
    {
        Directory.CreateDirectory(folder);
        var lines = records.Select(record => record.ToString(Formatting.None) + "\n");
        File.WriteAllText(Path.Combine(folder, "raw.jsonl"), string.Concat(lines));
    }

    /// <summary>The record of a machine; fields by their paths, as in `sweep.slo`.</summary>
    public static JObject Machine(params (string Path, object? Value)[] fields) => Example("machine", fields);

    /// <summary>A run that failed, with the settings of another's launch.</summary>
    public static JObject Failed(JObject[] run, params (string Path, object? Value)[] fields)
    {
        var launch = run.Single(record => Record.KindOf(record) == "launch");
        return Example("error",
        [
            ("run_id", launch["run_id"]),
            ("library", launch["library"]),
            ("side", "run"),
            ("settings", launch["settings"]!.DeepClone()),
            .. fields,
        ]);
    }

    /// <summary>The example of a record with other values.</summary>
    public static JObject Example(string kind, params (string Path, object? Value)[] fields) =>
        With([(JObject)examples[kind].DeepClone()], fields)[0];

    /// <summary>Valid launches of one cell in a closed loop, each with its messages/s; all round trips take
    /// the same time, and both sides 100 µs of CPU per message.</summary>
    public static JObject[] Cell(
        string library, string delivery, int clients, double[] rates, params (string Path, object? Value)[] fields)
    {
        var launches = rates.Select((rate, launch) => With(Run($"r{launch}-{library}-{delivery}-{clients}"),
        [
            .. Lasting(Messages / rate),
            .. Answered(Messages, (long)(clients * 1e9 / rate)),
            ("window.cpu_user_ns", 500_000_000),
            ("window.cpu_system_ns", 500_000_000),
            ("window.outside.machine_cpu_s", 2),
            ("window.outside.machine_steal_s", 0),
            ("settings.seconds", 0.1),
            ("library", library),
            ("settings.delivery", delivery),
            ("settings.clients", clients),
            .. fields,
        ]));
        return [.. launches.SelectMany(records => records)];
    }

    /// <summary>Of a cell whose messages are a stream's: all came, and none was answered.</summary>
    public static (string, object?)[] Streamed() =>
    [
        .. Answered(0, 1),
        ("client.window.outcomes.rtt_ns", new JArray()),
        ("settings.work", "stream"),
        ("window.streamed", Messages),
    ];

    /// <summary>Launches of one interleaved cell, with the messages/s of each round of each launch; the launches of all
    /// cells of that kind of delivery, clients and rounds are of the same blocks. Both sides take 100 µs of CPU a
    /// message, the window is that of the first round.</summary>
    public static JObject[] Interleaved(
        string library, string delivery, int clients, double[][] rates, params (string Path, object? Value)[] fields)
    {
        var kind = delivery == "unreliable" ? "unreliable" : "reliable";
        var launches = rates.Select((ofLaunch, launch) =>
        {
            var run = Run($"r{launch}-{library}-{delivery}-{clients}-interleaved", interleaved: true);
            return With(run,
            [
                .. Lasting(Messages / ofLaunch[0]),
                .. Answered(Messages, (long)(clients * 1e9 / ofLaunch[0])),
                ("settings.seconds", 0.1),
                ("library", library),
                ("settings.delivery", delivery),
                ("settings.clients", clients),
                .. Rounds($"r{launch}-{kind}-{clients}x1-32", clients, ofLaunch),
                .. fields,
            ]);
        });
        return [.. launches.SelectMany(records => records)];
    }

    /// <summary>The records of a run in which nothing was sent: of the server and of each client machine ready, a slice
    /// of each phase and closed, and the launch.</summary>
    public static JObject[] Run(string runId, int machines = 1, bool interleaved = false)
    {
        var server = Side("server", null, interleaved);
        var clients = Enumerable.Range(0, machines).SelectMany(machine => Side("client", machine, interleaved));
        return With(
            [.. server, .. clients, Example("launch")],
            ("run_id", runId),
            ("settings.run_id", runId),
            ("settings.client_machines", machines));
    }

    /// <summary>Of rounds with so many messages/s each, in slices of 100 ms.</summary>
    public static (string, object?)[] Rounds(string block, int slots, double[] rates)
    {
        const long SliceNs = 100_000_000;
        const long CpuNs = 100_000; // of either side, a message
        long[] completed = [.. rates.Select(rate => (long)(rate * SliceNs / 1e9))];
        long[] roundTrips = [.. completed.Select(count => slots * SliceNs / Math.Max(1, count))];
        var all = completed.Sum();
        var buckets = completed.Zip(roundTrips)
            .Select(round => (Count: round.First, Ns: round.Second))
            .Where(round => round.Count > 0)
            .GroupBy(round => BucketOf(round.Ns), round => round.Count)
            .OrderBy(bucket => bucket.Key)
            .Select(bucket => new JArray(bucket.Key, bucket.Sum()));
        var ofLaunch = new JObject
        {
            ["started_ms"] = new JArray(rates.Select((_, i) => 5000 + 1000 * i)),
            ["spent_ms"] = new JArray(rates.Select(_ => 125)),
            ["place"] = new JArray(rates.Select(_ => 0)),
            ["elapsed_ns"] = new JArray(rates.Select(_ => SliceNs)),
            ["completed"] = new JArray(completed),
            ["lost"] = new JArray(rates.Select(_ => 0)),
            ["client_cpu_ns"] = new JArray(completed.Select(count => count * CpuNs)),
            ["server_cpu_ns"] = new JArray(completed.Select(count => count * CpuNs)),
            ["cpu_to_cpu_ns"] = null,
        };
        return
        [
            ("launch.block", block),
            ("settings.rounds", rates.Length),
            ("launch.rounds", ofLaunch),
            ("rounds.elapsed_ns", SliceNs * rates.Length),
            ("rounds.sent", all),
            ("rounds.received", all),
            ("rounds.cpu_user_ns", all * CpuNs / 2),
            ("rounds.cpu_system_ns", all * CpuNs / 2),
            ("client.rounds.outcomes.completed", all),
            ("client.rounds.outcomes.rtt_sum_ns", completed.Zip(roundTrips, (count, ns) => count * ns).Sum()),
            ("client.rounds.outcomes.rtt_ns", new JArray(buckets)),
        ];
    }

    /// <summary>Of a window that lasts so long.</summary>
    public static (string, object?)[] Lasting(double seconds) =>
        [("window.elapsed_ns", Ns(seconds)), ("window.outside.elapsed_s", seconds)];

    /// <summary>Of a window in which so many messages came back, each after this time, and others were given up.
    /// </summary>
    public static (string, object?)[] Answered(long messages, long rttNs, long lost = 0) =>
    [
        ("client.window.sent", messages + lost),
        ("client.window.received", messages),
        ("server.window.received", messages + lost),
        ("server.window.sent", messages + lost),
        ("client.window.outcomes.completed", messages),
        ("client.window.outcomes.lost", lost),
        ("client.window.outcomes.rtt_sum_ns", messages * rttNs),
        ("client.window.outcomes.rtt_ns", new JArray { new JArray(BucketOf(rttNs), messages) }),
    ];

    /// <summary>Of a side with one thread that took so many seconds of CPU in the window.</summary>
    public static (string, object?)[] Busy(string side, double seconds) =>
    [
        ($"{side}.window.cpu_user_ns", Ns(seconds / 2)),
        ($"{side}.window.cpu_system_ns", Ns(seconds / 2)),
        ($"{side}.window.outside.cpu_busiest_thread_s", seconds),
    ];

    /// <summary>Of a machine that slept in the window, which makes it invalid from 1 s on.</summary>
    public static (string, object?) Slept(double seconds) => ("client.window.outside.suspended_s", seconds);

    /// <summary>Seconds as a record has them.</summary>
    public static long Ns(double seconds) => (long)Math.Round(1e9 * seconds);

    /// <summary>Lower bound of the bucket that a time lies in.</summary>
    public static long BucketOf(long ns)
    {
        var width = 1L << Math.Max(0, (int)long.Log2(ns) - 6);
        return ns / width * width;
    }

    /// <summary>The same records with other values, in those of them that have the field; one has.</summary>
    public static JObject[] With(JObject[] records, params (string Path, object? Value)[] fields)
    {
        foreach (var (path, value) in fields)
        {
            var found = Fields(records, path.Split('.'));
            Assert.True(found.Count > 0, $"No record has a field {path}.");
            foreach (var field in found)
                field.Replace(value == null ? JValue.CreateNull() : JToken.FromObject(value));
        }
        return records;
    }

    static List<JToken> Fields(JObject[] records, string[] path)
    {
        IEnumerable<JObject> of = records;
        // Takes a word that says of which records the field is off the path, if it begins with one.
        void Take(string[] words, string field)
        {
            if (!words.Contains(path[0]))
                return;
            var word = path[0];
            of = of.Where(record => (string?)record[field] == word);
            path = path[1..];
        }
        Take(sides, "side");
        Take(phases, "phase");
        Take(kinds, "record");
        var flag = path[0] == "settings" ? path[1..] : null;
        var found = new List<JToken>();
        foreach (var record in of)
        {
            if (At(record, path) is { } field)
                found.Add(field);
            if (flag != null && record["flags"] is JObject flags && At(flags, flag) is { } ofFlag)
                found.Add(ofFlag);
        }
        return found;
    }

    // What stands at a path; null: nothing does.
    static JToken? At(JObject record, string[] path)
    {
        JToken? at = record;
        foreach (var name in path)
            at = (at as JObject)?[name];
        return at;
    }

    static IEnumerable<JObject> Side(string side, int? machine, bool interleaved)
    {
        var isClient = side == "client";
        JObject Of(JObject record)
        {
            record["side"] = side;
            record["client_machine"] = machine;
            return record;
        }
        yield return Of(isClient ? Example("ready") : Example("ready", ("connect_s", null)));
        var ofRun = phases.Where(phase => interleaved || phase != "rounds").ToArray();
        for (var i = 0; i < ofRun.Length; i++)
        {
            var slice = Example(
                "slice", ("phase", ofRun[i]), ("slice", i), ("sent", 0), ("received", 0));
            if (isClient)
                Clear((JObject)slice["outcomes"]!);
            else
                MakeServers(slice);
            if (ofRun[i] != "window")
                slice["outside"] = null;
            yield return Of(slice);
        }
        yield return Of(isClient ? Example("closed") : Example("closed", ("disconnect_s", null)));
    }

    // The example of a slice is one of clients; a server has no outcomes, and another size.
    static void MakeServers(JObject slice) => With(
        [slice],
        ("outcomes", null),
        ("allocated_bytes", 34_824),
        ("rss_bytes", 60_153_856),
        ("outside.rss_peak_bytes", 60_153_856),
        ("outside.threads", 13),
        ("outside.receive_queue_peak_bytes", 0));

    // Nothing was due and nothing came; only the time is that of the example.
    static void Clear(JObject outcomes)
    {
        foreach (var count in outcomes.Properties())
        {
            count.Value = count.Name switch
            {
                "failures" => count.Value,
                _ => count.Value is JArray ? new JArray() : 0,
            };
        }
    }
}
