/// <summary>What one call of `run` measures: a library, or several under one load, in turn or one after another.</summary>
/// <param name="blockId">What their records call the block; null: apart.</param>
sealed class Launches(string? blockId, RunPlan.Planned[] planned, Hosts hosts, RawFile raw, string? traceFolder) : IDisposable
{
    readonly List<Member> members = [];
    Block? block;
    volatile bool stopAsked;

    /// <summary>Asks them to stop: a window that is open ends and is written.</summary>
    public void Stop()
    {
        stopAsked = true;
        block?.Stop();
        foreach (var member in members.ToArray()) member.Stop();
    }

    /// <summary>Leads them to their end and tells what came of each; returns the exit code, of faults the first's.</summary>
    public int Lead(Action<string> tell)
    {
        if (planned.Length == 0) return Exit.Failed;
        string? because = null;
        if (blockId != null)
        {
            members.AddRange(planned.Select(of => New(of, mayBeginAnew: true)));
            block = new(blockId, [.. members], planned[0].Settings);
            if (stopAsked) block.Stop();
            because = block.Lead();
            if (because == null)
            {
                foreach (var member in members.Where(member => member.Outcome != "")) tell($"  {Title(member)}: {member.Outcome}{block.ToPlain(member)}");
                return ExitCode;
            }
            Console.Error.WriteLine($"Measured apart, one library after another: {because}");
            members.Clear();
        }
        foreach (var of in planned)
        {
            if (stopAsked && members.Count > 0) break;
            var member = New(of, mayBeginAnew: false);
            members.Add(member);
            if (stopAsked) member.Stop();
            Apart.Lead(member, because);
            tell(planned.Length == 1 ? member.Outcome : $"  {Title(member)}: {member.Outcome}");
        }
        return ExitCode;
    }

    public void Dispose()
    {
        foreach (var member in members.ToArray()) member.Dispose();
    }

    int ExitCode => stopAsked ? Exit.Interrupted : members.Select(member => member.ExitCode).FirstOrDefault(code => code != Exit.Done);

    Member New(RunPlan.Planned of, bool mayBeginAnew) => new(of.Library, of.Settings, hosts, raw, traceFolder, mayBeginAnew);

    static string Title(Member member) => $"{member.Library} {member.Settings.Delivery}"
        + (member.Settings.Profile == "default" ? "" : $" {member.Settings.Profile}");
}
