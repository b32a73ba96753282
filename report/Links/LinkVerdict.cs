/// <summary>What a link did to each library, for who asks which to take over the internet: of the link that is nearest to 50 ms and 2 % loss.</summary>
static class LinkVerdict
{
    const double UsualRttMs = 50, UsualLossPercent = 2;

    /// <summary>Writes it; nothing where no messages were sent at a rate over a link.</summary>
    public static void Write(Page page, Cell[] cells)
    {
        var asked = cells.Where(cell => cell is { ClosedLoop: false, IsDrawn: true }).ToArray();
        if (asked.Length == 0) return;
        var link = asked.Select(cell => cell.Link!).Distinct().OrderBy(link => Math.Abs(link.RttMs - UsualRttMs))
            .ThenBy(link => Math.Abs(link.LossPercent - UsualLossPercent)).ThenBy(link => link.ToString(), StringComparer.Ordinal).First();
        page.Line($"\nOn a link of {Text.Markdown($"{link}")}, from the most answers in time (within a round trip + {MeasuredLink.OnTimeMs} ms):\n");
        page.Table(["library", "delivery", "load", "in time %", "p50 ms", "p99 ms", "lost %", "wire B/msg"], asked.Where(cell => cell.Link == link)
            .OrderBy(cell => cell.KindOrder).ThenBy(cell => cell.Load).ThenByDescending(cell => cell.Median(launch => launch.OnTimePercent))
            .Select(cell => (string[])
            [
                Text.Markdown(cell.Title), cell.Kind, LinkSection.LoadOf(cell), Text.Number(cell.Median(launch => launch.OnTimePercent)),
                Text.Number(cell.RoundTripNs(0.5m) / 1e6), Text.Number(cell.RoundTripNs(0.99m) / 1e6), Text.Number(cell.LostPercent()),
                Text.Number(cell.Median(launch => launch.WireBytes)),
            ]), figures: true, "delivery", "load");
    }
}
