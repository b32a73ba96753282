using Newtonsoft.Json.Linq;

/// <summary>Chance alone is seldom called a change, however many cells are compared.</summary>
public sealed class ChanceTests : ComparedSweeps
{
    [Fact]
    public void Of_210_cells_in_which_nothing_changed_few_are_called()
    {
        const int Cells = 10; // so few that p does not count
        var called = CalledInPairs(7, Cells, 5);
        Say($"{called.Sum()} of {called.Length * Cells} cells were called");
        Assert.Equal(21, called.Length);
        Assert.InRange(called.Sum(), 0, 12);
    }

    [Fact]
    public void Of_many_cells_in_which_nothing_changed_none_is_called_in_nearly_all_sweeps()
    {
        var called = CalledInPairs(5, 30, 8);
        var sweeps = called.Count(cells => cells > 0);
        Say($"{sweeps} of {called.Length} pairs of sweeps of 30 cells had a cell called");
        Assert.Equal(10, called.Length);
        Assert.InRange(sweeps, 0, 1);
    }

    [Fact]
    public void Among_many_cells_one_change_needs_more_launches_and_the_page_says_how_many()
    {
        static JObject[] Sweep(double[] rates, double first)
        {
            var cells = Enumerable.Range(1, 12).Select(parallel => Cell(rates, parallel == 1 ? first : 1, parallel));
            return [.. cells.SelectMany(records => records)];
        }
        var page = Compare(Sweep(MadeUp.Five, 1), Sweep(MadeUp.Five, 0.9), 0);
        Assert.EndsWith("| within noise |", RowOf(page));
        // 2 / 252 x 12 / 5 % = 1.9; 2 / (12 over 6) = 0.0022 is less than 5 % / 12 = 0.0042.
        Assert.Contains("unless 2 or more cells change**; 6 launches per side", page);

        page = Compare(Sweep([.. MadeUp.Five, 10_050], 1), Sweep([.. MadeUp.Five, 10_050], 0.9), Worse);
        Assert.EndsWith("| worse |", RowOf(page));
        Assert.Contains("**0 better, 1 worse, 11 within noise", page);
        Assert.DoesNotContain("unless", page);
    }

    // How many cells are called in each pair of so many sweeps without a difference.
    int[] CalledInPairs(int sweeps, int cells, int launches)
    {
        for (var sweep = 0; sweep < sweeps; sweep++)
            Write($"{sweep}", Null(cells, launches, sweep));
        var pairs =
            from before in Enumerable.Range(0, sweeps)
            from after in Enumerable.Range(before + 1, sweeps - before - 1)
            select Called(PageOf(Compared($"{before}", $"{after}"), exitCode: null));
        return [.. pairs];
    }
}
