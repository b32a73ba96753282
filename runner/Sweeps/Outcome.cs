using Newtonsoft.Json.Linq;

/// <summary>How a run went, in a few words for the sweep's progress.</summary>
static class Outcome
{
    /// <summary>Such as "41,200 msg/s  p99 3.10 ms"; null where no record says.</summary>
    public static string? Of(IEnumerable<JObject> run)
    {
        var records = run.ToLookup(record => (string?)record["record"]);
        if (records["error"].FirstOrDefault(IsFault) is { } error)
            return (string?)error["kind"] == "unsupported" ? "unsupported"
                : $"{error["kind"]}: {Text.Plain((string)error["reason"]!)}";
        var clients = records["client"].GroupBy(Launch.MachineOf).Select(machine => machine.Last())
            .ToArray();
        if (clients.Length == 0) return null;
        if (Launch.Missing(clients) is { } missing) return $"failed: {missing}";

        var cell = new Cell("", (JObject)clients[0]["settings"]!, [new(clients, null, Session.None)], [], []);
        var words = $"{Text.Number(cell.Throughput?.Median)} msg/s  " +
            $"p99 {Text.Duration(cell.RoundTripNs(0.99m))}";
        return cell.LostPercent() > 0 ? $"{words}  lost {Text.Number(cell.LostPercent())} %" : words;
    }

    /// <summary>True where its clients measured and nothing failed.</summary>
    public static bool IsMeasured(JObject[] run) =>
        run.Any(record => (string?)record["record"] == "client") && !run.Any(IsFault);

    // A retried one is of an earlier attempt.
    static bool IsFault(JObject record) =>
        (string?)record["record"] == "error" && (string?)record["kind"] != "retried";
}
