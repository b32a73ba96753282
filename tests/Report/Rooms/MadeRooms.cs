using Newtonsoft.Json.Linq;

/// <summary>Launches in rooms that nobody measured. Of each 10,000 messages are due in 10 s, and all that is delivered
/// is delivered after the same time.</summary>
static class MadeRooms
{
    const int Seconds = 10;
    const int Messages = 10_000;

    /// <summary>One of players of a game at 20 Hz: the server makes 200 ticks and sends each player a snapshot at each.
    /// </summary>
    public static JObject[] Game(
        string library,
        string delivery,
        int players,
        double delayMs,
        double serverCores,
        params (string Path, object? Value)[] fields) =>
        Launch(library, delivery, "game", players, 20 * players, delayMs, serverCores, deliveries: 200L * players,
        [
            .. OfGame(players),
            .. fields,
        ]);

    /// <summary>What is of such a game besides its rounds, where it was interleaved.</summary>
    public static (string, object?)[] Played(int players, double delayMs) =>
    [
        .. MadeUp.Lasting(Seconds),
        .. MadeUp.Answered(20L * players * Seconds, (long)(delayMs * 1e6)),
        .. OfLoad("game", 20 * players, 20L * players * Seconds, deliveries: 200L * players),
        .. OfGame(players),
    ];

    /// <summary>One of clients in rooms of 10 whose messages go to all of their rooms; messages/s over all, 0 for a
    /// closed loop.</summary>
    public static JObject[] Broadcast(
        string library,
        string delivery,
        int clients,
        int rate,
        double delayMs,
        double serverCores,
        params (string Path, object? Value)[] fields)
    {
        long deliveries = 10L * (rate == 0 ? Messages : rate * Seconds);
        return Launch(library, delivery, "broadcast", clients, rate, delayMs, serverCores, deliveries,
        [
            ("settings.room", 10),
            ("settings.payload_bytes", 100),
            ("client.window.outcomes.delivery_ns", Times(delayMs, deliveries)),
            .. fields,
        ]);
    }

    /// <summary>A step of a search for players, which is named after the game with which it began.</summary>
    public static JObject[] Step(
        int launch, string library, int players, double delayMs, params (string, object?)[] changes)
    {
        string runId = $"s{launch}-{library}-unreliable-60x1-game-48-players{players}";
        return Game(
            library,
            "unreliable",
            players,
            delayMs,
            serverCores: 0.1,
            [.. changes, ("run_id", runId), ("settings.run_id", runId)]);
    }

    /// <summary>A histogram of so many times that are all the same.</summary>
    public static JArray Times(double ms, long count) => [new JArray(MadeUp.BucketOf((long)(ms * 1e6)), count)];

    static JObject[] Launch(
        string library,
        string delivery,
        string work,
        int clients,
        int rate,
        double delayMs,
        double serverCores,
        long deliveries,
        (string Path, object? Value)[] fields)
    {
        long messages = rate == 0 ? Messages : rate * Seconds;
        string runId = $"r1-{library}-{delivery}-{clients}-{work}-{rate}";
        long roundTripNs = rate == 0 ? (long)(clients * Seconds * 1e9 / messages) : (long)(delayMs * 1e6);
        return MadeUp.With(MadeUp.Run(runId),
        [
            .. MadeUp.Lasting(Seconds),
            .. MadeUp.Answered(messages, roundTripNs),
            .. MadeUp.Busy("server", serverCores * Seconds),
            ("library", library),
            ("settings.delivery", delivery),
            ("settings.clients", clients),
            .. OfLoad(work, rate, messages, deliveries),
            .. fields,
        ]);
    }

    static (string, object?)[] OfLoad(string work, int rate, long messages, long deliveries) =>
    [
        ("settings.work", work),
        ("settings.rate", rate),
        ("settings.seconds", (double)Seconds),
        ("client.window.outcomes.send_lag_ns", rate == 0 ? new JArray() : Times(0.1, messages)),
        ("client.window.outcomes.deliveries_due", deliveries),
        ("client.window.outcomes.deliveries", deliveries),
    ];

    static (string, object?)[] OfGame(int players) =>
    [
        ("settings.tick_hz", 20),
        ("settings.snapshot_bytes", 1_000),
        ("settings.payload_bytes", 48),
        ("server.window.ticks", 200),
        ("client.window.outcomes.delivery_ns", Times(2, 200L * players)),
    ];
}
