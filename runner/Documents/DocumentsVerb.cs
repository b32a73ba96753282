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
            var ofScript = new Regions(PowerShell, "    # ", "");
            ofScript.Write("settings of a sweep", ScriptHelp.Parameters);
            new Regions(FlagsPage, "<!-- ", " -->").Write("all flags", $"\n{Tables.OfSettings}\n");
            var ofRecords = new Regions(Records, "<!-- ", " -->");
            ofRecords.Write("shared fields", $"\n{Tables.OfSharedFields}\n");
            // Those of settings are told with the flags.
            foreach (string table in Contract.Kinds.Keys.Concat(Contract.Parts.Keys.Except(["settings"])))
            {
                ofRecords.Write(table, $"\n{Tables.OfFields(table)}\n");
            }
            return Exit.Done;
        });
}
