/// <summary>What a link did to each library, for who asks which to take over the internet: of the link that is nearest
/// to 50 ms and 2 % loss.</summary>
static class LinkVerdict
{
    const double UsualRttMs = 50;
    const double UsualLossPercent = 2;

    /// <summary>Writes it: of messages at a rate, and of streams; nothing where there are none over a link.</summary>
    public static void Write(Page page, Cell[] cells)
    {
        var drawn = cells.Where(cell => cell.IsDrawn).ToArray();
        var asked = drawn.Where(cell => cell is { ClosedLoop: false, IsStream: false }).ToArray();
        var streams = drawn.Where(cell => cell.IsStream).ToArray();
        if (asked.Length > 0)
        {
            var link = Nearest(asked);
            page.Line(
                $"\nOn a link of {Text.Markdown($"{link}")}, from the most answers in time "
                    + $"(within a round trip + {MeasuredLink.OnTimeMs} ms):\n"
            );
            page.Table(
                ["library", "delivery", "load", "in time %", "p50 ms", "p99 ms", "lost %", "wire B/msg"],
                On(link, asked, cell => cell.Median(launch => launch.OnTimePercent)).Select(Echoes),
                figures: true,
                "delivery",
                "load"
            );
        }
        if (streams.Length == 0)
            return;
        page.Line(
            $"\nOne way over a link of {Text.Markdown($"{Nearest(streams)}")}, from the most that got through:\n"
        );
        page.Table(
            ["library", "delivery", "load", "Mbit/s", "% of TCP"],
            On(Nearest(streams), streams, cell => cell.Goodput?.Median).Select(cell => Stream(cell, cells)),
            figures: true,
            "delivery",
            "load"
        );
    }

    static string[] Echoes(Cell cell) =>
        [
            Text.Markdown(cell.Title),
            cell.Kind,
            LinkSection.LoadOf(cell),
            Text.Number(cell.Median(launch => launch.OnTimePercent)),
            Text.Number(cell.RoundTripNs(0.5m) / 1e6),
            Text.Number(cell.RoundTripNs(0.99m) / 1e6),
            Text.Number(cell.LostPercent()),
            Text.Number(cell.Median(launch => launch.WireBytes)),
        ];

    static string[] Stream(Cell cell, Cell[] all) =>
        [
            Text.Markdown(cell.Title),
            cell.Kind,
            LinkSection.LoadOf(cell),
            Text.Number(cell.Goodput?.Median),
            Text.Number(LinkSection.ToTcp(cell, all)),
        ];

    static LinkSettings Nearest(Cell[] cells) =>
        cells
            .Select(cell => cell.Link!)
            .Distinct()
            .OrderBy(link => Math.Abs(link.RttMs - UsualRttMs))
            .ThenBy(link => Math.Abs(link.LossPercent - UsualLossPercent))
            .ThenBy(link => link.ToString(), StringComparer.Ordinal)
            .First();

    static IEnumerable<Cell> On(LinkSettings link, Cell[] cells, Func<Cell, double?> figure) =>
        cells
            .Where(cell => cell.Link == link)
            .OrderBy(cell => cell.KindOrder)
            .ThenBy(cell => cell.Load)
            .ThenByDescending(figure);
}
