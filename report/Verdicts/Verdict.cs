/// <summary>Which library fits, and how sure that is: what a sweep says of each library, held against the
/// baseline. What went over links is told by LinkVerdict, and
/// what rooms did by RoomVerdict.</summary>
sealed class Verdict
{
    static readonly (long Clients, long Parallel, long Rate) usualLoad = (100, 10, 0);

    readonly Func<Cell, CellFigures> figuresOf;

    /// <summary>That of a sweep.</summary>
    public Verdict(Sweep sweep)
    {
        figuresOf = sweep.FiguresOf;
        var varying = Cell.Varying(sweep.Cells);
        Groups =
        [
            .. sweep
                .Cells.Where(cell => cell is { Link: null, Work.HasRooms: false })
                .GroupBy(cell => cell.SectionInWords(varying))
                .OrderBy(group => Text.NumbersPadded(group.Key), StringComparer.Ordinal)
                .Select(group => GroupOf(group.Key, [.. group])),
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

    /// <summary>The tables of the cells that share all settings but delivery, clients, messages in flight, profile
    /// and rate. AtOneLoad: of a closed loop. AtBestLoads: of the load at which each carried most; null where that says
    /// nothing else. AtOneRate: what it costs to carry the same rate.</summary>
    public sealed record Group(OneLoadTable? AtOneLoad, BestLoadsTable? AtBestLoads, OneRateTable? AtOneRate)
    {
        /// <summary>Those that there are, in the order of a report: a server's cost first, as clients that share its
        /// CPUs do not change it.</summary>
        public IEnumerable<VerdictTable> Tables =>
            new VerdictTable?[] { AtOneRate, AtOneLoad, AtBestLoads }.OfType<VerdictTable>();

        /// <summary>The one that tells most in a few words.</summary>
        public VerdictTable? Main => (VerdictTable?)AtOneLoad ?? AtOneRate;
    }

    /// <summary>One for each choice of the settings that the rows of a table share.</summary>
    public Group[] Groups { get; }

    /// <summary>The table of one load that says something of most libraries; null where none does.</summary>
    public VerdictTable? Main =>
        Groups
            .Select(group => group.Main)
            .OfType<VerdictTable>()
            .MaxBy(table => table.Rows.Count(row => row.Best != null));

    /// <summary>The benches that could not be built, and why; not escaped.</summary>
    public (string Library, string Reason)[] Unavailable { get; }

    Group GroupOf(string settings, Cell[] cells)
    {
        Cell[] closed = [.. cells.Where(cell => cell.ClosedLoop)];
        Cell[] atRate = [.. cells.Where(cell => !cell.ClosedLoop)];
        var atOneLoad = closed.Length == 0 ? null : new OneLoadTable(settings, Rows(cells, AtOneLoad(closed)));
        var atBestLoads = closed.Length == 0 ? null : new BestLoadsTable(settings, Rows(cells, closed));
        if (atBestLoads?.Rows.All(row => atOneLoad!.Rows.Any(other => other.Shown == row.Shown)) == true)
            atBestLoads = null;
        var atOneRate = atRate.Length == 0 ? null : new OneRateTable(settings, Rows(cells, AtOneLoad(atRate)));
        return new(atOneLoad, atBestLoads, atOneRate);
    }

    /// <summary>Those of one load alone: of 100 clients with 10 messages in flight each, or else of that which most
    /// valid cells have, and of several such the highest.</summary>
    public static Cell[] AtOneLoad(Cell[] cells)
    {
        var load = cells
            .GroupBy(cell => cell.Load)
            .OrderByDescending(load => load.Key == usualLoad && load.Any(cell => cell.CarriedItsLoad))
            .ThenByDescending(load => load.Count(cell => cell.CarriedItsLoad))
            .ThenByDescending(load => load.Key)
            .First();
        return [.. load];
    }

    // All: the cells among which baselines are.
    VerdictRow[] Rows(Cell[] all, Cell[] shown)
    {
        // Of those that were interleaved that of the same rounds, else that of the same load.
        Cell? BaselineOf(Cell cell) =>
            cell.Interleaved
                ? cell.Baseline
                : all.FirstOrDefault(other =>
                    other is { IsUsualBaseline: true, CarriedItsLoad: true, Interleaved: false }
                    && (other.Kind, other.Load) == (cell.Kind, cell.Load)
                );
        return
        [
            .. shown
                .GroupBy(cell => (cell.Kind, cell.Name))
                .Select(library => new VerdictRow([.. library], BaselineOf, figuresOf)),
        ];
    }
}
