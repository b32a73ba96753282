/// <summary>What links do to the messages of one delivery mode: charts against loss and round trip, and a table of all
/// links, so that a link more is a row more and no section of its own.</summary>
sealed class LinkSection
{
    const string Emulator = "link: lost %, late p99 µs, CPU %";

    readonly Cell[] cells;
    readonly Cell[] all;
    readonly bool ofStreams;
    readonly string title;
    readonly long? repeats;
    readonly (string Says, string File)[] charts;

    /// <summary>Takes the section's charts on.</summary>
    public LinkSection(Sweep sweep, string kind, Cell[] cells, ChartList list)
    {
        this.cells = Ordered(cells);
        all = sweep.Cells;
        title = $"Over links, {kind}";
        repeats = sweep.Repeats;
        Cell[] drawn = [.. cells.Where(cell => cell.IsDrawn)];
        ofStreams = cells[0].IsStream;
        var ending = kind.Replace(' ', '-').ToLowerInvariant();
        List<(string Says, string File)> added = [];
        if (ofStreams)
        {
            Add("distance-goodput", "Goodput against the link's round trip", LinkChart.GoodputByDistance);
            Add(
                "distance-goodput-to-tcp",
                "Goodput in % of plain TCP's against the link's round trip",
                LinkChart.ToTcpByDistance(ToTcp)
            );
            Add("loss-goodput", "Goodput against loss", LinkChart.GoodputByLoss);
        }
        else
        {
            Add("loss-latency", "Round trips against loss", LinkChart.LatencyByLoss);
            Add("loss-on-time", "Answers in time against loss", LinkChart.OnTimeByLoss);
            Add("loss-wire", "Bytes on the wire a message against loss", LinkChart.WireByLoss);
            Add("distance-latency", "Round trips against the link's", LinkChart.LatencyByDistance);
        }
        charts = [.. added];

        // One that there is nothing to draw of is left out.
        void Add(string name, string says, LinkChart.Kind chart)
        {
            var panels = LinkChart.Of(drawn, chart, sweep.Looks);
            if (panels.Length > 0)
                added.Add((says, list.Add($"{name}-{ending}", $"{says}, {title}", panels)));
        }
    }

    /// <summary>Writes the charts under a heading, if there are any.</summary>
    public void WriteCharts(Page page)
    {
        if (charts.Length > 0)
            page.Line($"\n### {Text.Markdown(title)}");
        foreach (var (says, file) in charts)
            page.Line($"\n![{says}, {Text.Markdown(title)}]({file}{ChartFiles.Ending})");
    }

    /// <summary>Writes the table under a heading.</summary>
    public void WriteTables(Page page)
    {
        page.Line($"\n### {Text.Markdown(title)}\n");
        if (ofStreams)
            WriteStreams(page);
        else
            WriteEchoes(page);
    }

    void WriteStreams(Page page)
    {
        page.Line(
            "Goodput: payload that arrived whole at the server, by its clock; % of TCP: of plain TCP's on the same "
                + "link, in the congestion control that this system has by default. "
                + "Wire: IP packets of both directions.\n"
        );
        page.Table(
            [
                "library",
                "link",
                "load",
                "Mbit/s",
                "% of TCP",
                "wire B/payload B",
                "lost %",
                "TCP resent/msg",
                Emulator,
                "notes",
            ],
            cells.Select(StreamRow),
            figures: true,
            "link",
            "load",
            Emulator
        );
    }

    void WriteEchoes(Page page)
    {
        page.Line(
            $"In time: of the messages sent, answered within one round trip of the link + {MeasuredLink.OnTimeMs} ms. "
                + "Wire: IP packets of both directions on the link, a message and its answer. "
                + "Link: what its emulator lost or dropped, how late it was, and its CPU time.\n"
        );
        page.Table(
            [
                "library",
                "link",
                "load",
                "p50 ms",
                "p99 ms",
                "p99.9 ms",
                "in time %",
                "lost %",
                "wire B/msg",
                "x without loss",
                "packets/msg",
                "TCP resent/msg",
                Emulator,
                "notes",
            ],
            cells.Select(EchoRow),
            figures: true,
            "link",
            "load",
            Emulator
        );
    }

    // By link, the nearest and soundest first; on each the fastest first.
    static Cell[] Ordered(Cell[] cells) =>
        [
            .. cells
                .OrderBy(cell => cell.Link!.RttMs)
                .ThenBy(cell => cell.Link!.LossPercent)
                .ThenBy(cell => cell.Link!.ToString(), StringComparer.Ordinal)
                .ThenBy(cell => cell.Load)
                .ThenBy(cell => cell.RoundTripNs(0.99m) ?? double.MaxValue),
        ];

    string[] StreamRow(Cell cell) =>
        [
            Text.Markdown(cell.Title),
            Text.Markdown($"{cell.Link}"),
            LoadOf(cell),
            cell.Measured ? Section.Struck(cell.Invalid.Length > 0, Text.Number(cell.Goodput?.Median)) : "failed",
            Text.Number(ToTcp(cell)),
            Text.Number(cell.Median(launch => launch.WireBytes) / PayloadOf(cell)),
            Text.Number(cell.LostPercent()),
            Resent(cell),
            LinkCounts(cell),
            Section.Notes(cell, repeats),
        ];

    string[] EchoRow(Cell cell) =>
        [
            Text.Markdown(cell.Title),
            Text.Markdown($"{cell.Link}"),
            LoadOf(cell),
            RoundTripMs(cell, 0.5m),
            RoundTripMs(cell, 0.99m),
            RoundTripMs(cell, 0.999m),
            cell.Measured ? Text.Number(cell.Median(launch => launch.OnTimePercent)) : "failed",
            Text.Number(cell.LostPercent()),
            Text.Number(cell.Median(launch => launch.WireBytes)),
            Text.Number(TimesWithoutLoss(cell)),
            Text.Number(cell.Median(launch => launch.WirePackets)),
            Resent(cell),
            LinkCounts(cell),
            Section.Notes(cell, repeats),
        ];

    static string Resent(Cell cell) =>
        cell.Median(launch => launch.TcpRetransmits) is > 0 and var resent ? Text.Number(resent) : "–";

    static string RoundTripMs(Cell cell, decimal quantile) =>
        Section.Struck(cell.Measured && !cell.IsDrawn, Text.Number(cell.RoundTripNs(quantile) / 1e6));

    // What the link's emulator did, as its column says.
    static string LinkCounts(Cell cell)
    {
        var lostPercent = cell.Median(launch =>
            100 * (launch.Link?.Sum("lost") + launch.Link?.Sum("dropped")) / launch.Link?.Sum("packets")
        );
        var lateUs = cell.Median(launch => launch.Link?.LateP99Us);
        var cpuPercent = cell.Median(launch => 100 * launch.Link?.CpuS / launch.Clients[0].ElapsedS);
        return $"{Text.Number(lostPercent)}, {Text.Number(lateUs)}, {Text.Number(cpuPercent)}";
    }

    double? ToTcp(Cell cell) => ToTcp(cell, all);

    /// <summary>Goodput in % of plain TCP's on the same link, in its usual way; null where there is none.</summary>
    public static double? ToTcp(Cell cell, Cell[] all)
    {
        var tcp = all.FirstOrDefault(other =>
            other is { Library: "tcp", IsStream: true, IsDrawn: true }
            && (string?)other.Setting("variant").Value == "default"
            && other.Link == cell.Link
            && other.Load == cell.Load
            && PayloadOf(other) == PayloadOf(cell)
        );
        return 100 * cell.Goodput?.Median / tcp?.Goodput?.Median;
    }

    /// <summary>Bytes of a message.</summary>
    public static long PayloadOf(Cell cell) => (long)cell.Setting("payload_bytes").Value!;

    /// <summary>Clients, and messages in flight or due a second of each.</summary>
    public static string LoadOf(Cell cell)
    {
        if (cell.IsStream)
            return $"{Text.Count(cell.Clients, "client")}, {PayloadOf(cell):N0} B";
        return cell.ClosedLoop
            ? $"{cell.Clients:N0} x {cell.Parallel:N0}"
            : $"{Text.Count(cell.Clients, "client")} at {(double)cell.Rate / cell.Clients:0.##}/s each";
    }

    // What the loss cost: against the same link that loses nothing.
    double? TimesWithoutLoss(Cell cell)
    {
        var withoutLoss = cell.Link! with { LossPercent = 0, LossBurstPackets = 1 };
        var clean = cells.FirstOrDefault(other =>
            other.Name == cell.Name && other.Load == cell.Load && other.Link == withoutLoss
        );
        return cell.Median(launch => launch.WireBytes) / clean?.Median(launch => launch.WireBytes);
    }
}
