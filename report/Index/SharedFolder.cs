using System.Text.RegularExpressions;

/// <summary>A folder of a sweep that somebody wants to share: what keeps it from standing among the results, beside
/// lines that are no records.</summary>
/// <param name="folder">Its path.</param>
sealed partial class SharedFolder(string folder)
{
    // Fewer say nothing of how launches differ.
    const int LeastLaunches = 3;
    const int MostNamed = 3;

    const int DateLength = 10; // of 2026-11-24

    const string RenderAgain = "run `report render` on the folder";

    // Beside the report and its charts; the page is not committed.
    static readonly string[] made = [Report.FileName, Report.AppendixName, "report.html", "noise.json"];

    readonly Sweep sweep = Sweep.Silently(folder);

    /// <summary>Sentences; none where it can be shared.</summary>
    public IEnumerable<string> Faults => [.. OfMachine(), .. OfName(), .. OfLaunches(), .. OfReport()];

    IEnumerable<string> OfMachine()
    {
        if (sweep.Machines.Length == 0)
        {
            yield return "No record says on which machine it was measured: measure with `scripts/run-all.sh`, which "
                + "writes a machine record.";
            yield break;
        }
        if (sweep.Machines.Any(machine => machine.SuiteCommit == null))
        {
            yield return "No record says of which commit the suite was: measure in a checkout of git.";
        }
        else if (sweep.Machines.FirstOrDefault(machine => machine.SuiteDirty == true) is { } changed)
        {
            yield return $"The suite was changed since its commit {Text.Plain(changed.SuiteCommit!)}, so that nobody "
                + "can repeat the sweep: commit or undo the changes, and measure again.";
        }
    }

    IEnumerable<string> OfName()
    {
        var name = Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder)));
        if (!Name().IsMatch(name))
        {
            yield return $"The name '{Text.Plain(name)}' is not of the form 2026-11-24T0933-essential-epyc-2cpu (date, "
                + "time, preset, machine): rename the folder.";
        }
        else if (sweep.Machines.FirstOrDefault() is { } machine && !IsOfDay(machine, name))
        {
            yield return $"The name says {name[..DateLength]}, but the sweep began at {Text.Plain(machine.DateUtc)}: "
                + "rename the folder.";
        }
    }

    static bool IsOfDay(MachineRecord machine, string name) =>
        machine.DateUtc.StartsWith(name[..DateLength], StringComparison.Ordinal);

    IEnumerable<string> OfLaunches()
    {
        var measured = sweep.Cells.Where(cell => cell.Measured).ToArray();
        if (measured.Length == 0)
        {
            yield return "Nothing was measured.";
            yield break;
        }
        var few = measured.Where(cell => cell.Launches.Length < LeastLaunches).ToArray();
        if (few.Length > 0)
        {
            var examples = few.Take(MostNamed)
                .Select(cell => $"{Text.Plain(cell.Name)} {cell.Kind} {cell.Clients:N0} x {cell.Parallel:N0}");
            yield return $"{Text.Count(few.Length, "cell")} of {measured.Length:N0} had fewer than {LeastLaunches} "
                + $"launches ({string.Join(", ", examples)}{(few.Length > MostNamed ? ", …" : "")}): measure with "
                + "`--repeats 5`.";
        }
        if (sweep.Unfinished.Length > 0)
        {
            yield return $"Nothing says how {Text.Count(sweep.Unfinished.Length, "launch", "es")} ended: finish the "
                + "sweep with `scripts/run-all.sh --resume` and the folder.";
        }
    }

    IEnumerable<string> OfReport()
    {
        var report = new Report(sweep);
        var path = Path.Combine(folder, Report.FileName);
        if (!File.Exists(path))
        {
            yield return $"There is no {Report.FileName}: {RenderAgain}.";
            yield break;
        }
        var appendix = Path.Combine(folder, Report.AppendixName);
        if (File.ReadAllText(path) != report.FrontText(noPictures: null)
            || !File.Exists(appendix)
            || File.ReadAllText(appendix) != report.AppendixText(noPictures: null))
        {
            yield return $"{Report.FileName} or {Report.AppendixName} is not what the records are rendered to, with "
                + $"charts: {RenderAgain}.";
        }
        var pictures = report.Charts.Select(chart => chart.File + ChartFiles.Ending).ToArray();
        var there = Directory.GetFileSystemEntries(folder).Select(entry => Path.GetFileName(entry)!).ToArray();
        if (pictures.Except(there).Order(StringComparer.Ordinal).ToArray() is { Length: > 0 } missing)
        {
            yield return $"{Text.Count(missing.Length, "chart")} of the report, such as {missing[0]}, "
                + $"{(missing.Length == 1 ? "is" : "are")} missing: {RenderAgain}.";
        }
        string[] own = [.. made, .. pictures, Path.GetFileName(RecordFile.In(folder))];
        foreach (var other in there.Except(own).Order(StringComparer.Ordinal))
            yield return $"'{Text.Plain(other)}' is no file of a sweep: remove it.";
    }

    [GeneratedRegex(@"^\d{4}-\d{2}-\d{2}T\d{4}(-[A-Za-z0-9._]+)+\z")]
    private static partial Regex Name();
}
