using Newtonsoft.Json.Linq;

/// <summary>Made-up sweeps for the page.</summary>
static class Sweeps
{
    /// <summary>One with something to show in every view: udp carries 10,000 messages/s, enet 0.8 and kcp2k 0.1
    /// times that, whatever the load; litenetlib's one cell is invalid. The machine's record is first.</summary>
    public static JObject[] OfAllViews
    {
        get
        {
            (string Name, double Speed)[] libraries = [("udp", 1), ("enet", 0.8), ("kcp2k", 0.1)];
            var closedLoop =
                from clients in new[] { 1, 10, 100 }
                from parallel in new[] { 1, 4 }
                from library in libraries
                from record in Cell(library.Name, "unreliable", clients, parallel, library.Speed)
                select record;
            var atRates =
                from rate in new[] { 3_000, 6_000, 9_000 }
                from library in new[] { "udp", "enet" }
                from record in AtRate(library, rate)
                select record;
            return
            [
                MadeUp.Machine(("repeats", 5), ("sweep.slo", "p99=1ms")),
                .. closedLoop,
                .. Cell("tcp", "reliable-ordered", 10, 1, 1),
                .. Cell("enet", "reliable-ordered", 10, 1, 0.5),
                .. MadeUp.Cell("litenetlib", "unreliable", 1, MadeUp.Five, MadeUp.Slept(2)),
                .. atRates,
            ];
        }
    }

    static JObject[] Cell(string library, string delivery, int clients, int parallel, double speed) => MadeUp.Cell(
        library,
        delivery,
        clients * parallel,
        [.. MadeUp.Five.Select(rate => rate * speed)],
        ("settings.clients", clients),
        ("settings.parallel", parallel),
        ("rss_bytes", 1_000_000 + 2048 * clients));

    static JObject[] AtRate(string library, int rate) => MadeUp.Cell(
        library,
        "unreliable",
        5,
        [rate],
        ("run_id", $"{library}-at-{rate}"),
        ("settings.run_id", $"{library}-at-{rate}"),
        ("settings.rate", rate),
        ("client.window.outcomes.send_lag_ns", new JArray { new JArray(1000, 10_000) }));
}
