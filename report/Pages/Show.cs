using Spectre.Console;
using Plain = Spectre.Console.Text;

/// <summary>The verdicts of a sweep in a terminal: a table and two small charts for each delivery mode.
/// Where there is no terminal, the same as plain text.</summary>
sealed class Show(Sweep sweep, IAnsiConsole console)
{
    const int WidthOfNone = 120;
    const int WidestChart = 100;
    const int LongestName = 24;
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
        var verdict = new Verdict(sweep);
        foreach (var machine in sweep.Machines)
        {
            Line(
                $"{machine.DateUtc}, {Fingerprint.CpusOf(machine)}, preset {machine.PresetInWords}"
            );
        }
        foreach (var table in verdict.Tables)
        {
            foreach (var kind in table.Kinds)
            {
                Write(
                    Cell.Titled(kind, table.Settings),
                    table with
                    {
                        Rows = [.. table.Rows.Where(row => row.Kind == kind)],
                    }
                );
            }
        }
        var ofLinks = LinkVerdict.Of(sweep);
        foreach (var ofLink in ofLinks)
            Write(ofLink);
        foreach (var (library, reason) in verdict.Unavailable)
            Line($"{Text.Plain(library)} unavailable: {reason}");
        console.WriteLine();
        Line(
            verdict.Tables.Length > 0
                ? $"{VerdictTable.HowToRead} {VerdictTable.HowToReadOn}"
                : Without(ofLinks)
        );
    }

    // What stands below where nothing was measured without a link.
    static string Without(LinkVerdict[] ofLinks) =>
        ofLinks.Length == 0 ? "Nothing was measured." : "Of other links report.md tells.";

    void Write(LinkVerdict verdict)
    {
        console.WriteLine();
        Heading(verdict.Title);
        foreach (var alike in verdict.Rows.GroupBy(row => $"{row.Cell.Kind}, {LoadOf(row.Cell)}"))
        {
            Line(alike.Key);
            var table = new Table().Border(TableBorder.Simple);
            table.AddColumn(new TableColumn(new Plain("library")).NoWrap());
            foreach (var column in verdict.Layout.InVerdict)
                table.AddColumn(new TableColumn(new Plain(column.Title)).RightAligned().NoWrap());
            foreach (var row in alike)
            {
                table.AddRow([
                    new Plain(Text.Plain(row.Cell.Title, LongestName), ColorOf(row.Cell.Name, row.Cell.IsBaseline)),
                    .. verdict.Layout.InVerdict.Select(column => new Plain(column.Of(row))),
                ]);
            }
            console.Write(table);
        }
    }

    static string LoadOf(Cell cell) => WorkLayout.Of(cell.Work).LoadOf(cell);

    void Heading(string title)
    {
        console.Write(new Plain(Text.Plain(title), new(decoration: Decoration.Bold)));
        console.WriteLine();
    }

    void Write(string title, VerdictTable all)
    {
        var rows = all.Rows;
        string InWords(string words) => rows[0].Work.InWords(words);
        console.WriteLine();
        Heading(title);
        var fit = rows.Where(row => row.Best != null).ToArray();
        if (fit.Length > 0)
        {
            var left = Table(all with { Rows = fit });
            // Rates of the hour stand in the table.
            if (fit.Any(row => row.Best!.ToBaseline != null))
            {
                Chart(
                    InWords("messages/s, times the baseline's of the same rounds"),
                    fit,
                    row => row.Best!.ToBaseline?.Value
                );
            }
            else
            {
                Chart(InWords("messages/s"), fit, row => row.Rate.Value);
            }
            Chart(InWords("CPU µs a message, both sides"), fit, row => row.CpuUs.Value);
            if (left.Length > 0)
                Line($"Too wide for here: {string.Join(", ", left)}.");
        }
        foreach (var row in rows)
        {
            if (string.Join("; ", row.Notes()) is { Length: > 0 } notes)
                Line($"{NameOf(row)}: {notes}");
        }
    }

    // Returns the titles of the columns that found no room.
    string[] Table(VerdictTable shown)
    {
        var rows = shown.Rows;
        var all = shown.Columns(relatives: true);
        var columns = Fitting(rows, all);
        if (columns.Length < all.Length)
            columns = Fitting(rows, shown.Columns(relatives: false));
        var table = new Table().Border(TableBorder.Simple);
        table.AddColumn(new TableColumn(new Plain("library")).NoWrap());
        foreach (var column in columns)
            table.AddColumn(new TableColumn(new Plain(column.Title)).RightAligned().NoWrap());
        foreach (var row in rows)
        {
            table.AddRow([
                new Plain(NameOf(row), ColorOf(row)),
                .. columns.Select(column => new Plain(column.Of(row))),
            ]);
        }
        console.Write(table);
        return [.. all.Skip(columns.Length).Select(column => column.Title)];
    }

    // As many of the columns, from the first on, as there is room for.
    VerdictTable.Column[] Fitting(VerdictRow[] rows, VerdictTable.Column[] columns)
    {
        var room = console.Profile.Width - rows.Max(row => NameOf(row).Length) - ColumnRoom;
        return [.. columns.TakeWhile(Fits)];

        bool Fits(VerdictTable.Column column)
        {
            var width = rows.Max(row => Math.Max(column.Title.Length, column.Of(row).Length));
            room -= width + ColumnRoom;
            return room >= 0;
        }
    }

    void Chart(string title, VerdictRow[] rows, Func<VerdictRow, double?> figure)
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

    static string NameOf(VerdictRow row) =>
        Text.Plain(row.Name, LongestName) + (row.IsBaseline ? Baseline.InBrackets(row.Library) : "");

    Style ColorOf(VerdictRow row) => ColorOf(row.Name, row.IsBaseline);

    Style ColorOf(string name, bool isPlain)
    {
        if (isPlain)
            return Color.Grey;
        var rgb = Convert.FromHexString(sweep.Looks.ColorOf(name)[1..]);
        return new Color(rgb[0], rgb[1], rgb[2]);
    }
}
