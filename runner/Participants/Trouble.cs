using Newtonsoft.Json.Linq;

/// <summary>The clients of a launch that make trouble in rooms, in processes of their own: those that read nothing
/// while a window is open, which are stopped then, and those that leave and join again once per second. They are the
/// last of all clients, send nothing, and are in no figure but their own.</summary>
sealed class Trouble
{
    const double ReadySeconds = 60;
    const double AnswerSeconds = 30;
    const double PeriodSeconds = 1;

    readonly RunningSides sides;
    readonly Side? stalled;
    readonly Side? churning;
    readonly int churners;
    readonly List<long> joinNs = [];
    long leaves;
    bool isOpen;

    /// <summary>Starts them; returns when all are connected.</summary>
    public Trouble(RunningSides sides, LaunchSettings settings, string? certificateSha256)
    {
        if (settings.StalledClients > 0 && !Stillness.IsPossible)
        {
            throw new Failure(
                "This system cannot stop a process, so there can be no --stalled-clients.", Exit.Unsupported);
        }
        this.sides = sides;
        churners = settings.Churn;
        int first = settings.SoundClients;
        stalled = sides.StartTrouble(
            "stalled client", settings, first, settings.StalledClients, certificateSha256);
        Await(stalled, "ready", ReadySeconds);
        churning = sides.StartTrouble(
            "client that leaves", settings, first + settings.StalledClients, churners, certificateSha256);
        Await(churning, "ready", ReadySeconds);
    }

    /// <summary>What became of them.</summary>
    public TroublePart Part => new()
    {
        Leaves = leaves,
        JoinNs = [.. joinNs],
        StalledEnded = stalled == null ? null : (string?)sides.Trouble[stalled]?["reason"],
    };

    /// <summary>Begins with the window.</summary>
    public void Begin()
    {
        isOpen = true;
        stalled?.StandStill();
    }

    /// <summary>Lets time pass.</summary>
    public void Wait(double seconds)
    {
        double left = seconds;
        while (left > 0 && !sides.StopAsked)
        {
            double part = Math.Min(left, PeriodSeconds);
            if (isOpen && churning != null)
            {
                LeaveAndJoin();
            }
            sides.Until(() => sides.StopAsked, part);
            left -= part;
        }
    }

    /// <summary>Ends with the window. Those that stood still read again, and so see whether their connections
    /// held.</summary>
    public void End()
    {
        isOpen = false;
        stalled?.GoOn();
    }

    void LeaveAndJoin()
    {
        churning!.Say("leave");
        Await(churning, "leave", AnswerSeconds);
        leaves += churners;
        churning.Say("join");
        joinNs.AddRange(Await(churning, "join", AnswerSeconds)!["join_ns"]!.Values<long>());
    }

    // Of those that are not there nothing is awaited.
    JObject? Await(Side? side, string record, double seconds)
    {
        if (side == null)
        {
            return null;
        }
        bool HasSaid(string what) => (string?)sides.Trouble[side]?["record"] == what;
        if (!sides.Until(() => HasSaid(record) || HasSaid("error"), seconds) || HasSaid("error"))
        {
            string reason = (string?)sides.Trouble[side]?["reason"] ?? $"it did not say '{record}'";
            throw new Failure($"The {side.Name}: {reason.TrimEnd('.')}.");
        }
        return sides.Trouble[side];
    }
}
