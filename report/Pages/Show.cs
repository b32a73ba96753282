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
        var verdict = new Verdict(sweep);
        foreach (var machine in sweep.Machines)
        {
            Line(
                $"{machine.DateUtc}, {Fingerprint.CpusOf(machine)}, preset {machine.PresetInWords}"
            );
        }
        foreach (var sentence in new VersionSection(sweep).Sentences)
            Line(sentence);
        var ofRooms = RoomVerdict.Of(sweep);
        var ofLinks = LinkVerdict.Of(sweep);
        VerdictTable[] tables = [.. verdict.Groups.SelectMany(group => group.Tables)];
        foreach (var ofRoom in ofRooms)
            Write(ofRoom);
        foreach (var search in sweep.Searches)
            Line($"{search.Cell.Name}, {search.Cell.Kind}: {search.MostInWords} players keep {search.Slo.Words}");
        foreach (var ofLink in ofLinks)
            Write(ofLink);
        foreach (var table in tables)
            Write(table);
        foreach (var (library, reason) in verdict.Unavailable)
            Line($"{Text.Plain(library)} unavailable: {reason}");
        console.WriteLine();
        var words = tables.Select(table => table.HowToRead).Concat(tables.SelectMany(table => table.Meanings));
        foreach (var howToRead in words.Distinct())
            Line(howToRead);
        if (tables.Length == 0 && ofLinks.Length == 0 && ofRooms.Length == 0)
            Line("Nothing was measured.");
        var links = sweep.Cells.Where(cell => !cell.Work.HasRooms).Select(cell => cell.Link).OfType<LinkSettings>();
        if (links.Distinct().Count() > ofLinks.Length)
            Line("report.md tells of the other links.");
    }

    void Write(LinkVerdict verdict)
    {
        Heading(verdict.Title);
        Above(verdict.Headlines(), verdict.Warning);
        Tables(verdict.Rows, verdict.Columns, verdict.NotesOf);
        foreach (var common in verdict.Common.InWords())
            Line(common);
        Line(verdict.Layout.VerdictInWords);
    }

    void Write(RoomVerdict verdict)
    {
        Heading(verdict.Title);
        Above(verdict.Headlines(), verdict.Warning);
        Tables(verdict.Rows, verdict.Columns, verdict.NotesOf);
        foreach (var common in verdict.Common.InWords())
            Line(common);
        Line(verdict.VerdictInWords);
        foreach (var other in verdict.OfOtherLoads())
            Line(other);
    }

    // One for each delivery mode, each with the notes of its rows.
    void Tables(CellFigures[] rows, Column[] columns, Func<Cell, IEnumerable<string>> notesOf)
    {
        foreach (var kind in rows.GroupBy(row => row.Cell.Kind))
        {
            Table(
                kind.Key,
                [.. kind.Where(row => row.Cell.IsDrawn)],
                row => row.Cell.Title,
                row => ColorOf(row.Cell.Name, row.Cell.IsBaseline),
                columns.Select(column => (column.Title, column.Of)));
            foreach (var row in kind)
                Notes(row.Cell.Title, notesOf(row.Cell));
        }
    }

    void Above(IEnumerable<string> headlines, string? warning)
    {
        foreach (var headline in headlines)
            Line(headline);
        if (warning != null)
            Line(warning);
    }

    void Heading(string title)
    {
        console.WriteLine();
        console.Write(new Plain(Text.Plain(title), new(decoration: Decoration.Bold)));
        console.WriteLine();
    }

    void Write(VerdictTable table)
    {
        Heading(table.Title);
        Above(table.Headlines(), table.Warning);
        foreach (var kind in table.Rows.GroupBy(row => row.Kind))
        {
            VerdictRow[] rows = [.. kind.Where(row => row.Best != null)];
            Table(kind.Key, rows, NameOf, ColorOf, table.Columns.Select(column => (column.Title, column.Of)));
            if (table is OneLoadTable)
                Chart(table.Work, rows);
            foreach (var row in kind)
                Notes(NameOf(row), table.NotesOf(row));
        }
        foreach (var common in table.Common.InWords())
            Line(common);
    }

    void Notes(string name, IEnumerable<string> notes)
    {
        if (string.Join("; ", notes) is { Length: > 0 } all)
            Line($"{name}: {all}");
    }

    // As many of the columns, from the first on, as there is room for.
    void Table<T>(
        string kind,
        T[] rows,
        Func<T, string> nameOf,
        Func<T, Style> colorOf,
        IEnumerable<(string Title, Func<T, string> Of)> columns)
    {
        Line(kind);
        if (rows.Length == 0)
            return;
        (string Title, Func<T, string> Of)[] all = [.. columns];
        var room = console.Profile.Width - rows.Max(row => Name(row).Length) - ColumnRoom;
        (string Title, Func<T, string> Of)[] fitting = [.. all.TakeWhile(Fits)];
        var table = new Table().Border(TableBorder.Simple);
        table.AddColumn(new TableColumn(new Plain("library")).NoWrap());
        foreach (var column in fitting)
            table.AddColumn(new TableColumn(new Plain(column.Title)).RightAligned().NoWrap());
        foreach (var row in rows)
            table.AddRow([new Plain(Name(row), colorOf(row)), .. fitting.Select(column => new Plain(column.Of(row)))]);
        console.Write(table);
        if (fitting.Length < all.Length)
            Line($"Too wide for here: {string.Join(", ", all[fitting.Length..].Select(column => column.Title))}.");

        string Name(T row) => Text.Plain(nameOf(row), LongestName);

        bool Fits((string Title, Func<T, string> Of) column)
        {
            var width = rows.Max(row => Math.Max(column.Title.Length, column.Of(row).Length));
            room -= width + ColumnRoom;
            return room >= 0;
        }
    }

    // The ratio where there is any, as it is what holds when the machine drifts.
    void Chart(Work work, VerdictRow[] rows)
    {
        if (rows.Any(row => row.Best!.ToBaseline != null))
        {
            Chart(
                work.InWords("messages/s, times the baseline's of the same rounds"),
                rows,
                row => row.Best!.ToBaseline?.Value);
        }
        else
        {
            Chart(work.InWords("messages/s"), rows, row => row.Rate.Value);
        }
        Chart(
            work.InWords("server CPU µs per message"),
            rows,
            row => Metrics.ServerCpu.ValueOf(row.Figures!));
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
        Text.Plain(row.Title, LongestName);

    Style ColorOf(VerdictRow row) => ColorOf(row.Name, row.IsBaseline);

    Style ColorOf(string name, bool isPlain)
    {
        if (isPlain)
            return Color.Grey;
        var rgb = Convert.FromHexString(sweep.Looks.ColorOf(name)[1..]);
        return new Color(rgb[0], rgb[1], rgb[2]);
    }
}
