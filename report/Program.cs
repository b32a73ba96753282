using System.CommandLine;
using System.Runtime.InteropServices;

/// <summary>The verbs of the report tool.</summary>
static class Program
{
    static int signals;

    static int Main(string[] args) => CommandLine.Do(
        "report",
        "Turns the records of a sweep into tables and charts.",
        [Render(), CheckVerb.Verb, .. ReaderVerbs.All, .. CompareVerbs.All],
        args);

    static Command Render()
    {
        var folder = Flags.Results();
        var charts = Flags.Charts();
        return Flags.Verb(
            "render",
            "Writes report.md, appendix.md, report.html and their charts beside raw.jsonl, and tells which version of "
                + "a library is faster where there are several.",
            [folder, charts],
            parsed =>
            {
                var path = parsed.GetValue(folder)!;
                var sweep = ReaderVerbs.Read(path);
                // The Ctrl-C that ended a sweep, or comes as it ends, must not cost its report.
                using var first = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
                var report = new Report(sweep);
                report.Write(path, parsed.GetValue(charts)!);
                foreach (var sentence in report.VersionSentences)
                    Console.WriteLine(Text.Plain(sentence, int.MaxValue));
                return Exit.Done;
            }
        );
    }

    // The first is passed over, the second ends the process.
    static void OnSignal(PosixSignalContext signal)
    {
        var count = Interlocked.Increment(ref signals);
        signal.Cancel = count == 1;
    }
}
