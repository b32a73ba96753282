/// <summary>What all rows of a table bear, or all but a few. It says nothing of any of them, so that it is said once,
/// below the table, and not in its rows.</summary>
sealed class CommonNotes
{
    const int LeastRows = 3;
    const int MostNamed = 6; // that do not bear it
    const int LeastShare = 4; // no more than one in so many
    const int FewNamed = 2;

    readonly Row[] rows;
    readonly string[] common;

    /// <summary>A row: the library, what it does, and its notes; not escaped.</summary>
    public sealed record Row(string Name, string Kind, string[] Notes);

    /// <summary>That of some rows.</summary>
    public CommonNotes(IEnumerable<Row> rows)
    {
        this.rows = [.. rows];
        common =
        [
            .. this.rows.SelectMany(row => row.Notes.Distinct())
                .GroupBy(note => note)
                .Where(note => IsCommon(this.rows.Length - note.Count()))
                .Select(note => note.Key),
        ];
    }

    /// <summary>That of the rows of cells. KindOf: what tells those of one library apart.</summary>
    public static CommonNotes Of(IEnumerable<Cell> cells, long? repeats, Func<Cell, string> kindOf) =>
        new(cells.Where(cell => cell.Measured).Select(cell => new Row(
            cell.Name, kindOf(cell), [.. cell.Notes(repeats)])));

    /// <summary>What is left to say of a row.</summary>
    public IEnumerable<string> Without(IEnumerable<string> notes) => notes.Except(common);

    /// <summary>The sentences below the table, one for all notes that the same rows bear; not escaped.</summary>
    public IEnumerable<string> InWords() =>
        common
            .Select(note => (Note: note, But: rows.Where(row => !row.Notes.Contains(note)).ToArray()))
            .GroupBy(note => string.Join(',', note.But.Select(row => Array.IndexOf(rows, row))))
            .Select(same => Sentence([.. same.Select(note => note.Note)], same.First().But));

    /// <summary>Writes them.</summary>
    public void Write(Page page)
    {
        foreach (var sentence in InWords())
            page.Line($"\n{Text.LongMarkdown(sentence)}");
    }

    bool IsCommon(int but) => rows.Length >= LeastRows && but <= MostNamed && LeastShare * but <= rows.Length;

    string Sentence(string[] notes, Row[] but)
    {
        var said = $"bear the note{(notes.Length == 1 ? "" : "s")} {Text.And(notes.Select(note => $"\"{note}\""))}";
        if (but.Length == 0)
            return $"All rows {said}.";
        return but.Length <= FewNamed
            ? $"All rows but {Named(but)} {said}."
            : $"Most rows {said}; those of {Named(but)} do not.";
    }

    // "enet and tcp (reliable-ordered) and kcp2k (unreliable)"; without what all rows of the table do.
    string Named(Row[] some)
    {
        var isOfOneKind = rows.Select(row => row.Kind).Distinct().Count() == 1;
        var byKind = some.GroupBy(row => isOfOneKind ? "" : row.Kind).Select(kind =>
            Text.And(kind.Select(row => row.Name)) + (isOfOneKind ? "" : $" ({kind.Key})"));
        return Text.And(byKind);
    }
}
