using Spectre.Console;
using Plain = Spectre.Console.Text;

/// <summary>The verdicts of a sweep in a terminal, in the order of the report: sentences, then a table and two small
/// charts for each delivery mode.
/// Where there is no terminal, the same as plain text.</summary>
sealed class Show(Sweep sweep, IAnsiConsole console)
{
    const int WidthOfNone = 120;
    const int WidestChart = 100;
    const int LongestName = 34;
    const int LongestLine = 1_000;
    const int ColumnRoom = 3; // between two columns of a table

    /// <summary>The terminal that stdout is, in colour; without colour where NO_COLOR is set, and where it
    /// is none. Width: characters a line; null: as it has.</summary>
    public static IAnsiConsole Terminal(int? width)
    {
        var isPlain = Console.IsOutputRedirected || Environment.GetEnvironmentVariable("NO_COLOR") is { Length: > 0 };
        var console = AnsiConsole.Create(
            new()
            {
                Ansi = isPlain ? AnsiSupport.No : AnsiSupport.Detect,
                ColorSystem = isPlain ? ColorSystemSupport.NoColors : ColorSystemSupport.Detect,
                Interactive = InteractionSupport.No,
                // Which would write colours wherever an environment looks like that of a CI.
                Enrichment = new() { UseDefaultEnrichers = false },
            }
        );
        console.Profile.Width = width ?? (Console.IsOutputRedirected ? WidthOfNone : console.Profile.Width);
        return console;
    }

    /// <summary>Writes all of it.</summary>
    public void Write()
    {
        foreach (var machine in sweep.Machines)
            Line($"{machine.DateUtc}, {Fingerprint.CpusOf(machine)}, preset {machine.PresetInWords}");
        foreach (var sentence in new VersionSection(sweep).Sentences)
            Line(sentence);
        foreach (var search in sweep.Searches)
            Line($"{search.Cell.Name}, {search.Cell.Kind}: {search.MostInWords} players keep {search.Slo.Words}");
        Verdict[] verdicts = Verdict.Of(sweep);
        foreach (var verdict in verdicts)
            Write(verdict);
        foreach (var (library, reason) in sweep.Unavailable)
            Line($"{Text.Plain(library)} unavailable: {reason}");
        if (verdicts.Length == 0)
            Line("Nothing was measured.");
        else if (sweep.Cells.Length > verdicts.Sum(verdict => verdict.Rows.Length))
            Line($"{Report.AppendixName} has the other loads.");
    }

    void Write(Verdict verdict)
    {
        Heading(verdict.Title);
        foreach (var headline in verdict.Headlines())
            Line(headline);
        if (verdict.Warning is { } warning)
            Line(warning);
        var columns = verdict.Columns;
        var common = verdict.Common;
        foreach (var kind in verdict.Rows.GroupBy(row => row.Cell.Kind))
        {
            CellFigures[] rows = [.. kind.Where(row => row.Cell.CarriedItsLoad)];
            Table(kind.Key, rows, columns);
            if (verdict is VerdictOnMessages && rows.All(row => row.Cell.ClosedLoop))
                Chart(verdict.Work, rows);
            foreach (var row in kind)
            {
                if (string.Join("; ", common.Without(verdict.NotesOf(row))) is { Length: > 0 } all)
                    Line($"{NameOf(row)}: {all}");
            }
        }
        foreach (var sentence in common.InWords())
            Line(sentence);
    }

    void Heading(string title)
    {
        console.WriteLine();
        console.Write(new Plain(Text.Plain(title), new(decoration: Decoration.Bold)));
        console.WriteLine();
    }

    // As many of the columns, from the first on, as there is room for.
    void Table(string kind, CellFigures[] rows, Column[] columns)
    {
        Line(kind);
        if (rows.Length == 0)
            return;
        var room = console.Profile.Width - rows.Max(row => NameOf(row).Length) - ColumnRoom;
        Column[] fitting = [.. columns.TakeWhile(Fits)];
        var table = new Table().Border(TableBorder.Simple);
        table.AddColumn(new TableColumn(new Plain("library")).NoWrap());
        foreach (var column in fitting)
            table.AddColumn(new TableColumn(new Plain(column.Title)).RightAligned().NoWrap());
        foreach (var row in rows)
        {
            table.AddRow(
                [new Plain(NameOf(row), ColorOf(row)), .. fitting.Select(column => new Plain(column.Of(row)))]);
        }
        console.Write(table);
        if (fitting.Length < columns.Length)
            Line($"Too wide for here: {string.Join(", ", columns[fitting.Length..].Select(column => column.Title))}.");

        bool Fits(Column column)
        {
            var width = rows.Max(row => Math.Max(column.Title.Length, column.Of(row).Length));
            room -= width + ColumnRoom;
            return room >= 0;
        }
    }

    // The ratio where there is any, as it is what holds when the machine drifts.
    void Chart(Work work, CellFigures[] rows)
    {
        if (rows.Any(row => row.Cell.ToBaseline != null))
        {
            Chart(
                work.InWords("messages/s, times the baseline's of the same rounds"),
                rows,
                row => row.Cell.ToBaseline?.Value);
        }
        else
        {
            Chart(work.InWords("messages/s"), rows, Metrics.Throughput.ValueOf);
        }
        Chart(
            work.InWords("server CPU µs per message"),
            [.. rows.Where(row => !row.Cell.ServerPolls)],
            Metrics.ServerCpu.ValueOf);
    }

    void Chart(string title, CellFigures[] rows, Func<CellFigures, double?> figure)
    {
        var drawn = rows.Where(row => figure(row) > 0).ToArray();
        if (drawn.Length == 0)
            return;
        Line(title);
        console.Write(
            new BarChart { Width = Math.Min(console.Profile.Width, WidestChart) }
                .UseValueFormatter(value => Text.Number(value))
                .AddItems(drawn, row => new(Markup.Escape(NameOf(row)), figure(row)!.Value, ColorOf(row).Foreground))
        );
        console.WriteLine();
    }

    void Line(string line)
    {
        console.Write(new Plain(Text.Plain(line, LongestLine)));
        console.WriteLine();
    }

    static string NameOf(CellFigures row) => Text.Plain(row.Cell.Title, LongestName);

    Style ColorOf(CellFigures row)
    {
        if (row.Cell.IsBaseline)
            return Color.Grey;
        var rgb = Convert.FromHexString(sweep.Looks.ColorOf(row.Cell.Name)[1..]);
        return new Color(rgb[0], rgb[1], rgb[2]);
    }
}
