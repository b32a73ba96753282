using System.CommandLine;
using System.Text;

/// <summary>The verbs for who reads what was measured: other tools, the terminal, the repository's pages.</summary>
static class ReaderVerbs
{
    const int NarrowestTerminal = 40;
    const int WidestTerminal = 1_000;

    public static Command[] All => [ExportOf(), ShowOf(), IndexOf()];

    static Command ExportOf()
    {
        var folder = Flags.Results();
        var format = Flags.Word(
            "--format",
            "csv",
            "^(csv|json|markdown|charts)$",
            "csv or json: a row for each cell and metric; markdown: a table for pasting into an issue; "
                + "charts: what the charts show, as JSON."
        );
        return Flags.Verb(
            "export",
            "Writes what a sweep measured to stdout, for other tools.",
            [folder, format],
            parsed =>
            {
                var path = parsed.GetValue(folder)!;
                // UTF-8 wherever it runs.
                using var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
                if (parsed.GetValue(format) == "charts")
                {
                    ChartExport.Write(ChartsIn(path), output);
                    return Exit.Done;
                }
                var sweep = Read(path);
                switch (parsed.GetValue(format))
                {
                    case "csv":
                        Export.Csv(new(sweep), output);
                        break;
                    case "json":
                        Export.Json(new(sweep), output);
                        break;
                    default:
                        output.Write(MarkdownExport.Of(sweep));
                        break;
                }
                return Exit.Done;
            }
        );
    }

    // Those of a sweep, and in a folder of sweeps those over time.
    static IReadOnlyList<Chart> ChartsIn(string folder)
    {
        var isOfSweeps =
            Directory.Exists(folder)
            && !File.Exists(RecordFile.In(folder))
            && Directory.GetDirectories(folder).Any(sweep => File.Exists(RecordFile.In(sweep)));
        return isOfSweeps ? ResultsIndex.ChartsOf(folder) : new Report(Read(folder)).Charts;
    }

    static Command ShowOf()
    {
        var folder = Flags.Results();
        var width = new Option<int?>("--width")
        {
            Description = $"Characters a line, {NarrowestTerminal} to {WidestTerminal}. [default: as the terminal has]",
        };
        width.Validators.Add(given =>
        {
            if (given.GetValue(width) is < NarrowestTerminal or > WidestTerminal)
                given.AddError($"--width takes a number from {NarrowestTerminal} to {WidestTerminal}.");
        });
        return Flags.Verb(
            "show",
            "Shows the verdict on each library, with small charts, in the terminal.",
            [folder, width],
            parsed =>
            {
                new Show(Read(parsed.GetValue(folder)!), Show.Terminal(parsed.GetValue(width))).Write();
                return Exit.Done;
            }
        );
    }

    static Command IndexOf()
    {
        var folder = new Argument<string>("RESULTS")
        {
            Description = "Folder of the sweeps' folders.",
            DefaultValueFactory = _ => "results",
        };
        var charts = Flags.Charts();
        return Flags.Verb(
            "index",
            "Writes README.md and index.html into the folder of all results, and into the marked parts of the "
                + "README.md beside that folder what the newest sweeps answer.",
            [folder, charts],
            parsed =>
            {
                new ResultsIndex(parsed.GetValue(folder)!, parsed.GetValue(charts)!).Write();
                return Exit.Done;
            }
        );
    }

    /// <summary>The sweep in a folder; says where it holds no measurement.</summary>
    public static Sweep Read(string folder)
    {
        var sweep = Sweep.In(folder);
        if (!sweep.Cells.Any(cell => cell.Measured))
            Console.Error.WriteLine("raw.jsonl holds no measurement.");
        return sweep;
    }
}
