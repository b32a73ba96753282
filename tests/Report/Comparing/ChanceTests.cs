using Newtonsoft.Json.Linq;

/// <summary>Chance alone is seldom called a change, however many cells are compared.</summary>
public sealed class ChanceTests : ComparedSweeps
{
    [Fact]
    public void Of_200_cells_in_which_nothing_changed_few_are_called()
    {
        const int Trials = 20;
        const int Cells = 10; // so few that p does not count
        var called = 0;
        for (var trial = 0; trial < Trials; trial++)
            called += Called(Compare(Null(Cells, 5, 2 * trial), Null(Cells, 5, 2 * trial + 1), null));
        Say($"{called} of {Trials * Cells} cells were called");
        Assert.InRange(called, 0, 12);
    }

    [Fact]
    public void Of_many_cells_in_which_nothing_changed_none_is_called_in_nearly_all_sweeps()
    {
        const int Trials = 10;
        var sweeps = Enumerable.Range(0, Trials).Count(trial =>
            Called(Compare(Null(30, 8, 2 * trial), Null(30, 8, 2 * trial + 1), null)) > 0);
        Say($"{sweeps} of {Trials} sweeps of 30 cells had a cell called");
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
        var page = Compare(Sweep(five, 1), Sweep(five, 0.9), 0);
        Assert.EndsWith("| within noise |", RowOf(page));
        // 2 / 252 x 12 / 5 % = 1.9; 2 / (12 over 6) = 0.0022 is less than 5 % / 12 = 0.0042.
        Assert.Contains("unless 2 or more cells change**; 6 launches per side", page);

        page = Compare(Sweep([.. five, 10_050], 1), Sweep([.. five, 10_050], 0.9), Worse);
        Assert.EndsWith("| worse |", RowOf(page));
        Assert.Contains("**0 better, 1 worse, 11 within noise", page);
        Assert.DoesNotContain("unless", page);
    }
}
