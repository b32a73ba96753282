using System.Text.RegularExpressions;

/// <summary>README.md in the folder of all results, which lists its sweeps, index.html there, which shows them side
/// by side, and the marked parts of the README.md beside that folder, which each show the newest sweep of most
/// libraries of a group, or of several groups. The same results give the same bytes.</summary>
sealed partial class ResultsIndex(string results, string charts)
{
    const string FileName = "README.md";
    const string PageName = "index.html";
    const string Mark = "<!-- report index: GROUP -->";
    const string End = "<!-- end -->";

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
        var front = Path.Combine(Path.GetDirectoryName(folder) ?? folder, FileName);
        var (page, told) = Front(front, sweeps);
        var lists = ListsOf(sweeps);
        var index = new Page();
        index.Line("# Results\n");
        index.Line(
            $"[{PageName}]({PageName}) shows all sweeps side by side: download it and open it in a browser. "
                + "Each folder is a sweep: its records are in `raw.jsonl`, or packed in `raw.jsonl.br`, and all else "
                + "was made of them. Newest first. "
                + "[Share your results](../docs/share-your-results.md) says how to add a sweep."
        );
        index.Line(lists.TrimEnd('\n'));
        WriteHistory(index, folder, sweeps);
        if (KeptIn(Path.Combine(folder, FileName)) is { } kept)
            index.Line($"\n{kept}");
        index.Line("\nWritten by `report index`.");
        Replace(Path.Combine(folder, FileName), index.ToString());
        Replace(Path.Combine(folder, PageName), new IndexPage(sweeps, lists).ToString());

        if (page != null)
            Replace(front, page);
        foreach (var sentence in told)
            Console.Error.WriteLine(sentence);
    }

    /// <summary>What the charts over time show.</summary>
    public static IReadOnlyList<Chart> ChartsOf(string folder) => ListOf([.. HistoryOf(Sweeps(folder))]).All;

    // What people have written there, with its marks; null: nothing.
    static string? KeptIn(string path)
    {
        var part = File.Exists(path) ? KeptPart().Match(File.ReadAllText(path)) : Match.Empty;
        return part.Success ? part.Value : null;
    }

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
        WriteOverSweeps(page, newestFirst);
        return page.ToString();
    }

    // The ratios to the baseline that several sweeps tell.
    static void WriteOverSweeps(Page page, IndexedSweep[] newestFirst)
    {
        FrontPart[] parts =
        [
            .. Question.Marks
                .Select(mark => Shown(mark, newestFirst))
                .OfType<FrontPart>()
                .Where(part => part.Entries.Any(entry => entry.OverSweeps != null)),
        ];
        if (parts.Length == 0)
        {
            return;
        }
        page.Line(
            "\n## Over several sweeps\n\n"
                + "How many times the baseline's rate or, in rooms at a rate, the CPU time that both its sides spend "
                + "per message, on machines with as many CPUs: the mean of the sweeps, of three or more with its "
                + "interval (95 %), and the least and the most that a sweep had, as "
                + "[hours and machines differ](../docs/method.md#over-several-sweeps). Another sweep may lie outside.");
        foreach (FrontPart part in parts)
        {
            page.Line($"\n### {Text.Markdown(part.Words)}\n");
            page.Table(
                ["library", "version", "sweeps", part.RatioTitle, "least and most of a sweep"],
                part.Entries.Where(entry => entry.OverSweeps != null).Select(entry => (string[])
                [
                    Text.Markdown($"{entry.Name}, {entry.Label}"),
                    Text.Markdown(Past.VersionOf(entry.Cell)),
                    $"{entry.OverSweeps!.Sweeps}",
                    entry.OverSweeps.MeanInWords,
                    entry.OverSweeps.Range,
                ]));
        }
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

    // The page with its marked parts written anew, null where it has none; and what is to be told of them.
    (string? Page, string[] Told) Front(string path, IndexedSweep[] newestFirst)
    {
        var text = File.Exists(path) ? File.ReadAllText(path) : "";
        var parts = Marked().Matches(text);
        if (AnyMark().Count(text) != 2 * parts.Count)
        {
            throw new Failure(
                $"Each line '{Mark}' of {path} is to have a line '{End}' below it, and each such line one above.",
                Exit.WrongUsage
            );
        }
        if (parts.Count == 0)
        {
            return (null,
                [$"There is no {FileName} with a line '{Mark}' beside '{results}', so only its index was written."]);
        }
        List<string> told = [];
        var page = Marked().Replace(text, part =>
        {
            string[] marks = part.Groups["mark"].Value.Split(", ");
            if (marks.Except(Question.Marks).FirstOrDefault() is { } unknown)
            {
                throw new Failure(
                    $"{path} asks for '{unknown}', which is none of {string.Join(", ", Question.Marks)}.",
                    Exit.WrongUsage
                );
            }
            FrontPart?[] shown = [.. marks.Select(mark => Shown(mark, newestFirst))];
            if (shown.All(found => found != null))
                return $"{part.Groups["begin"].Value}{FrontPage.Of(shown!)}{End}\n";
            var lacking = marks.Zip(shown).First(found => found.Second == null).First;
            told.Add(
                $"No sweep of '{lacking}' is fit to be shown in {path}, whose part stays as it is: it takes "
                    + $"interleaved libraries or {Statistic.LeastForInterval} launches per cell, a report, "
                    + "and records that can all be read."
            );
            return part.Value;
        });
        return (page, [.. told]);
    }

    // Of several the newest; one of a few libraries does not hide one of all, echoes at a game's rate hide no game, and
    // rooms of few players not those that most ask for.
    static FrontPart? Shown(string mark, IndexedSweep[] newestFirst)
    {
        IndexedSweep[] sweeps =
        [
            .. newestFirst
                .Where(sweep => sweep.FrontParts.ContainsKey(mark))
                .OrderByDescending(sweep => sweep.HasRooms)
                .ThenBy(sweep => sweep.FromUsualRooms)
                .ThenBy(sweep => sweep.IsFirstLook)
                .ThenByDescending(sweep => sweep.Libraries),
        ];
        return sweeps.FirstOrDefault()?.FrontParts[mark]
            .Over(sweeps.Skip(1).Select(sweep => sweep.FrontParts[mark]));
    }

    [GeneratedRegex(@"(?<begin>^<!-- report index: (?<mark>[^\n]*?) -->\n)(?:(?!^<!-- )[^\n]*\n)*?^<!-- end -->\n",
        RegexOptions.Multiline)]
    private static partial Regex Marked();

    [GeneratedRegex("^<!-- kept by report index -->\n.*?^<!-- end -->$",
        RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex KeptPart();

    [GeneratedRegex("^<!-- (report index: [^\n]*|end) -->$", RegexOptions.Multiline)]
    private static partial Regex AnyMark();

    static void Replace(string path, string text)
    {
        if (!File.Exists(path) || File.ReadAllText(path) != text)
            WholeFile.Write(path, unfinished => File.WriteAllText(unfinished, text));
    }
}
