/// <summary>The verb `documents`: writes what settings and records declare of themselves into the files of the suite
/// that tell people and scripts of it.</summary>
static class DocumentsVerb
{
    const string FlagsPage = "docs/flags.md";
    const string Records = "docs/records.md";
    const string PowerShell = "scripts/run-all.ps1";

    public static System.CommandLine.Command Verb => Flags.Verb(
        "documents",
        "Writes tables and help out of what is declared, into the folder that it stands in.",
        [],
        _ =>
        {
            File.WriteAllText("scripts/run-all.help", ScriptHelp.Text);
            File.WriteAllText("scripts/run-all.words", ScriptHelp.Words);
            Write(PowerShell, "    # ", "", "settings of a sweep", ScriptHelp.Parameters);
            Write(FlagsPage, "<!-- ", " -->", "all flags", $"\n{Tables.OfSettings}\n");
            Write(Records, "<!-- ", " -->", "shared fields", $"\n{Tables.OfSharedFields}\n");
            // Those of settings are told with the flags.
            foreach (string table in Contract.Kinds.Keys.Concat(Contract.Parts.Keys.Except(["settings"])))
            {
                Write(Records, "<!-- ", " -->", table, $"\n{Tables.OfFields(table)}\n");
            }
            return Exit.Done;
        });

    // Replaces what stands in a file between two comments, which begin and end as they do there.
    static void Write(string file, string before, string after, string name, string text)
    {
        string start = $"{before}Written by `runner documents`: {name}.{after}\n";
        string end = $"{before}End of {name}.{after}\n";
        string all = File.ReadAllText(file);
        int from = all.IndexOf(start, StringComparison.Ordinal);
        int to = all.IndexOf(end, StringComparison.Ordinal);
        if (from < 0 || to < from)
        {
            throw new Failure($"{file} has no lines '{start.Trim()}' and '{end.Trim()}'.");
        }
        File.WriteAllText(file, all[..(from + start.Length)] + text + all[to..]);
    }
}
