/// <summary>What one call of `run` measures: a library, or several under one load, in turn or one after another.</summary>
sealed class Launches(string id, string? blockName, Launches.Planned[] planned, Hosts hosts, RawFile raw, string? traceFolder)
    : IDisposable
{
    /// <summary>A library with the settings of its launch.</summary>
    public sealed record Planned(string Library, RunSettings Settings);

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

    /// <summary>Leads them to their end; returns the exit code, of a fault the first's. As each ends its outcome is told.</summary>
    public int Lead(Action<Planned, string> tell)
    {
        string? because = null;
        if (blockName != null)
        {
            members.AddRange(planned.Select(New));
            block = new($"{id}-{blockName}", [.. members], planned[0].Settings);
            if (stopAsked) block.Stop();
            because = block.Lead();
            if (because == null)
            {
                foreach (var (of, member) in planned.Zip(members)) tell(of, member.Outcome);
                return ExitCode(members.Select(member => member.ExitCode));
            }
            Console.Error.WriteLine($"Measured apart, one library after another: {because}");
        }
        members.Clear();
        foreach (var of in planned.TakeWhile(_ => !stopAsked))
        {
            var member = New(of);
            members.Add(member);
            Apart.Lead(member, because);
            tell(of, member.Outcome);
        }
        return ExitCode(members.Select(member => member.ExitCode));
    }

    public void Dispose()
    {
        foreach (var member in members.ToArray()) member.Dispose();
    }

    Member New(Planned of) => new(of.Library, of.Settings, hosts, raw, traceFolder);

    int ExitCode(IEnumerable<int> codes) => stopAsked ? Exit.Interrupted : codes.FirstOrDefault(code => code != Exit.Done);
}
