/// <summary>Which library fits, and how sure that is: what a sweep says of each library in each delivery
/// mode, held against plain sockets.</summary>
sealed class Verdict
{
    readonly HashSet<string> varying;
    readonly Func<Cell, CellFigures> figuresOf;

    public Verdict(Sweep sweep)
    {
        varying = Cell.Varying(sweep.Cells);
        figuresOf = sweep.FiguresOf;
        Tables =
        [
            .. sweep
                .Cells.Where(cell => cell.Link == null)
                .GroupBy(cell => cell.SectionInWords(varying))
                .OrderBy(table => Text.NumbersPadded(table.Key), StringComparer.Ordinal)
                .Select(table => new VerdictTable(table.Key, Rows([.. table]))),
        ];
        Unavailable =
        [
            .. sweep
                .Errors.Where(error => (string?)error["kind"] == "unavailable")
                .Select(error => ((string)error["library"]!, (string)error["reason"]!))
                .Distinct()
                .OrderBy(bench => bench.Item1, StringComparer.Ordinal),
        ];
    }

    /// <summary>One for each choice of the settings that the rows of a table share.</summary>
    public VerdictTable[] Tables { get; }

    /// <summary>The table that says something of most libraries; null where none does.</summary>
    public VerdictTable? Main => Tables.MaxBy(table => table.Rows.Count(row => row.Best != null));

    /// <summary>The benches that could not be built, and why; not escaped.</summary>
    public (string Library, string Reason)[] Unavailable { get; }

    VerdictRow[] Rows(Cell[] cells)
    {
        // Of those measured in turn that of the same rounds, else that of the same load.
        Cell? PlainOf(Cell cell) =>
            cell.InTurn
                ? cell.PlainSocket
                : cells.FirstOrDefault(plain =>
                    plain is { IsPlain: true, IsDrawn: true, InTurn: false }
                    && (plain.Kind, plain.Load) == (cell.Kind, cell.Load)
                );
        return
        [
            .. cells
                .GroupBy(cell => (cell.Kind, cell.Name))
                .Select(library => new VerdictRow([.. library], PlainOf, figuresOf))
                .OrderBy(row => row.KindOrder)
                .ThenByDescending(row => row.Rate.Value ?? -1)
                .ThenBy(row => row.Name, StringComparer.Ordinal),
        ];
    }
}
