/// <summary>The verb `documents`: writes what settings and records declare of themselves into the files of the suite
/// that tell people and scripts of it.</summary>
static class DocumentsVerb
{
    const string Contract = "CONTRACT.md";
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
            var ofContract = new Regions(Contract, "<!-- ", " -->");
            ofContract.Write("flags of a bench", $"\n{Tables.OfBench}\n");
            ofContract.Write("flags of runner run alone", $"\n{Tables.OfRunner}\n");
            ofContract.Write("settings of a sweep", $"\n{Tables.OfSweep}\n");
            foreach (string table in global::Contract.Kinds.Keys.Concat(global::Contract.Parts.Keys))
            {
                ofContract.Write($"fields of {table}", $"\n{Tables.OfFields(table)}\n");
            }
            return Exit.Done;
        });
}
