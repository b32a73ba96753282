using System.CommandLine;

/// <summary>The verb that says what is wrong with files of records, and with folders that are to be shared.</summary>
static class CheckVerb
{
    /// <summary>It.</summary>
    public static Command Verb
    {
        get
        {
            var files = new Argument<string[]>("FILE")
            {
                Description = "Files of records, or folders of sweeps.",
                Arity = ArgumentArity.OneOrMore,
            };
            return Flags.Verb(
                "check",
                "Names every line that is no record (see docs/records.md), and of a folder all that keeps it from "
                    + "being shared (see docs/share-your-results.md); exit 1 if there is anything.",
                [files],
                parsed => Checked(parsed.GetValue(files)!)
            );
        }
    }

    static int Checked(string[] files)
    {
        var good = 0;
        var bad = 0;
        var faults = 0;
        foreach (var given in files)
        {
            var isFolder = Directory.Exists(given);
            var file = isFolder ? RecordFile.In(given) : given;
            foreach (var line in RecordFile.Read(file))
            {
                var ofLine = line.Record == null ? line.Faults : [.. Accounting.Faults(line.Record)];
                foreach (var fault in ofLine)
                    Console.Error.WriteLine($"{file}:{line.Number}: {fault}");
                if (ofLine.Length == 0)
                    good++;
                else
                    bad++;
            }
            if (isFolder)
            {
                foreach (var fault in new SharedFolder(given).Faults)
                {
                    Console.Error.WriteLine($"{given}: {fault}");
                    faults++;
                }
            }
        }
        Console.WriteLine(
            $"{Text.Count(good, "good record")}, {Text.Count(bad, "bad line")}"
                + (files.Any(Directory.Exists) ? $", {Text.Count(faults, "fault")} of folders" : "")
        );
        return bad + faults == 0 ? Exit.Done : Exit.Failed;
    }
}
