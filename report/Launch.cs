using Newtonsoft.Json.Linq;

/// <summary>One launch that measured: its client's record and, where there is one, its server's.
/// Figures are null where a fact is missing.</summary>
sealed record Launch(JObject Client, JObject? Server, bool RunIdRepeats)
{
    const int LeastForLittle = 1_000;
    const double LittleWithin = 0.05;

    static readonly string[] phases = ["warmup", "window"];
    static readonly string[] losses = ["lost", "corrupt", "unanswered"];

    JToken Settings => Client["settings"]!;
    bool Reliable => (string?)Settings["delivery"] != "unreliable";
    bool ClosedLoop => (long)Settings["rate"]! == 0;
    double Sent => Of("sent_warmup") + Of("sent_window");
    double Lost => phases.Sum(LostIn);

    /// <summary>Messages answered in the window, a second.</summary>
    public double? Throughput => Ratio(Of("completed_window"), Of("elapsed_s"));
    /// <summary>User and system time a message, in µs; the server's over what it received.</summary>
    public double? ClientCpuUs => Ratio(CpuUs(Client), Of("completed_window"));
    public double? ServerCpuUs => Ratio(CpuUs(Server), (double?)Server?["received_window"]);
    /// <summary>Managed bytes a message.</summary>
    public double? ClientAllocatedBytes =>
        Ratio(Cost(Client, "allocated_bytes"), Of("completed_window"));
    public double? ServerAllocatedBytes =>
        Ratio(Cost(Server, "allocated_bytes"), (double?)Server?["received_window"]);
    public double? ClientPeakBytes => Cost(Client, "rss_peak_bytes");
    public double? ServerPeakBytes => Cost(Server, "rss_peak_bytes");
    /// <summary>Messages due in the window; of these without a sound answer; never sent.</summary>
    public double SentInWindow => Of("sent_window");
    public double LostInWindow => LostIn("window");
    public double NotSent => Of("not_sent");
    public bool NotWarm => (bool)Client["not_warm"]!;
    /// <summary>True where the window ended before its time.</summary>
    public bool StoppedEarly => Of("elapsed_s") < 0.99 * (double)Settings["seconds"]!;
    public string Version => $"{Client["library_version"]} {Client["library_sha256"]}";

    /// <summary>The self-checks that this launch fails, each as a reason.</summary>
    public IEnumerable<string> Invalid()
    {
        if (RunIdRepeats) yield return "its run id was used more than once";
        foreach (var record in new[] { Client, Server }.OfType<JObject>())
            foreach (var fault in Accounting.Faults(record)) yield return fault.TrimEnd('.');
        var wrong = Lost + Of("duplicates") + Of("foreign");
        if (Reliable && wrong > 0)
            yield return "reliable delivery lost, repeated or changed " +
                Text.Count((long)wrong, "message");
        if (Server != null && !RunIdRepeats)
        {
            var missing = Sent - (double)Server["received"]!;
            if (Reliable ? missing != 0 : missing < 0 || missing > Lost)
                yield return $"clients sent {Text.Number(Sent)} messages, the server received " +
                    Text.Number((double)Server["received"]!);
        }
        // With losses, lanes idle until their timeout, so the law says nothing here.
        if (ClosedLoop && Of("rtt_count") >= LeastForLittle && Lost == 0 && Throughput is { } rate)
        {
            var lanes = (double)Settings["clients"]! * (double)Settings["parallel"]!;
            var little = Of("rtt_sum_ns") / Of("rtt_count") * 1e-9 * rate / lanes;
            if (Math.Abs(little - 1) > LittleWithin)
                yield return "Little's law: mean round trip x throughput / lanes is " +
                    Text.Number(little);
        }
    }

    double Of(string field) => (double)Client[field]!;
    double LostIn(string phase) => losses.Sum(loss => Of($"{loss}_{phase}"));
    static double? CpuUs(JObject? side) =>
        1e6 * (Cost(side, "cpu_user_s") + Cost(side, "cpu_system_s"));

    // Null where the server is missing or was not marked.
    static double? Cost(JObject? side, string field) => (double?)(side?["cost"] as JObject)?[field];

    static double? Ratio(double? part, double? whole) =>
        whole > 0 && part / whole is { } ratio && double.IsFinite(ratio) ? ratio : null;
}
