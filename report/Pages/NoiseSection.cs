/// <summary>What disturbed the launches of a sweep, as far as the machines tell: in all, and of each
/// launch that was disturbed, whether it counts or was measured again.</summary>
sealed class NoiseSection(Sweep sweep, Page page)
{
    static readonly string[] columns = ["run", "library", "cell", "counts", "steal %", "other load %",
        "CPU pressure %", "canary %", "reasons"];

    /// <summary>Writes it.</summary>
    public void Write()
    {
        page.Line("\n## Noise\n");
        var launches = sweep.Cells.SelectMany(cell => cell.Launches.Concat(cell.Repeated)).ToArray();
        page.Line("Of the machine's CPU time in a launch's window (median, most): steal "
            + $"{Spread(launches, noise => noise.Steal)}, other load {Spread(launches, noise => noise.OtherLoad)}; "
            + $"some task waited for a CPU (PSI) {Spread(launches, noise => noise.Pressure)} of the time.");
        page.Line(Canaries());
        var disturbed = sweep.Cells
            .SelectMany(cell => cell.Launches.Select(launch => (cell, launch, Counts: true))
                .Concat(cell.Repeated.Select(launch => (cell, launch, Counts: false))))
            .Where(row => !row.Counts || row.launch.Disturbance.Is)
            .OrderBy(row => Text.NumbersPadded(row.launch.RunId), StringComparer.Ordinal).ToArray();
        page.Line($"{Text.Count(disturbed.Length, "launch", "es")} of {launches.Length:N0} disturbed, "
            + $"{disturbed.Count(row => !row.Counts):N0} of these measured again.");
        if (disturbed.Length == 0) return;
        page.Line("");
        page.Table(columns, disturbed.Select(row => Row(row.cell, row.launch, row.Counts)));
    }

    string Canaries()
    {
        var session = sweep.Session;
        if (session.Canaries == 0) return "No canary ran.";
        return $"{session.Canaries:N0} canar{(session.Canaries == 1 ? "y" : "ies")}: "
            + $"median {Text.Number(session.Median)} round trips/s, {Text.Number(session.Least)} to "
            + $"{Text.Number(session.Most)}.";
    }

    static string[] Row(Cell cell, Launch launch, bool counts) =>
    [
        Text.Markdown(launch.RunId), Text.Markdown(cell.Name),
        $"{cell.Delivery}, {Text.Count(cell.Clients, "client")} x {cell.Parallel:N0}"
            + (cell.ClosedLoop ? "" : $", {cell.Rate:N0} msgs/s"),
        counts ? "yes" : "no: measured again",
        Percent(launch.Disturbance.Steal), Percent(launch.Disturbance.OtherLoad),
        Percent(launch.Disturbance.Pressure), Percent(launch.Disturbance.Canary),
        launch.Disturbance.Is ? Text.Markdown(string.Join("; ", launch.Disturbance.Reasons))
            : "as judged when it was measured",
    ];

    static string Spread(Launch[] launches, Func<Disturbance, double?> share)
    {
        var shares = Statistic.Of(launches.Select(launch => share(launch.Disturbance)));
        return shares == null ? Text.Missing : $"{Percent(shares.Median)} %, {Percent(shares.Most)} %";
    }

    static string Percent(double? share) => Text.Number(100 * share);
}
