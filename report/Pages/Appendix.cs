using Newtonsoft.Json.Linq;

/// <summary>What stands below the tables of a report: machine, settings, versions, failures, noise.</summary>
sealed class Appendix(Sweep sweep, Page page)
{
    const int HashDigits = 12;

    // The kinds of errors that are of a run; the others are of a library.
    static readonly string[] ofRuns = ["failed", "retried"];

    /// <summary>Writes all of it.</summary>
    public void Write()
    {
        Machines();
        Settings();
        Versions();
        Failures();
        NoiseSection.Write(sweep, page);
        HowToRead();
    }

    void Machines()
    {
        page.Line("\n## Machine\n");
        if (sweep.Machines.Length == 0)
        {
            page.Line("No machine record says.");
        }
        else
        {
            page.Table(
                ["fact", .. sweep.Machines.Select(machine => Text.Markdown(Fingerprint.RoleOf(machine)))],
                sweep
                    .Machines[0]
                    .Properties()
                    .Select(fact => fact.Name)
                    .Where(name => name is not ("v" or "record" or "run_id" or "role" or "client_machine" or "sweep"))
                    .Select(name =>
                        sweep
                            .Machines.Select(machine => Text.Markdown(Text.Value(machine[name])))
                            .Prepend(name)
                            .ToArray()
                    )
            );
        }
    }

    void Settings()
    {
        page.Line("\n## Settings\n");
        // Where there is none, nothing is said of links.
        var overLinks = sweep.Cells.Any(cell => cell.Link != null);
        var settings = sweep
            .Settings.SelectMany(settings => settings.Properties())
            .Where(setting =>
                !Cell.OfRecord.Contains(setting.Name) && (overLinks || !LinkSettings.Names.Contains(setting.Name))
            )
            .GroupBy(setting => setting.Name, setting => Text.Value(setting.Value))
            .ToArray();
        if (settings.Length == 0)
        {
            page.Line("No run left any.");
        }
        else
        {
            page.Table(
                ["setting", "values"],
                settings.Select(setting =>
                    new[]
                    {
                        setting.Key,
                        Text.Markdown(
                            string.Join(
                                ", ",
                                setting
                                    .Distinct()
                                    .OrderBy(value => double.TryParse(value, out var number) ? number : 0)
                                    .ThenBy(value => value, StringComparer.Ordinal)
                            )
                        ),
                    }
                )
            );
        }
        foreach (var plan in sweep.Machines.Select(Plan).Distinct())
            page.Line($"\nThe sweep: {plan}.");
    }

    // Setting by setting, as one of them may be as long as a string is allowed to be.
    static string Plan(JObject machine) =>
        string.Join(
            ", ",
            ((JObject)machine["sweep"]!)
                .Properties()
                .Where(setting =>
                    (string)setting.Value! != ""
                    && !(
                        LinkSettings.Names.Contains(setting.Name)
                        && (string?)machine["sweep"]!["rtt_ms"] == LinkSettings.None
                    )
                )
                .Select(setting => Text.Markdown($"{setting.Name} {setting.Value}"))
        );

    void Versions()
    {
        page.Line("\n## Versions\n");
        string[] head = ["library", "version as loaded", "sha256", "runtime", "socket buffers B receive/send", "note"];
        // What thousands of records say alike is made readable once.
        var rows = sweep
            .Ready.Select(side =>
                (
                    Library: (string)side["library"]!,
                    Version: (string)side["library_version"]!,
                    Hash: (string)side["library_sha256"]!,
                    Runtime: Side.RuntimeOf(side),
                    Receive: Text.Value(side["socket_receive_buffer_bytes"]),
                    Send: Text.Value(side["socket_send_buffer_bytes"]),
                    Note: (string?)side["note"] ?? ""
                )
            )
            .Distinct()
            .Select(side =>
                string.Join(
                    " | ",
                    new[]
                    {
                        side.Library,
                        side.Version,
                        Text.Plain(side.Hash, HashDigits).TrimEnd('…'),
                        side.Runtime,
                        $"{side.Receive} / {side.Send}",
                        side.Note,
                    }.Select(Text.LongMarkdown)
                )
            )
            .Distinct()
            .Order(StringComparer.Ordinal)
            .ToArray();
        if (rows.Length == 0)
            page.Line("No library was loaded.");
        else
            page.Table(head, rows.Select(row => new[] { row }));
    }

    void Failures()
    {
        page.Line("\n## What failed, was unavailable or is not supported\n");
        var all = sweep
            .Errors.Select(error =>
                (
                    Kind: (string)error["kind"]!,
                    Library: (string)error["library"]!,
                    Reason: (string)error["reason"]!,
                    RunId: (string)error["run_id"]!
                )
            )
            .Concat(sweep.Unfinished.Select(run => (Kind: "failed", run.Library, Reason: run.Failure!, RunId: run.Id)))
            .GroupBy(fault => (fault.Kind, fault.Library, fault.Reason))
            .OrderBy(group => $"{group.Key}", StringComparer.Ordinal)
            .ToArray();
        if (all.Length == 0)
            page.Line("Nothing.");
        foreach (var group in all)
        {
            var (kind, library, reason) = group.Key;
            var runs = Text.Count(group.Select(fault => fault.RunId).Distinct().Count(), "run");
            page.Line(
                $"- {Text.Markdown(library)} {kind}{(ofRuns.Contains(kind) ? $" ({runs})" : "")}: "
                    + Text.Markdown(reason)
            );
        }
    }

    void HowToRead() =>
        page.Line(
            """

            ## How to read this

            - **Ratio before rate.** Libraries measured in turn had their slices one after another, in each round: what the
              machine did in a round, it did to all. *x plain* is the median ratio to the plain socket of the same round (median of
              the launches' medians), its interval holds the truth in 95 of 100 sweeps (bootstrap over launches, then the rounds of
              each); *(rounds)*: of fewer than five launches, too few to tell how launches differ. Two libraries are
              ranked where the interval of their own ratio excludes 1, and below five launches where they also differ by over 5 %, in one by 10 %:
              *pair by pair*, in bold, with its half-width.
            - **CPUs' distance.** A hypervisor moves virtual CPUs; between distant ones a message costs more, of one library 7 % and of
              another 50 %. Where all ran on just two, the time of a line of the cache from one to the other and back was taken after
              each slice, and the top says where it jumped. Launches at either are in the intervals, as no order of slices cancels that.
            - **msgs/s** of a row in turn is the median of its slices, and its range least to most of them: they follow the machine.
              Where a single client's rounds jump between speeds, as its two sides stand on near or distant CPUs, the row has the
              rate of each.
            - **Measured apart**, one after another, a row is the median of its launches' windows, each a fresh server and client
              process, and the range is least to most of these; from 5 on it is the 95 % interval (5 to 9: t-interval of the mean; 10 and
              more: bootstrap of the median). Rows whose ranges overlap are not ranked.
            - **Marks** are for rows unlike the others. *wide*: the half-width of x plain is over what was asked for, or, where nothing
              was, over 5 % and twice the median of all rows. *noisy*, *unstable*: measured apart, with a spread (CV) over 5 or 10 %.
              *Not warm*: the rate was still unsteady when the time for the warm-up was over.
            - **Closed loop.** A message in flight is sent again when its answer came, so round trips are
              those at saturation: with more in flight, each waits longer. A service under light load has
              shorter ones.
            - **At a given rate** messages follow a schedule, and a round trip counts from the time at which
              its message was due. The row is *invalid* for latency where under 99 % of the rate was achieved
              or the p99 of the send lag (sent less due) exceeds 1 ms. The ladder names the highest rate that
              keeps to the SLO, over all launches: one whose launches all came to their rate; its loss counts
              what was lost, not answered or not sent. The truth lies between it and the next rate.
            - **Loopback.** With server and clients on one machine the figures are the cost of library
              and kernel; no network is in them, and both sides share the CPUs.
            - **Plain sockets** (`udp`, `tcp`) have no library: one datagram or frame a message. A library that packs
              many messages into one can be faster. Of calls it is `websocket`: plain WebSockets, whose messages hold all calls
              that came together.
            - **Calls** are compared by what they cost with the serializer that a row names. *x HTTP*: times the rate of HTTP/1.1
              in the same rounds. *Calls/s a server core*: over the server's CPU time. *First answer*: from sending the first
              message or call of a run to its answer. *Connections/s* over TLS are handshakes/s.
            - **Bound by**, by medians of the launches, the first that holds. *client_bound*: the clients
              were busy for 90 % or more, the server for 80 % or less, so that the row is a lower bound of
              the library (drawn hollow); *server_bound*: the other way round; *machine_bound*: both share
              a machine of whose CPU time 95 % was in use or stolen, and neither polled for nothing in over
              half of its passes; *loss_bound*: 1 % or more lost, and their lanes idle until their timeout; *tick_bound*: both sides under 80 %, and the mean round
              trip within 10 % of 1/2, 1, 1 1/2, 2, 3 or 4 periods of the library or of `tick_hz`; –: none
              of these. A side is as busy as all its threads are of the CPUs that it may use, or as its
              busiest thread is of one CPU, whichever is more; of a loop that polls without idle passes.
            - Round trips are those of all launches together; a percentile needs 10 round trips beyond
              it. They are of the window, a long slice, as are losses, bytes, memory and what binds a row. CPU is the user and
              system time over the messages, of the rounds or, measured apart, the window; allocation is managed
              memory. RSS is resident memory: steady at the window's end, peak since the start. KiB a
              connection is the slope of the RSS that was read when all clients were connected and nothing
              was sent, over the numbers of clients (least squares), where the most are 10 or more times the
              fewest.
            - **Charts.** Whiskers are the intervals of the tables; plain sockets are grey and dashed, lower bounds hollow (in a heat
              map ≥). Where there are more loads than fit, evenly chosen ones are drawn; the tables have all.
            - GC pause is the share of the window for which the collector stopped a side. The receive queue
              is the most that was seen to wait in the server's UDP sockets, at two looks a second.
            - On the wire are all bytes and packets that the interface sent in the window, headers and both
              directions included, over the messages answered; other traffic of the machine is in it.
              A message that is answered is two on the wire, and TCP's bare acknowledgements are packets too.
            - `lost %` counts the messages of the window that got no sound answer. Of those given up,
              *kernel* are as many as the kernel dropped UDP datagrams in the window, on the whole machine;
              *library* is the rest. Reliable modes lose nothing.
            - **Noise** is told and judged nowhere: no launch is left out or measured again for it. Other load is
              what was in use and charged to neither side; of that, what the kernel does for them uncharged is
              taken off (the quietest launch's share of their system time, at most half of it).
            - **Several client machines** share the clients of a row: counts, messages/s, CPU, allocation
              and RSS (the sum of their highest) are over all of them, and their round trips are merged.
            - A row that fails a self-check is kept, struck out, marked invalid and not drawn. `n/a` is a
              fact that is missing; it is never a zero.
            """.ReplaceLineEndings("\n")
        );
}
