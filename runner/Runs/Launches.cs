/// <summary>What one call of `run` measures: a library, or several under one load, in turn or one after another.</summary>
sealed class Launches(RunPlan plan, Hosts hosts, RawFile raw, string? traceFolder) : IDisposable
{
    readonly Dictionary<RunPlan.Planned, Member> members = [];
    Block? block;
    Link? link;
    volatile bool stopAsked;

    /// <summary>Asks them to stop: a window that is open ends and is written.</summary>
    public void Stop()
    {
        stopAsked = true;
        block?.Stop();
        foreach (var member in Living()) member.Stop();
    }

    /// <summary>Leads them to their end and tells what came of each; returns the exit code, of faults the first's.</summary>
    public int Lead(Action<string> tell)
    {
        var isAlone = plan.BlockId == null && plan.All.Count == 1;
        void Tell(RunPlan.Planned of, string outcome)
        {
            if (outcome != "") tell(isAlone ? outcome : $"  {of.Title}: {outcome}");
        }
        foreach (var (of, reason) in plan.WithoutRate) Tell(of, $"failed: {reason}");
        var because = plan.BlockId == null || plan.Members.Length == 0 ? null : LeadInTurn(plan.BlockId, Tell);
        if (plan.BlockId == null || because != null)
            foreach (var of in plan.Members)
            {
                if (stopAsked && members.Count > 0) break;
                var member = New(of, mayBeginAnew: false, MakeLink(of.Settings, out var fault));
                if (stopAsked) member.Stop();
                if (fault != null) member.Fail(fault); else Apart.Lead(member, link, because);
                Tell(of, member.Outcome);
            }
        return stopAsked ? Exit.Interrupted : plan.WithoutRate.Count > 0 ? Exit.Failed
            : members.Values.Select(member => member.ExitCode).FirstOrDefault(code => code != Exit.Done);
    }

    public void Dispose()
    {
        link?.Dispose();
        foreach (var member in Living()) member.Dispose();
    }

    // Returns why they cannot be; null where they were.
    string? LeadInTurn(string id, Action<RunPlan.Planned, string> tell)
    {
        Array.ForEach(plan.Members, of => New(of, mayBeginAnew: true));
        var settings = plan.Members[0].Settings;
        block = new(id, [.. members.Values], settings, hosts.Any ? null : CpuDistance.Pair(settings.ServerCpus, settings.ClientCpus));
        if (stopAsked) block.Stop();
        var because = block.Lead();
        if (because == null)
            foreach (var (of, member) in members) tell(of, member.Outcome + block.ToPlain(member));
        else Console.Error.WriteLine($"Measured apart, one library after another: {because}");
        return because;
    }

    Member New(RunPlan.Planned of, bool mayBeginAnew, Link? link = null)
    {
        var settings = link == null ? of.Settings : of.Settings with { Address = LinkVerb.ServerAddress, Port = link.NextPort };
        lock (members) return members[of] = new(of.Library, settings, hosts, raw, traceFolder, mayBeginAnew, link);
    }

    // One for all of the block, and a new one where it died.
    Link? MakeLink(RunSettings settings, out Failure? fault)
    {
        fault = null;
        if (settings.RttMs == null) return null;
        if (link is { IsDead: false }) return link;
        link?.Dispose();
        try { return link = Link.Make(settings, hosts); }
        catch (Failure why)
        {
            fault = why;
            return link = null;
        }
    }

    // Whoever stops them may do so while one begins.
    Member[] Living()
    {
        lock (members) return [.. members.Values];
    }
}
