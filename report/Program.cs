using System.CommandLine;
using System.Globalization;
using System.Runtime.InteropServices;

/// <summary>The verbs of the report tool.</summary>
static class Program
{
    static int signals;

    static int Main(string[] args)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture; // whatever the environment says
        var root = new RootCommand("RoundRatios the records of a sweep into tables and charts.");
        Array.ForEach([Render(), CheckVerb.Verb, .. ReaderVerbs.All, .. CompareVerbs.All], root.Add);
        var parsed = root.Parse(args);
        if (parsed.Errors.Count > 0)
        {
            Console.Error.WriteLine(Text.Plain(parsed.Errors[0].Message));
            return Exit.WrongUsage;
        }
        try
        {
            return parsed.Invoke(new() { EnableDefaultExceptionHandler = false });
        }
        catch (Exception fault)
        {
            var cause = (fault as TypeInitializationException)?.InnerException ?? fault;
            Console.Error.WriteLine($"report: {Text.Plain(cause.Message)}");
            return (fault as Failure)?.ExitCode ?? Exit.Failed;
        }
    }

    static Command Render()
    {
        var folder = Flags.Results();
        var charts = Flags.Charts();
        return Flags.Verb(
            "render",
            "Writes report.md, report.html and their charts beside raw.jsonl.",
            [folder, charts],
            parsed =>
            {
                var path = parsed.GetValue(folder)!;
                var sweep = ReaderVerbs.Read(path);
                // The Ctrl-C that ended a sweep, or comes as it ends, must not cost its report.
                using var first = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
                new Report(sweep).Write(path, parsed.GetValue(charts)!);
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
