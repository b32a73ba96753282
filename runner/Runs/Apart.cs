using System.Diagnostics;

/// <summary>Leads one library's launch by itself: lets it warm up without a break, and measures one window.</summary>
static class Apart
{
    /// <summary>Leads it to its end; returns the exit code. Because: why it is not measured in turn, though rounds were
    /// asked for.</summary>
    public static int Lead(Member member, string? because = null)
    {
        var wall = Stopwatch.StartNew();
        try
        {
            member.Connect();
            var warmth = WarmUp(member);
            member.Open("warmup");
            member.IsOpen = true;
            member.Wait(member.Settings.Seconds < 0 ? int.MaxValue : member.Settings.Seconds);
            member.Close();
            member.Rest("drain", member.RestSeconds);
            member.End(() => member.Launch(warmth.Seconds, warmth.IsWarm, wall.Elapsed.TotalSeconds, apartBecause: because));
            return member.StopAsked ? Exit.Interrupted : Exit.Done;
        }
        catch (Failure fault)
        {
            member.Fail(fault);
            return fault.ExitCode;
        }
    }

    static Warmth WarmUp(Member member)
    {
        member.Go();
        var (clock, warmth, before) = (Stopwatch.StartNew(), new Warmth(member.Settings.WarmupSeconds), 0L);
        while (!warmth.IsOver)
        {
            member.Wait(Math.Min(Warmth.LookSeconds, warmth.MostSeconds - warmth.Seconds));
            var came = member.Count();
            warmth.Add(clock.Elapsed.TotalSeconds - warmth.Seconds, came - before);
            before = came;
        }
        member.Wait(0);
        return warmth;
    }
}
