/// <summary>What a sweep says of a library that it has in several versions: the answer first, then a table of each
/// load.</summary>
sealed class VersionSection(Sweep sweep)
{
    const int HashDigits = 12;

    const string HowToRead =
        "Judged by the rate in a closed loop, and by CPU per message at a given rate. Rate and CPU are compared in the "
        + "same rounds, the other figures in the same launches; CPU and allocations are those of both sides together. "
        + "A ratio is new / old; *better* and *worse* stand where its 95 % interval excludes 1 and it is over 2 % off "
        + "(10 % in one launch, 5 % in under five).";

    readonly VersionChange[] changes = VersionChange.In(sweep);

    /// <summary>The answers, a sentence each; not escaped. None where no library is there in several versions.
    /// </summary>
    public string[] Sentences => [.. changes.Select(change => change.InWords)];

    /// <summary>True where the newest of a library is worse than an older one, or failed where that did not.</summary>
    public bool IsWorse => changes.Any(change => change.Pairs.Any(pair => pair.IsWorse || pair.IsBroken));

    /// <summary>The first ratio whose half-width is over a share, in a sentence; not escaped. Null: there is none.
    /// </summary>
    public string? WiderThan(double share)
    {
        foreach (var change in changes)
        {
            foreach (var pair in change.Pairs)
            {
                if (pair.IsKnown && pair.Judged.Interval!.HalfWidth > share)
                {
                    return $"{change.Subject}, {pair.Load}: the ratio is known within "
                        + $"{Ratios.HalfWidth(pair.Judged.Interval.HalfWidth)}, and not {Ratios.HalfWidth(share)}.";
                }
            }
        }
        return null;
    }

    /// <summary>True where of one load at least something is known of two versions.</summary>
    public bool IsAnythingKnown => changes.Any(change => change.Pairs.Any(pair => pair.IsKnown));

    /// <summary>Writes the answers under a heading, if there are any.</summary>
    public void WriteSentences(Page page)
    {
        if (changes.Length == 0)
            return;
        page.Line("\n## Is the newer version faster?\n");
        foreach (var sentence in Sentences)
            page.Line($"- **{Text.LongMarkdown(sentence)}**");
    }

    /// <summary>Writes them and what they are drawn from.</summary>
    public void Write(Page page)
    {
        if (changes.Length == 0)
            return;
        WriteSentences(page);
        page.Line($"\n{Text.LongMarkdown(Loaded)}");
        page.Line($"\n{HowToRead}");
        foreach (var change in changes)
        {
            foreach (var pair in change.Pairs)
            {
                Table(page, change, pair);
            }
        }
    }

    // What the processes said that they loaded, and what the file was.
    string Loaded
    {
        get
        {
            var libraries = changes.SelectMany(change => change.Pairs)
                .Select(pair => LibraryName.LibraryOf(pair.Cell.Library))
                .ToHashSet();
            var loaded = sweep
                .Ready.Where(side => libraries.Contains(LibraryName.LibraryOf(side.Library)))
                .Select(side => (side.Library, side.LibraryVersion, side.LibrarySha256))
                .Distinct()
                .OrderBy(side => side.Library, LibraryName.InOrder)
                .Select(side => $"{side.Library} is {side.LibraryVersion} "
                    + $"(SHA-256 {Text.Plain(side.LibrarySha256, HashDigits)})");
            return $"Loaded: {string.Join("; ", loaded)}.";
        }
    }

    static void Table(Page page, VersionChange change, VersionPair pair)
    {
        var (old, now) = change.Labels;
        page.Line($"\n### {Text.Markdown($"{change.Subject}, {pair.Load}: {now} / {old}")}\n");
        string[] head = ["figure", Text.Markdown(old), Text.Markdown(now), "new / old", "95 % interval", "verdict"];
        page.Table(head, pair.Rows.Select(row => Cells(row, pair.Doubt != null || !row.IsValid)), figures: true);
    }

    static string[] Cells(VersionPair.Row row, bool isDoubted)
    {
        var interval = row.Ratio.Interval;
        string Struck(string figure) => isDoubted && figure != Text.Missing ? $"~~{figure}~~" : figure;
        string Shown(double? figure) => Struck(Text.Number(figure));
        return
        [
            row.Title,
            Shown(row.Old),
            Shown(row.New),
            Shown(row.Ratio.Value),
            interval == null
                ? Text.Missing
                : Struck($"{Text.Number(interval.Low)}–{Text.Number(interval.High)}"
                    + (interval.IsOfRoundsAlone ? " (rounds)" : "")),
            isDoubted ? "" : VerdictOn(row),
        ];
    }

    static string VerdictOn(VersionPair.Row row)
    {
        if (row.LessIsBetter is not { } lessIsBetter || !row.Ratio.Differs)
        {
            return "";
        }
        return row.Ratio.Value < 1 == lessIsBetter ? "better" : "worse";
    }
}
