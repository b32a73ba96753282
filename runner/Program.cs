using System.CommandLine;
using System.Globalization;

/// <summary>The verbs that lead processes. Exit codes are those of docs/cli.md.</summary>
static class Program
{
    static int Main(string[] args)
    {
        // Whatever the environment says, figures are written one way.
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        var root = new RootCommand("Starts, leads and watches the processes of runs and sweeps.");
        Command[] others = [LinkVerb.Verb, DocumentsVerb.Verb];
        Array.ForEach([.. RunVerbs.All, .. SweepVerbs.All, .. MachineVerbs.All, .. others], root.Add);
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
            Console.Error.WriteLine($"runner: {Text.Plain(cause.Message)}");
            return (fault as Failure)?.ExitCode ?? Exit.Failed;
        }
    }
}
