using System.Globalization;

/// <summary>What a sweep is going to measure and about how long that takes, in words, before it begins. The figures
/// are those of sweeps on machines with two CPUs.</summary>
static class Forecast
{
    const int MostLoads = 12;

    // From starting a side to its being connected, and to its end; of `runner run` itself; of the link's probes, and of
    // the probe of its rate where it has one.
    const double StartSeconds = 1.3;
    const double LaunchSeconds = 0.5;
    const double ProbesSeconds = 1.5;
    const double RateProbeSeconds = 2;

    // Beside its settling a slice takes so long to go on, to drain and to stand still; the long window as well.
    const double SliceSeconds = 0.02;

    const double WindowFactor = 1.1;

    // Warm-ups end when rates are steady, which takes longer at a rate and without slots, and when little is compiled
    // any more. At the longest they take 10/3 of the least, and their slices the rest.
    const double WarmupFactor = 1.4;
    const double PacedWarmupFactor = 2.2;
    const double MostWarmupFactor = 4;

    // Round trips in which one launch connects, greets and drains over a link.
    const double LinkRoundTrips = 10;

    /// <summary>Lines that tell people of the launches of a sweep.</summary>
    public static IEnumerable<string> Of(SweepSettings settings, PlannedLaunch[] launches)
    {
        yield return $"preset: {settings.Preset}"
            + (settings.Changed is { Length: > 0 } changed ? $", changed: {string.Join("; ", changed)}" : "");
        if (launches.Length == 0)
        {
            yield return "nothing is lacking";
            yield break;
        }
        string[] loads = [.. launches.Select(launch => launch.Block.LoadTitle).Distinct()];
        yield return "loads: " + string.Join("; ", loads.Take(MostLoads))
            + (loads.Length > MostLoads ? $"; and {loads.Length - MostLoads:N0} more" : "");
        string[] libraries =
        [
            .. launches.SelectMany(launch => launch.Block.Members).Select(member => member.Library).Distinct()
                .Order(StringComparer.Ordinal),
        ];
        yield return $"libraries: {string.Join(", ", libraries)}";
        string[] unbuilt = [.. libraries.Where(library => !BenchFiles.IsBuilt(library))];
        if (unbuilt.Length > 0)
        {
            yield return $"not built yet: {string.Join(", ", unbuilt)} (what they cannot do will be left out)";
        }
        yield return $"launches: {launches.Length:N0}, in {DurationOf(settings, launches)}, besides builds";
    }

    static string DurationOf(SweepSettings settings, PlannedLaunch[] launches)
    {
        if (settings.Texts["seconds"] == Setting.TextOf(LaunchSettings.UntilStopped))
        {
            return "as long as you let it run";
        }
        string about = InWords(launches.Sum(launch => SecondsOf(launch.Block, settings)));
        if (settings.SloOfPlayers is { } slo)
        {
            int searches = Players.SearchedCells(launches.Select(launch => launch.Block)).Length;
            about += $", and {Text.Count(searches, "search", "es")} for players until {slo.Words}, each up to 10 min";
        }
        return settings.Until == "" ? about : $"{about}, and more until {settings.Until} or {settings.AtMost}";
    }

    static double SecondsOf(PlannedBlock block, SweepSettings settings)
    {
        double Number(string name) => double.Parse(settings.Texts[name], CultureInfo.InvariantCulture);
        LaunchSettings first = block.Members[0].Settings;
        Work work = Works.Of(first.Work);
        bool isPaced = first.Rate > 0 || block.Percent != null || !work.HasSlots;
        double leastSeconds = Number("warmup_seconds");
        double seconds = StartSeconds + Math.Clamp(
            work.CompilingSeconds,
            leastSeconds * (isPaced ? PacedWarmupFactor : WarmupFactor),
            leastSeconds * MostWarmupFactor);
        if (first.Link is { } link)
        {
            double probesSeconds = ProbesSeconds + (link.RateMbit > 0 ? RateProbeSeconds : 0);
            seconds += Number("seconds") + probesSeconds + LinkRoundTrips * link.RttMs / 1e3;
        }
        else if (settings.Interleaved && !first.HasTrouble)
        {
            double neededMs = isPaced ? 0 : 1e3 * Block.RoundTripsASlice * first.Slots / work.UsualRate;
            double leastMs = Math.Max(Number("slice_ms"), 1e3 * first.LeastWindowSeconds);
            double sliceMs = Math.Max(leastMs, Math.Min(neededMs, 1e3 * Block.MostSliceSeconds)) + Number("settle_ms");
            seconds += Number("rounds") * (sliceMs / 1e3 + SliceSeconds) + WindowFactor * Number("seconds");
        }
        else
        {
            seconds += Number("seconds") + (isPaced ? 0 : (double)first.Slots / Warmth.SlotsASecond);
        }
        return LaunchSeconds + block.Members.Length * seconds;
    }

    static string InWords(double seconds) => seconds switch
    {
        < 90 => $"about {Math.Max(1, Math.Round(seconds / 10)) * 10:0} s",
        < 5_400 => $"about {seconds / 60:0} min",
        _ => $"about {seconds / 3_600:0.0} h",
    };
}
