/// <summary>What one call of `run` measures: a library, or several under one load, interleaved or one after
/// another.</summary>
sealed class Launches(RunPlan plan, Hosts hosts, RawFile raw, string? traceFolder) : IDisposable
{
    readonly Dictionary<RunPlan.Planned, Participant> participants = [];
    Block? block;
    Link? link;
    volatile bool isStopAsked;

    /// <summary>Asks them to stop: a window that is open ends and is written.</summary>
    public void Stop()
    {
        isStopAsked = true;
        block?.Stop();
        foreach (Participant participant in Living())
        {
            participant.Stop();
        }
    }

    /// <summary>Leads them to their end and tells what came of each; returns the exit code, of faults the
    /// first's.</summary>
    public int Lead(Action<string> tell)
    {
        bool isAlone = plan.BlockId == null && plan.All.Count == 1;
        void Tell(RunPlan.Planned planned, string outcome)
        {
            if (outcome != "")
            {
                tell(isAlone ? outcome : $"  {planned.Title}: {outcome}");
            }
        }

        foreach (var (planned, reason) in plan.WithoutRate)
        {
            Tell(planned, $"failed: {reason}");
        }
        string? because = null;
        if (plan.BlockId != null && plan.Members.Length > 0)
        {
            because = LeadInterleaved(plan.BlockId, Tell);
        }
        if (plan.BlockId == null || because != null)
        {
            LeadSeparately(because, Tell);
        }
        if (isStopAsked)
        {
            return Exit.Interrupted;
        }
        if (plan.WithoutRate.Count > 0)
        {
            return Exit.Failed;
        }
        return participants
            .Where(one => one.Value.ExitCode != Exit.Failed || !IsStepOfSearch(one.Key))
            .Select(one => one.Value.ExitCode)
            .FirstOrDefault(code => code != Exit.Done);
    }

    public void Dispose()
    {
        link?.Dispose();
        foreach (Participant participant in Living())
        {
            participant.Dispose();
        }
    }

    // Where a side fails, so many players do not fit, which is an answer. A bench that is broken has failed before, in
    // the launch of the load with which its search began.
    static bool IsStepOfSearch(RunPlan.Planned planned) => SearchRuns.Of(planned.Settings.RunId) != null;

    // Returns why they cannot be; null where they were.
    string? LeadInterleaved(string id, Action<RunPlan.Planned, string> tell)
    {
        foreach (RunPlan.Planned planned in plan.Members)
        {
            New(planned, planned.Settings, mayBeginAnew: true);
        }
        LaunchSettings settings = plan.Members[0].Settings;
        var cpus = hosts.Any ? null : CpuDistance.Pair(settings.ServerCpus, settings.ClientCpus);
        block = new Block(id, [.. participants.Values], settings, cpus);
        if (isStopAsked)
        {
            block.Stop();
        }
        string? because = block.Lead();
        if (because != null)
        {
            Console.Error.WriteLine($"Measured separately, one library after another: {because}");
            return because;
        }
        foreach (var (planned, participant) in participants)
        {
            tell(planned, participant.Outcome + block.RatioToFirst(participant));
        }
        return null;
    }

    void LeadSeparately(string? because, Action<RunPlan.Planned, string> tell)
    {
        foreach (RunPlan.Planned planned in plan.Members)
        {
            if (isStopAsked && participants.Count > 0)
            {
                break;
            }
            Participant participant = New(planned, out Failure? fault);
            if (isStopAsked)
            {
                participant.Stop();
            }
            if (fault != null)
            {
                participant.Fail(fault);
            }
            else
            {
                Separately.Lead(participant, link, because);
            }
            tell(planned, participant.Outcome);
        }
    }

    // On the link that its settings ask for, if any; fault: why that could not be made.
    Participant New(RunPlan.Planned planned, out Failure? fault)
    {
        fault = null;
        LaunchSettings settings = planned.Settings;
        if (settings.RttMs != null)
        {
            fault = MakeLink(settings);
        }
        if (link != null)
        {
            settings = link.Of(settings);
        }
        return New(planned, settings, mayBeginAnew: false);
    }

    Participant New(RunPlan.Planned planned, LaunchSettings settings, bool mayBeginAnew)
    {
        var participant = new Participant(planned.Library, settings, hosts, raw, traceFolder, mayBeginAnew, link);
        lock (participants)
        {
            participants[planned] = participant;
        }
        return participant;
    }

    // One for all of the block, and a new one where it died; returns why there is none.
    Failure? MakeLink(LaunchSettings settings)
    {
        if (link is { IsDead: false })
        {
            return null;
        }
        link?.Dispose();
        link = null;
        try
        {
            link = Link.Make(settings, hosts);
            return null;
        }
        catch (Failure fault)
        {
            return fault;
        }
    }

    // Whoever stops them may do so while one begins.
    Participant[] Living()
    {
        lock (participants)
        {
            return [.. participants.Values];
        }
    }
}
