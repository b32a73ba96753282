/// <summary>Which library fits, and how sure that is: what a sweep says of each library in each delivery
/// mode, held against baselines.</summary>
sealed class Verdict
{
    static readonly (long Clients, long Parallel, long Rate) usualLoad = (100, 10, 0);

    readonly HashSet<string> varying;
    readonly ILookup<string, Cell> sections;
    readonly Func<Cell, CellFigures> figuresOf;

    public Verdict(Sweep sweep)
    {
        varying = Cell.Varying(sweep.Cells);
        figuresOf = sweep.FiguresOf;
        sections = sweep.Cells.Where(cell => cell.Link == null).ToLookup(cell => cell.SectionInWords(varying));
        Tables =
        [
            .. sections
                .OrderBy(table => Text.NumbersPadded(table.Key), StringComparer.Ordinal)
                .Select(table => new VerdictTable(table.Key, Rows([.. table]))),
        ];
        Unavailable =
        [
            .. sweep
                .Errors.Where(error => error.Kind == "unavailable")
                .Select(error => (error.Library, error.Reason))
                .Distinct()
                .OrderBy(bench => bench.Item1, StringComparer.Ordinal),
        ];
    }

    /// <summary>One for each choice of the settings that the rows of a table share.</summary>
    public VerdictTable[] Tables { get; }

    /// <summary>The table that says something of most libraries; null where none does.</summary>
    public VerdictTable? Main => Tables.MaxBy(table => table.Rows.Count(row => row.Best != null));

    /// <summary>The same with the cells of one load alone: of 100 clients with 10 messages in flight each, or else of
    /// that which most cells have.</summary>
    public VerdictTable? MainAtOneLoad
    {
        get
        {
            if (Main is not { } main)
            {
                return null;
            }
            var load = sections[main.Settings]
                .Where(cell => cell.IsDrawn)
                .GroupBy(cell => cell.Load)
                .OrderByDescending(cells => cells.Key == usualLoad)
                .ThenByDescending(cells => cells.Count())
                .ThenByDescending(cells => cells.Key)
                .FirstOrDefault();
            return load == null
                ? null
                : new(main.Settings, Rows([.. sections[main.Settings].Where(cell => cell.Load == load.Key)]));
        }
    }

    /// <summary>The benches that could not be built, and why; not escaped.</summary>
    public (string Library, string Reason)[] Unavailable { get; }

    VerdictRow[] Rows(Cell[] cells)
    {
        // Of those interleaved that of the same rounds, else that of the same load.
        Cell? BaselineOf(Cell cell) =>
            cell.Interleaved
                ? cell.Baseline
                : cells.FirstOrDefault(plain =>
                    plain is { IsBaseline: true, IsDrawn: true, Interleaved: false }
                    && (plain.Kind, plain.Load) == (cell.Kind, cell.Load)
                );
        return
        [
            .. cells
                .GroupBy(cell => (cell.Kind, cell.Name))
                .Select(library => new VerdictRow([.. library], BaselineOf, figuresOf))
                .OrderBy(row => row.KindOrder)
                .ThenByDescending(row => row.Rate.Value ?? -1)
                .ThenBy(row => row.Name, StringComparer.Ordinal),
        ];
    }
}
