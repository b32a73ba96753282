using System.Text.RegularExpressions;

/// <summary>A cell as a sweep plans it. Rate: messages/s over all clients, 0 for the closed loop, or a
/// percentage of what the cell's closed loop makes, such as 50%.</summary>
sealed partial record PlannedCell(
    string Work, string Library, string Delivery, string Variant, string Security, string Profile,
    string Clients, string Parallel, string PayloadBytes, string Rate, PlannedLink? Link)
{
    const string ClosedLoopRate = "0", AtRate = "-at-", UsualPayloadBytes = "32";

    /// <summary>The part of the capacity in %; null where the rate is a number.</summary>
    public int? Percent => Rate.EndsWith('%') ? int.Parse(Rate[..^1]) : null;

    /// <summary>What is the same in the ids of its runs; what most sweeps have is not named.</summary>
    public string Name => string.Join('-', [Library, Delivery, .. Unusual, LoadName]);

    /// <summary>In the progress; what is usual goes without saying.</summary>
    public string Title => $"{OwnTitle} {LoadTitle}";

    /// <summary>The part of its title that is its own among those of its load.</summary>
    public string OwnTitle => string.Join(' ', [Library, Delivery, .. Unusual]);

    /// <summary>The part of its name that all libraries share.</summary>
    public string LoadName => $"{Clients}x{Parallel}-{(IsEcho ? PayloadBytes : IsStream ? $"{Work}-{PayloadBytes}" : Work)}" + (Link == null ? "" : $"-{Link.Name}")
        + (Rate == ClosedLoopRate ? "" : $"{AtRate}{Rate.Replace("%", "pct")}");

    /// <summary>The part of its title that all libraries share.</summary>
    public string LoadTitle => $"{Clients} x {Parallel}" + (!IsEcho ? $" {Work}" : "") + (!IsEcho && !IsStream || PayloadBytes == UsualPayloadBytes ? "" : $" of {PayloadBytes} bytes")
        + (Rate == ClosedLoopRate ? "" : $" at {Rate}") + (Link == null ? "" : $" over {Link.Title}");

    /// <summary>Its words among the libraries of `runner run`; the last that are usual are left out.</summary>
    public string Word => $"{Library}/{Delivery}"
        + (Unusual.Any() ? $"/{Profile}" : "") + (IsUsualVariant && IsOpen ? "" : $"/{Variant}") + (IsOpen ? "" : $"/{Security}");

    /// <summary>Id of its run in a launch.</summary>
    public string RunId(int launch) => $"r{launch}-{Name}";

    /// <summary>The flags of its load that all libraries share.</summary>
    public string LoadFlags => $"--work {Work} --clients {Clients} --parallel {Parallel} --payload-bytes {PayloadBytes} "
        + (Percent == null ? $"--rate {Rate}" : $"--rate-percent {Percent}") + Link?.Flags;

    /// <summary>Its own flags.</summary>
    public string OwnFlags => $"--delivery {Delivery} --profile {Profile} --variant {Variant}" + (IsOpen ? "" : $" --security {Security}");

    /// <summary>The flags by which a bench says whether it can do it; a bench knows no percentages and no links.</summary>
    public string FlagsOfBench => $"{OwnFlags} {(this with { Rate = Percent == null ? Rate : "1", Link = null }).LoadFlags}";

    /// <summary>Of the id of a run: its launch, the names of its cell and of the one in which its capacity is measured.</summary>
    public static (int? Launch, string Cell, string ClosedLoop) Of(string runId)
    {
        var parts = Launch().Match(runId);
        var name = parts.Success ? parts.Groups["name"].Value : runId;
        return (parts.Success ? int.Parse(parts.Groups["launch"].Value) : null, name, name.Split(AtRate)[0]);
    }

    /// <summary>Why no bench can do it; null: one may. A percentage is of what a closed loop makes, which has slots.</summary>
    public string? Refusal => global::Refusal.Of(Work, int.Parse(Clients), int.Parse(Parallel), Percent == null ? int.Parse(Rate) : 1);

    bool IsEcho => Work == SweepSettings.Echo;
    bool IsStream => Work == Carried.Stream;
    bool IsOpen => Security == SweepSettings.NoSecurity;
    bool IsUsualVariant => Variant == SweepSettings.UsualVariant;

    IEnumerable<string> Unusual =>
        [.. IsUsualVariant ? [] : new[] { Variant }, .. IsOpen ? [] : new[] { Security }, .. Profile == SweepSettings.DefaultProfile ? [] : new[] { Profile }];

    [GeneratedRegex("^r(?<launch>[0-9]{1,9})-(?<name>.*)$")]
    private static partial Regex Launch();
}
