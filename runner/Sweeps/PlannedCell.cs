using System.Text.RegularExpressions;

/// <summary>A cell as a sweep plans it. Rate: messages/s over all clients, 0 for the closed loop, or a
/// percentage of what the cell's closed loop makes, such as 50%.</summary>
sealed partial record PlannedCell(
    string Work, string Library, string Delivery, string Variant, string Security, string Profile,
    string Clients, string Parallel, string PayloadBytes, string Rate, PlannedLink? Link)
{
    const string ClosedLoopRate = "0";
    const string AtRate = "-at-";
    const string UsualPayloadBytes = "32";

    /// <summary>The part of the capacity in %; null where the rate is a number.</summary>
    public int? Percent => Rate.EndsWith('%') ? int.Parse(Rate[..^1]) : null;

    /// <summary>What is the same in the ids of its runs; what most sweeps have is not named.</summary>
    public string Name => string.Join('-', [Library, Delivery, .. Unusual, LoadName]);

    /// <summary>In the progress; what is usual goes without saying.</summary>
    public string Title => $"{OwnTitle} {LoadTitle}";

    /// <summary>The part of its title that is its own among those of its load.</summary>
    public string OwnTitle => string.Join(' ', [Library, Delivery, .. Unusual]);

    /// <summary>The part of its name that all libraries share.</summary>
    public string LoadName
    {
        get
        {
            var work = IsEcho ? PayloadBytes : IsStream ? $"{Work}-{PayloadBytes}" : Work;
            var link = Link == null ? "" : $"-{Link.Name}";
            var rate = Rate == ClosedLoopRate ? "" : AtRate + Rate.Replace("%", "pct");
            return $"{Clients}x{Parallel}-{work}{link}{rate}";
        }
    }

    /// <summary>The part of its title that all libraries share.</summary>
    public string LoadTitle
    {
        get
        {
            var work = IsEcho ? "" : $" {Work}";
            var hasUsualBytes = PayloadBytes == UsualPayloadBytes || !SweepSettings.IsOfMessages(Work);
            var bytes = hasUsualBytes ? "" : $" of {PayloadBytes} bytes";
            var rate = Rate == ClosedLoopRate ? "" : $" at {Rate}";
            var link = Link == null ? "" : $" over {Link.Title}";
            return $"{Clients} x {Parallel}{work}{bytes}{rate}{link}";
        }
    }

    /// <summary>Its words among the libraries of `runner run`; the last that are usual are left out.</summary>
    public string Word
    {
        get
        {
            var profile = Unusual.Any() ? $"/{Profile}" : "";
            var variant = IsUsualVariant && IsOpen ? "" : $"/{Variant}";
            var security = IsOpen ? "" : $"/{Security}";
            return $"{Library}/{Delivery}{profile}{variant}{security}";
        }
    }

    /// <summary>Id of its run in a launch.</summary>
    public string RunId(int launch) => $"r{launch}-{Name}";

    /// <summary>The flags of its load that all libraries share.</summary>
    public string LoadFlags
    {
        get
        {
            var rate = Percent == null ? $"--rate {Rate}" : $"--rate-percent {Percent}";
            return $"--work {Work} --clients {Clients} --parallel {Parallel} --payload-bytes {PayloadBytes} "
                + $"{rate}{Link?.Flags}";
        }
    }

    /// <summary>Its own flags.</summary>
    public string OwnFlags
    {
        get
        {
            var security = IsOpen ? "" : $" --security {Security}";
            return $"--delivery {Delivery} --profile {Profile} --variant {Variant}{security}";
        }
    }

    /// <summary>The flags by which a bench says whether it can do it; a bench knows no percentages and no
    /// links.</summary>
    public string FlagsOfBench
    {
        get
        {
            var ofBench = this with { Rate = Percent == null ? Rate : "1", Link = null };
            return $"{OwnFlags} {ofBench.LoadFlags}";
        }
    }

    /// <summary>Of the id of a run: its launch, the names of its cell and of the one in which its capacity is
    /// measured.</summary>
    public static (int? Launch, string Cell, string ClosedLoop) Of(string runId)
    {
        var parts = Launch().Match(runId);
        if (!parts.Success)
            return (null, runId, runId.Split(AtRate)[0]);
        var name = parts.Groups["name"].Value;
        return (int.Parse(parts.Groups["launch"].Value), name, name.Split(AtRate)[0]);
    }

    /// <summary>Why no bench can do it; null: one may. A percentage is of what a closed loop makes, which has
    /// slots.</summary>
    public string? Refusal
    {
        get
        {
            var rate = Percent == null ? int.Parse(Rate) : 1;
            return global::Refusal.Of(Work, int.Parse(Clients), int.Parse(Parallel), rate);
        }
    }

    bool IsEcho => Work == SweepSettings.Echo;
    bool IsStream => Work == Arrivals.Stream;
    bool IsOpen => Security == SweepSettings.NoSecurity;
    bool IsUsualVariant => Variant == SweepSettings.UsualVariant;

    IEnumerable<string> Unusual
    {
        get
        {
            if (!IsUsualVariant)
                yield return Variant;
            if (!IsOpen)
                yield return Security;
            if (Profile != SweepSettings.DefaultProfile)
                yield return Profile;
        }
    }

    [GeneratedRegex("^r(?<launch>[0-9]{1,9})-(?<name>.*)$")]
    private static partial Regex Launch();
}
