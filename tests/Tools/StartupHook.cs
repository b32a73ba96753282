using System.Reflection;
using System.Text.Json;

/// <summary>What .NET calls in a tool that a Worker has started, before the tool's own Main, as its variable of the
/// environment says: calls that Main for each line on stdin, and answers each by a line.</summary>
static class StartupHook
{
    /// <summary>Names the assembly that holds this class, which .NET knows by its name.</summary>
    public const string Variable = "DOTNET_STARTUP_HOOKS";

    /// <summary>Begins an answer, and stands alone on stderr. What stands before it is what the tool, or what it
    /// started, wrote to that stream of its process itself.</summary>
    public const string Answers = "\u0001answer ";

    /// <summary>Returns never: the tool ends with its orders.</summary>
    public static void Initialize()
    {
        // What the tool itself starts has none.
        Environment.SetEnvironmentVariable(Variable, null);
        ShortLived.BeginChildren();
        var main = Assembly.GetEntryAssembly()!.EntryPoint!;
        var orders = Console.In;
        var answers = Console.Out;
        var errors = Console.Error;
        while (orders.ReadLine() is { } line)
        {
            var answer = Obey(main, JsonSerializer.Deserialize<Worker.Order>(line)!);
            answers.WriteLine(Answers + JsonSerializer.Serialize(answer));
            answers.Flush();
            errors.WriteLine(Answers);
            errors.Flush();
        }
        Environment.Exit(0);
    }

    static Worker.Answer Obey(MethodInfo main, Worker.Order order)
    {
        var output = new StringWriter();
        var error = new StringWriter();
        // By which they are written to by one thread at a time.
        Console.SetOut(output);
        Console.SetError(error);
        Console.SetIn(new StringReader(order.Input));
        Environment.CurrentDirectory = order.Folder;
        var exitCode = (int)main.Invoke(null, [order.Arguments])!;
        // A folder that a process stands in cannot be deleted everywhere.
        Environment.CurrentDirectory = AppContext.BaseDirectory;
        return new(exitCode, $"{output}", $"{error}");
    }
}
