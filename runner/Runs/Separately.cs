using System.Diagnostics;

/// <summary>Leads one library's launch by itself: lets it warm up without a break, and measures one window.</summary>
static class Separately
{
    /// <summary>Leads it to its end. Because: why it is not interleaved with others, though rounds were asked for.
    /// </summary>
    public static void Lead(Participant participant, Link? link, string? because = null)
    {
        var wall = Stopwatch.StartNew();
        if (link != null)
        {
            link.Died += participant.LoseLink;
        }
        try
        {
            LinkProbe? linkBefore = link?.Truth;
            participant.Connect();
            Warmth warmth = WarmUp(participant);
            LinkState? countsBefore = link?.Count();
            participant.Begin(fromOutside: true);
            double seconds = participant.Settings.Seconds;
            double leastSeconds = participant.Settings.LeastWindowSeconds;
            participant.Wait(seconds < 0 ? int.MaxValue : Math.Max(seconds, leastSeconds));
            participant.End(fromOutside: true);
            LinkState? counts = link?.Count();
            participant.Drain("window", participant.DrainSeconds);
            LinkPart? ofLink = link == null
                ? null
                : new LinkTruth(linkBefore!, link.Measure(), link.Cpu, countsBefore!, counts!).Part;
            participant.Finish(() => participant.LaunchRecord(
                warmth, wall.Elapsed.TotalSeconds, separatelyBecause: because, link: ofLink));
        }
        catch (Failure fault)
        {
            participant.Fail(fault);
        }
        finally
        {
            if (link != null)
            {
                link.Died -= participant.LoseLink;
            }
        }
    }

    static Warmth WarmUp(Participant participant)
    {
        LaunchSettings settings = participant.Settings;
        participant.Start();
        var clock = Stopwatch.StartNew();
        var before = participant.Count();
        bool isPaced = settings.Rate > 0;
        var warmth = new Warmth(settings.WarmupSeconds, isPaced, isPaced ? 0 : settings.Slots);
        while (!warmth.IsOver)
        {
            participant.Wait(Math.Min(Warmth.LookSeconds, warmth.MostSeconds - warmth.Seconds));
            var now = participant.Count();
            warmth.Add(
                clock.Elapsed.TotalSeconds - warmth.Seconds,
                now.Completed - before.Completed,
                now.CompiledMethods - before.CompiledMethods);
            before = now;
        }
        return warmth;
    }
}
