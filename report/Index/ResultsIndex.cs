/// <summary>README.md in the folder of all results, which lists its sweeps, index.html there, which shows them side
/// by side, and the part of the README.md beside that folder that shows the newest of most libraries. The same
/// results give the same bytes.</summary>
sealed class ResultsIndex(string results, string charts)
{
    const string FileName = "README.md";
    const string PageName = "index.html";
    const string Begin = "<!-- written by `report index` -->\n";
    const string End = "<!-- end -->\n";

    /// <summary>Writes all three.</summary>
    public void Write()
    {
        if (!Directory.Exists(results))
            throw new Failure($"There is no folder '{results}'.", Exit.WrongUsage);
        var folder = Path.TrimEndingDirectorySeparator(Path.GetFullPath(results));
        var sweeps = Sweeps(folder);
        if (sweeps.Length == 0)
            throw new Failure($"There is no sweep in '{results}'.", Exit.WrongUsage);
        // Before anything is written, as it may be refused.
        var (front, before, after) = Front(folder);
        var lists = ListsOf(sweeps);
        var index = new Page();
        index.Line("# Results\n");
        index.Line(
            $"[{PageName}]({PageName}) shows all sweeps side by side: download it and open it in a browser. "
                + "Each folder is a sweep: its records are in `raw.jsonl`, all else was made of them. Newest first. "
                + "[Share your results](../docs/share-your-results.md) says how to add a sweep."
        );
        index.Line(lists.TrimEnd('\n'));
        WriteHistory(index, folder, sweeps);
        index.Line("\nWritten by `report index`.");
        Replace(Path.Combine(folder, FileName), index.ToString());
        Replace(Path.Combine(folder, PageName), new IndexPage(sweeps, lists).ToString());

        // Of several the newest; one of a few libraries does not hide one of all.
        var shown = sweeps
            .Where(sweep => sweep.Headline != null)
            .OrderBy(sweep => sweep.IsFirstLook)
            .ThenByDescending(sweep => sweep.Libraries)
            .FirstOrDefault();
        if (front == null)
        {
            Console.Error.WriteLine(
                $"There is no {FileName} with a line '{Begin.Trim()}' beside '{results}', so only its "
                    + "index was written."
            );
        }
        else if (shown == null)
        {
            Console.Error.WriteLine(
                $"No sweep in '{results}' is fit to be shown in {front}, which stays as it is: it takes libraries in "
                    + $"turn or {Statistic.LeastForInterval} launches a cell, a report, "
                    + "and records that can all be read."
            );
        }
        else
        {
            Replace(front, $"{before}{Begin}{shown.Headline}{End}{after}");
        }
    }

    /// <summary>What the charts over time show.</summary>
    public static IReadOnlyList<Chart> ChartsOf(string folder) => ListOf([.. HistoryOf(Sweeps(folder))]).All;

    // A table for each group that there is.
    static string ListsOf(IndexedSweep[] newestFirst)
    {
        var page = new Page();
        var byGroup = newestFirst.ToLookup(sweep => sweep.Question.Group);
        foreach (var group in Question.Groups.Where(byGroup.Contains))
        {
            page.Line($"\n## {group}\n");
            page.Table(IndexedSweep.Columns, byGroup[group].Select(sweep => sweep.Row));
        }
        return page.ToString();
    }

    void WriteHistory(Page index, string folder, IndexedSweep[] newestFirst)
    {
        HistoryChart[] history = [.. HistoryOf(newestFirst)];
        var list = ListOf(history);
        var noPictures = ChartFiles.Write(folder, list.All, charts);
        if (history.Length == 0)
        {
            return;
        }
        index.Line(
            "\n## Over time\n\n"
                + "The sweeps of one machine (by its CPUs and hypervisor), under the load that most of them "
                + "measured. "
                + "A version is named where it is new. Kernel, .NET and suite may differ between sweeps: "
                + "their reports say, and `report compare` says what is a change."
        );
        if (noPictures != null)
        {
            index.Line($"\nThere are no pictures, because {noPictures}.");
            return;
        }
        var machine = "";
        foreach (var (past, chart) in history.Zip(list.All))
        {
            if (past.Machine != machine)
            {
                index.Line($"\n### {Text.Markdown(past.Machine)}");
            }
            machine = past.Machine;
            index.Line($"\n![{Text.Markdown(chart.Says)}]({chart.File}{ChartFiles.Ending})");
        }
    }

    static IEnumerable<HistoryChart> HistoryOf(IndexedSweep[] newestFirst) => HistoryChart.Of(newestFirst.Reverse());

    static ChartList ListOf(HistoryChart[] history)
    {
        var list = new ChartList();
        foreach (var chart in history)
        {
            list.Add($"history-{chart.Delivery}", chart.Says, chart.Panels);
        }
        return list;
    }

    static IndexedSweep[] Sweeps(string folder)
    {
        var found = Directory.GetDirectories(folder).ToLookup(sweep => File.Exists(RecordFile.In(sweep)));
        foreach (var other in found[false].Order(StringComparer.Ordinal))
            Console.Error.WriteLine($"Passed over '{Text.Plain(Path.GetFileName(other))}', which has no raw.jsonl.");
        return
        [
            .. found[true]
                .Select(Read)
                .OfType<IndexedSweep>()
                .OrderByDescending(sweep => sweep.Date, StringComparer.Ordinal)
                .ThenByDescending(sweep => Text.NumbersPadded(sweep.Name), StringComparer.Ordinal),
        ];
    }

    // Null where its records are refused.
    static IndexedSweep? Read(string folder)
    {
        try
        {
            return IndexedSweep.In(folder);
        }
        catch (Failure refused)
        {
            Console.Error.WriteLine($"Passed over {Text.Plain(refused.Message)}");
            return null;
        }
    }

    // The page beside the folder and what stands around the marked part; null where it has none.
    static (string? Path, string Before, string After) Front(string folder)
    {
        var path = Path.Combine(Path.GetDirectoryName(folder) ?? folder, FileName);
        var text = File.Exists(path) ? File.ReadAllText(path) : "";
        var begins = text.Split(Begin);
        var ends = text.Split(End);
        if (begins.Length == 1 && ends.Length == 1)
            return (null, "", "");
        if (begins.Length != 2 || ends.Length != 2 || begins[0].Length > ends[0].Length)
        {
            throw new Failure(
                $"{path} is to have one line '{Begin.Trim()}' and, below it, one '{End.Trim()}'.",
                Exit.WrongUsage
            );
        }
        return (path, begins[0], ends[1]);
    }

    static void Replace(string path, string text)
    {
        if (!File.Exists(path) || File.ReadAllText(path) != text)
            WholeFile.Write(path, unfinished => File.WriteAllText(unfinished, text));
    }
}
