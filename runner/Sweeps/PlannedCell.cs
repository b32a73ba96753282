using System.Text.RegularExpressions;

/// <summary>A cell as a sweep plans it. Rate: messages/s over all clients, 0 for the closed loop, or a
/// percentage of what the cell's closed loop makes, such as 50%.</summary>
sealed partial record PlannedCell(
    string Library, string Delivery, string Clients, string Parallel, string PayloadBytes, string Profile, string Rate)
{
    const string ClosedLoopRate = "0", AtRate = "-at-";

    /// <summary>The part of the capacity in %; null where the rate is a number.</summary>
    public int? Percent => Rate.EndsWith('%') ? int.Parse(Rate[..^1]) : null;

    /// <summary>What is the same in the ids of its runs; what most sweeps have is not named.</summary>
    public string Name => $"{Library}-{Delivery}-{Clients}x{Parallel}-{PayloadBytes}"
        + (Profile == SweepSettings.DefaultProfile ? "" : $"-{Profile}")
        + (Rate == ClosedLoopRate ? "" : $"{AtRate}{Rate.Replace("%", "pct")}");

    /// <summary>In the progress; the usual profile and the closed loop go without saying.</summary>
    public string Title => $"{Library} {Delivery} {Clients} x {Parallel}"
        + (Profile == SweepSettings.DefaultProfile ? "" : $" {Profile}") + (Rate == ClosedLoopRate ? "" : $" at {Rate}");

    /// <summary>Id of its run in a repeat.</summary>
    public string RunId(int repeat) => $"r{repeat}-{Name}";

    /// <summary>The flags of its load alone.</summary>
    public string Load => $"--delivery {Delivery} --clients {Clients} --parallel {Parallel} --payload-bytes {PayloadBytes} "
        + $"--profile {Profile} " + (Percent == null ? $"--rate {Rate}" : $"--rate 1");

    /// <summary>The words of `runner run` for its run in a repeat.</summary>
    public string Words(int repeat, Dictionary<string, string> settings)
    {
        var pins = settings["pin"] == "none" ? "" : $" --server-cpus {settings["pin"].Split('/')[0]} --client-cpus {settings["pin"].Split('/')[1]}";
        return $"{Library} --run-id {RunId(repeat)} {(Percent == null ? Load : Load.Replace("--rate 1", $"--rate-percent {Percent}"))} "
            + $"--warmup-seconds {settings["warmup_seconds"]} --seconds {settings["seconds"]}{pins}"
            + (settings["trace"] == "yes" ? " --trace" : "")
            + string.Concat(SweepSettings.HostKeys.Where(settings.ContainsKey).Select(key => $" {SweepSettings.FlagOf(key)} {settings[key]}"));
    }

    /// <summary>The names of the cell that a run is of, and of the one in which its capacity is measured.</summary>
    public static (string Cell, string ClosedLoop) NamesOf(string runId)
    {
        var name = Repeat().Replace(runId, "");
        return (name, name.Split(AtRate)[0]);
    }

    [GeneratedRegex("^r[0-9]+-")]
    private static partial Regex Repeat();
}
