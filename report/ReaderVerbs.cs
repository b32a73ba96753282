using System.CommandLine;
using System.Text;

/// <summary>The verbs for who reads what was measured: other tools, the terminal, the repository's pages.</summary>
static class ReaderVerbs
{
    const int NarrowestTerminal = 40, WidestTerminal = 1_000;

    public static Command[] All => [ExportOf()];

    static Command ExportOf()
    {
        var folder = Flags.Results();
        var format = Flags.Word("--format", "csv", "^(csv|json|markdown)$",
            "csv or json: a row for each cell and metric; markdown: a table for pasting into an issue.");
        return Flags.Verb("export", "Writes what a sweep measured to stdout, for other tools.", [folder, format],
            parsed =>
            {
                var sweep = Read(parsed.GetValue(folder)!);
                // UTF-8 wherever it runs.
                using var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
                switch (parsed.GetValue(format))
                {
                    case "csv": Export.Csv(new(sweep), output); break;
                    case "json": Export.Json(new(sweep), output); break;
                    default: output.Write(MarkdownExport.Of(sweep)); break;
                }
                return Program.Done;
            });
    }

    static Sweep Read(string folder)
    {
        var sweep = Sweep.In(folder);
        if (!sweep.Cells.Any(cell => cell.Measured)) Console.Error.WriteLine("raw.jsonl holds no measurement.");
        return sweep;
    }
}
