using Newtonsoft.Json.Linq;

/// <summary>Made-up launches of libraries that were measured in turn.</summary>
static class InTurn
{
    const double RoundSeconds = 0.08;

    /// <summary>Launches of one cell. Rates: of each launch the messages/s of its rounds, which are those of the same
    /// block in every cell of as many clients and as reliable a delivery.</summary>
    public static JObject[] Cell(string library, string delivery, int clients, double[][] rates,
        params (string Path, object? Value)[] fields) => [.. rates.SelectMany((rounds, i) =>
    {
        var runId = $"r{i + 1}-{library}-{delivery}-{clients}x1-32";
        var records = MadeUp.Cell(library, delivery, clients, [rounds.Order().ElementAt(rounds.Length / 2)],
            ("run_id", runId), ("settings.run_id", runId));
        var launch = records.Single(record => Record.KindOf(record) == "launch");
        launch["block"] = $"r{i + 1}-{(delivery == "unreliable" ? delivery : "reliable")}-{clients}x1-32";
        launch["settings"]!["rounds"] = rounds.Length;
        launch["rounds"] = RecordOf([.. rounds.Select(rate => (long)Math.Round(rate * RoundSeconds))]);
        return MadeUp.With([.. records.SelectMany(record => (string?)record["phase"] == "window"
            ? new[] { OfRounds(record), record } : [record])], fields);
    })];

    /// <summary>Launches of several libraries in the same rounds, in which the machine drifts: each is so many times as
    /// fast as a machine of 10,000 messages/s, but for chance in each launch and in each round.</summary>
    public static JObject[] Block(int seed, int launches, int clients, params (string Library, double Speed)[] libraries)
    {
        const int Rounds = 20;
        const double OfDrift = 0.1, OfLaunch = 0.01, OfRound = 0.03;
        var random = new Random(seed);
        double Chance(double spread) => Math.Exp(spread * (random.NextDouble() + random.NextDouble() + random.NextDouble() - 1.5) * 2);
        var drift = Enumerable.Range(0, launches).Select(_ =>
            Enumerable.Range(0, Rounds).Select(_ => Chance(OfDrift)).ToArray()).ToArray();
        return [.. libraries.SelectMany(library => Cell(library.Library, "unreliable", clients, [.. drift.Select(launch =>
        {
            var speed = 10_000 * library.Speed * Chance(OfLaunch);
            return launch.Select(round => speed * round * Chance(OfRound)).ToArray();
        })]))];
    }

    static JObject RecordOf(long[] completed)
    {
        JArray All(Func<int, long> of) => [.. completed.Select((_, i) => of(i))];
        return new()
        {
            ["started_ms"] = All(i => 1_000 * i), ["spent_ms"] = All(_ => 120), ["place"] = All(_ => 0),
            ["elapsed_ns"] = All(_ => MadeUp.Ns(RoundSeconds)), ["completed"] = All(i => completed[i]), ["lost"] = All(_ => 0),
            ["client_cpu_ns"] = All(i => 60_000 * completed[i]), ["server_cpu_ns"] = All(i => 40_000 * completed[i]),
        };
    }

    // What all rounds add up to: the same as the window.
    static JObject OfRounds(JObject window)
    {
        var rounds = (JObject)window.DeepClone();
        (rounds["phase"], rounds["outside"]) = ("rounds", null);
        return rounds;
    }
}
