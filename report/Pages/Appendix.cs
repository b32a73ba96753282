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
                settings.Select(setting => new[] { setting.Key, Text.Markdown(string.Join(", ", Sorted(setting))) })
            );
        }
        foreach (var plan in sweep.Machines.Select(Plan).Distinct())
            page.Line($"\nThe sweep: {plan}.");
    }

    // Numbers as such, and then words.
    static IEnumerable<string> Sorted(IEnumerable<string> values) =>
        values
            .Distinct()
            .OrderBy(value => double.TryParse(value, out var number) ? number : 0)
            .ThenBy(value => value, StringComparer.Ordinal);

    // Setting by setting, as one of them may be as long as a string is allowed to be.
    static string Plan(JObject machine)
    {
        var sweep = (JObject)machine["sweep"]!;
        var overLinks = (string?)sweep["rtt_ms"] != LinkSettings.None;
        var settings = sweep
            .Properties()
            .Where(setting => (string)setting.Value! != "")
            .Where(setting => overLinks || !LinkSettings.Names.Contains(setting.Name))
            .Select(setting => Text.Markdown($"{setting.Name} {setting.Value}"));
        return string.Join(", ", settings);
    }

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
                Row(
                    side.Library,
                    side.Version,
                    Text.Plain(side.Hash, HashDigits).TrimEnd('…'),
                    side.Runtime,
                    $"{side.Receive} / {side.Send}",
                    side.Note
                )
            )
            .Distinct()
            .Order(StringComparer.Ordinal)
            .ToArray();
        if (rows.Length == 0)
            page.Line("No library was loaded.");
        else
            page.Table(head, rows.Select(row => new[] { row }));

        static string Row(params string[] row) => string.Join(" | ", row.Select(Text.LongMarkdown));
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
            var inBrackets = ofRuns.Contains(kind) ? $" ({runs})" : "";
            page.Line($"- {Text.Markdown(library)} {kind}{inBrackets}: {Text.Markdown(reason)}");
        }
    }

    void HowToRead() => page.Line("\n" + HtmlPage.Resource("how-to-read.md")!.TrimEnd());
}
