using Newtonsoft.Json.Linq;

/// <summary>What stands below the tables of a report: machine, versions, failures.</summary>
sealed class Appendix(Sweep sweep, Page page)
{
    const int HashDigits = 12;

    // The kinds of errors that are of a run; the others are of a library.
    static readonly string[] ofRuns = ["failed", "retried"];
    const string Unsupported = "unsupported";

    /// <summary>Writes all of it.</summary>
    public void Write()
    {
        Machines();
        Versions();
        Failures();
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
        Tuned();
        foreach (InfoRecord info in sweep.Infos.Where(info => info.PackagesReplaced is { Length: > 0 }))
        {
            page.Line($"\nThe registry lacked packages below {Text.Markdown(info.Library)}, and NuGet took others: "
                + $"{Text.LongMarkdown(string.Join(", ", info.PackagesReplaced))}.");
        }

        static string Row(params string[] row) => string.Join(" | ", row.Select(Text.LongMarkdown));
    }

    // The knobs of the profile `tuned`, once for each library.
    void Tuned()
    {
        var tuned = sweep.Cells
            .Where(cell => cell.Tuned)
            .SelectMany(cell => cell.Tuning.Select(side => $"{cell.Name}: {side.Side} {Text.Value(side.Knobs)}"))
            .Distinct()
            .Order(StringComparer.Ordinal);
        foreach (var knobs in tuned)
            page.Line($"\n{Text.LongMarkdown(knobs)}");
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
        foreach (var reason in all.Where(group => group.Key.Kind == Unsupported).GroupBy(group => ReasonOf(group.Key)))
        {
            var libraries = reason.Select(group => Text.Markdown(group.Key.Library)).Distinct();
            page.Line($"- {Text.And(libraries)} {Unsupported}: {Text.Markdown(reason.Key)}");
        }
        foreach (var group in all.Where(group => group.Key.Kind != Unsupported))
        {
            var (kind, library, reason) = group.Key;
            var runs = Text.Count(group.Select(fault => fault.RunId).Distinct().Count(), "run");
            var inBrackets = ofRuns.Contains(kind) ? $" ({runs})" : "";
            page.Line($"- {Text.Markdown(library)} {kind}{inBrackets}: {Text.Markdown(reason)}");
        }
    }

    // Without the library's name, so that those that lack the same stand together.
    static string ReasonOf((string Kind, string Library, string Reason) fault) =>
        fault.Reason.StartsWith(fault.Library + " ", StringComparison.Ordinal)
            ? fault.Reason[(fault.Library.Length + 1)..]
            : fault.Reason;
}
