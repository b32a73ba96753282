using Newtonsoft.Json.Linq;

/// <summary>What stands below the tables of a report: machine, settings, versions, failures.</summary>
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
                    .Json.Properties()
                    .Select(fact => fact.Name)
                    .Where(name => name is not (
                        "v" or "record" or "run_id" or "role" or "client_machine" or "sweep" or "changed"))
                    .Select(name =>
                        sweep
                            .Machines.Select(machine => Text.Markdown(
                                name == "preset" ? machine.PresetInWords : Text.Value(machine.Json[name])))
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
        if (sweep.Settings.Length == 0)
        {
            page.Line("No run left any.");
        }
        else
        {
            page.Table(
                ["setting", "values"],
                Setting
                    .OfLaunch.Where(setting =>
                        !Cell.OfRecord.Contains(setting.Name)
                        && (overLinks || !setting.IsOfLink)
                        && sweep.Settings.Any(settings => setting.IsOf(settings.Work))
                    )
                    .Select(setting =>
                        new[]
                        {
                            setting.Name,
                            Text.Markdown(string.Join(", ", Sorted(sweep.Settings.Select(ValueOf(setting))))),
                        }
                    )
            );
        }
        foreach (var plan in sweep.Machines.Select(Plan).Distinct())
            page.Line($"\nThe sweep: {plan}.");
    }

    static Func<LaunchSettings, string> ValueOf(Setting setting) =>
        settings => Text.Value(setting.ValueIn(settings));

    // Numbers as such, and then words.
    static IEnumerable<string> Sorted(IEnumerable<string> values) =>
        values
            .Distinct()
            .OrderBy(value => double.TryParse(value, out var number) ? number : 0)
            .ThenBy(value => value, StringComparer.Ordinal);

    // Setting by setting, as one of them may be as long as a string is allowed to be.
    static string Plan(MachineRecord machine)
    {
        var overLinks = (string?)machine.Sweep["rtt_ms"] != LinkSettings.None;
        var settings = machine
            .Sweep.Properties()
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
                    Library: LibraryName.IsPair(side.Library) ? $"{side.Library} ({side.Side})" : side.Library,
                    Version: side.LibraryVersion,
                    Hash: side.LibrarySha256,
                    Runtime: Side.RuntimeOf(side),
                    Receive: Text.Value(side.SocketReceiveBufferBytes),
                    Send: Text.Value(side.SocketSendBufferBytes),
                    Note: side.Note ?? ""
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
        foreach (InfoRecord info in sweep.Infos.Where(info => info.PackagesReplaced is { Length: > 0 }))
        {
            page.Line($"\nThe registry lacked packages below {Text.Markdown(info.Library)}, and NuGet took others: "
                + $"{Text.LongMarkdown(string.Join(", ", info.PackagesReplaced))}.");
        }

        static string Row(params string[] row) => string.Join(" | ", row.Select(Text.LongMarkdown));
    }

    void Failures()
    {
        page.Line("\n## What failed, was unavailable or is not supported\n");
        var all = sweep
            .Errors.Select(error =>
                (error.Kind, error.Library, error.Reason, error.RunId)
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

    void HowToRead() => page.Line("\n" + HtmlFrame.Resource("how-to-read.md")!.TrimEnd());
}
