using System.CommandLine;
using System.Globalization;

/// <summary>A tool's command line: its verbs, and how they end. Exit codes are those of docs/cli.md.</summary>
static class CommandLine
{
    /// <summary>Does what the arguments say; returns the exit code. What goes wrong is one sentence on
    /// stderr.</summary>
    /// <param name="tool">Its name.</param>
    /// <param name="description">Above its verbs.</param>
    /// <param name="verbs">All that it can do.</param>
    /// <param name="arguments">As they were given.</param>
    public static int Do(string tool, string description, Command[] verbs, string[] arguments)
    {
        // Whatever the environment says, figures are written one way.
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        var root = new RootCommand(description);
        Array.ForEach(verbs, root.Add);
        // A word that begins with @ is one, and no file of words.
        var parsed = root.Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });
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
            Console.Error.WriteLine($"{tool}: {Text.Plain(cause.Message)}");
            return (fault as Failure)?.ExitCode ?? Exit.Failed;
        }
    }
}
