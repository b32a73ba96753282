/// <summary>How sure the figures of a report are: how closely ratios are known, what was
/// marked, and what else went on meanwhile.</summary>
sealed class Certainty(Sweep sweep, Page page, bool hasCharts)
{
    static readonly string[] marksOfSpread = ["wide", "noisy", "unstable"];

    /// <summary>Writes it under a heading.</summary>
    public void Write()
    {
        page.Line("\n## How sure is it?\n");
        if (sweep.Cells.Any(cell => cell.Measured))
        {
            if (WakeUp.InWords(sweep) is { } wakeUp)
                page.Line(Text.LongMarkdown(wakeUp));
            Marks();
            NoiseSection.Write(sweep, page);
        }
        else
        {
            page.Line("Nothing was measured.");
        }
        if (sweep.Unreadable.Count == 0)
            return;
        page.Line($"\n{Text.Count(sweep.Unreadable.Count, "line")} could not be read:\n");
        foreach (var fault in sweep.Unreadable)
            page.Line($"- {Text.Markdown(fault)}");
    }

    /// <summary>How closely the ratios are known, and what is not told apart; not escaped. Null where nothing is held
    /// against a baseline.</summary>
    public static string? InWords(Sweep sweep)
    {
        Cell[] rows =
        [
            .. sweep.Cells.Where(cell => cell.IsDrawn && cell.HalfWidth != null).OrderBy(cell => cell.HalfWidth),
        ];
        if (rows.Length == 0)
            return null;
        var median = Statistic.Of(rows.Select(cell => cell.HalfWidth))!.Median;
        var widest = rows[^1];
        var within = sweep.Until is { } until
            ? $" {rows.Count(cell => cell.HalfWidth <= until):N0} of {Text.Count(rows.Length, "row")}"
                + $" are within the {Ratios.HalfWidth(until)} asked for."
            : "";
        var launches = rows.Min(cell => cell.ToBaseline!.Launches);
        var ofRounds =
            launches < RoundRatio.LeastLaunches
                ? $", by the rounds of {Text.Count(launches, "launch", "es")} alone"
                : "";
        var rankings = new Rankings(sweep.Cells);
        var told = rankings.Pairs.Length > 0 ? $" {rankings.InWords()}" : "";
        return $"Ratios to the baseline are known within {Ratios.HalfWidth(median)} (median of "
            + $"{Text.Count(rows.Length, "row")}; widest {Ratios.HalfWidth(widest.HalfWidth!.Value)}, "
            + $"{widest.Name} {widest.Kind} {widest.Clients:N0} x {widest.Parallel:N0}), "
            + $"at 95 %, on this machine in this hour{ofRounds}.{within}{told}";
    }

    void Marks()
    {
        Cell[] measured = [.. sweep.Cells.Where(cell => cell.Measured)];
        (string Mark, Func<Cell, bool> Bears)[] marks =
        [
            .. marksOfSpread.Select(mark => (mark, (Func<Cell, bool>)(cell => cell.Mark == mark))),
            ("not warm", cell => cell.Launches.Any(launch => launch.NotWarm)),
            ("invalid", cell => cell.Invalid.Length > 0),
            ("invalid for latency", cell => cell.InvalidForLatency.Length > 0),
        ];
        string[] borne =
        [
            .. marks
                .Select(mark => (mark.Mark, Rows: measured.Count(mark.Bears)))
                .Where(mark => mark.Rows > 0)
                .Select(mark => $"{mark.Rows:N0} {mark.Mark}"),
        ];
        var undrawn = measured.Count(cell => !cell.IsDrawn);
        var notDrawn = hasCharts && undrawn > 0 ? $" Not drawn, as invalid: {Text.Count(undrawn, "row")}." : "";
        if (borne.Length > 0)
            page.Line($"Marked of {Text.Count(measured.Length, "row")}: {string.Join(", ", borne)}.{notDrawn}");
        if (measured.Count(cell => cell.MixesVersions) is > 0 and var mixed)
            page.Line($"Not of one version of the library: the launches of {Text.Count(mixed, "cell")}.");
    }
}
