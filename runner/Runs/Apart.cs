using System.Diagnostics;

/// <summary>Leads one library's launch by itself: lets it warm up without a break, and measures one window.</summary>
static class Apart
{
    /// <summary>Leads it to its end; returns the exit code. Because: why it is not measured in turn, though rounds were
    /// asked for.</summary>
    public static int Lead(Member member, Link? link, string? because = null)
    {
        var wall = Stopwatch.StartNew();
        if (link != null) link.Died += member.LoseLink;
        try
        {
            var linkBefore = link?.Truth;
            member.Connect();
            var warmth = WarmUp(member);
            var countsBefore = link?.Count();
            member.Open("warmup");
            member.Wait(member.Settings.Seconds < 0 ? int.MaxValue : member.Settings.Seconds);
            member.Close();
            var counts = link?.Count();
            member.Rest("drain", member.RestSeconds);
            var truth = link == null ? null : new LinkTruth(linkBefore!, link.Measure(), countsBefore!, counts!).Record;
            member.End(() => member.Launch(warmth.Seconds, warmth.IsWarm, wall.Elapsed.TotalSeconds, apartBecause: because, linkTruth: truth));
            return member.StopAsked ? Exit.Interrupted : Exit.Done;
        }
        catch (Failure fault)
        {
            member.Fail(fault);
            return fault.ExitCode;
        }
        finally
        {
            if (link != null) link.Died -= member.LoseLink;
        }
    }

    static Warmth WarmUp(Member member)
    {
        member.Go();
        var (settings, clock, before) = (member.Settings, Stopwatch.StartNew(), member.Count());
        var warmth = new Warmth(settings.WarmupSeconds, isPaced: settings.Rate > 0, lanes: settings.Rate > 0 ? 0 : settings.Lanes);
        while (!warmth.IsOver)
        {
            member.Wait(Math.Min(Warmth.LookSeconds, warmth.MostSeconds - warmth.Seconds));
            var now = member.Count();
            warmth.Add(clock.Elapsed.TotalSeconds - warmth.Seconds, now.Completed - before.Completed, now.CompiledMethods - before.CompiledMethods);
            before = now;
        }
        member.Wait(0);
        return warmth;
    }
}
