using System.Text.RegularExpressions;

/// <summary>A cell as a sweep plans it. Rate: messages/s over all clients, 0 for the closed loop, or a
/// percentage of what the cell's closed loop makes, such as 50%.</summary>
sealed partial record PlannedCell(
    string Library, string Delivery, string Clients, string Parallel, string PayloadBytes, string Profile, string Rate)
{
    const string ClosedLoopRate = "0";

    /// <summary>The cell that its capacity is measured in.</summary>
    public PlannedCell ClosedLoop => this with { Rate = ClosedLoopRate };

    /// <summary>The part of the capacity in %; null where the rate is a number.</summary>
    public int? Percent => Rate.EndsWith('%') ? int.Parse(Rate[..^1]) : null;

    /// <summary>What is the same in the ids of its runs; what most sweeps have is not named.</summary>
    public string Name => $"{Library}-{Delivery}-{Clients}x{Parallel}-{PayloadBytes}"
        + (Profile == SweepSettings.DefaultProfile ? "" : $"-{Profile}")
        + (Rate == ClosedLoopRate ? "" : $"-at-{Rate.Replace("%", "pct")}");

    /// <summary>Id of its first attempt in a repeat.</summary>
    public string RunId(int repeat) => $"r{repeat}-{Name}";

    /// <summary>True for the id of any attempt of any repeat.</summary>
    public bool IsRun(string runId) => Repeat().Replace(Attempt.Run(runId), "") == Name;

    /// <summary>As a line of the plan has it.</summary>
    public override string ToString() =>
        $"{Library} {Delivery} {Clients} {Parallel} {PayloadBytes} {Profile} {Rate}";

    /// <summary>That of a line's words; null where they are none.</summary>
    public static PlannedCell? Of(string[] words) =>
        words is [var library, var delivery, var clients, var parallel, var payload, var profile, var rate]
            && RatePattern().IsMatch(rate) ? new(library, delivery, clients, parallel, payload, profile, rate) : null;

    [GeneratedRegex("^r[0-9]+-")]
    private static partial Regex Repeat();

    [GeneratedRegex(@"^[0-9]{1,9}%?\z")]
    private static partial Regex RatePattern();
}
