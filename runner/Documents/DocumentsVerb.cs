/// <summary>The verb `documents`: writes what settings and records declare of themselves into the files of the suite
/// that tell people and scripts of it.</summary>
static class DocumentsVerb
{
    const string OfFlags = "docs/flags.md";
    const string Records = "docs/records.md";
    const string Settings = "settings";
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
            var ofFlags = new Regions(OfFlags, "<!-- ", " -->");
            ofFlags.Write("settings of a sweep", $"\n{Tables.OfSweep}\n");
            ofFlags.Write("flags of a bench", $"\n{Tables.OfBench}\n");
            ofFlags.Write("flags of runner run alone", $"\n{Tables.OfRunner}\n");
            var ofRecords = new Regions(Records, "<!-- ", " -->");
            // The settings are the flags of the other page.
            foreach (string table in Contract.Kinds.Keys.Concat(Contract.Parts.Keys).Except([Settings]))
            {
                ofRecords.Write($"fields of {table}", $"\n{Tables.OfFields(table)}\n");
            }
            return Exit.Done;
        });
}
