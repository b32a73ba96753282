using System.CommandLine;
using System.Text.RegularExpressions;

/// <summary>How verbs and their flags are declared.</summary>
static class Flags
{
    public const string NamePattern = @"^[A-Za-z0-9._@-]{1,100}\z";

    public static Command Verb(string name, string help, Symbol[] symbols, Func<ParseResult, int> action)
    {
        var verb = new Command(name, help);
        foreach (var symbol in symbols)
        {
            if (symbol is Option option)
                verb.Add(option);
            else
                verb.Add((Argument)symbol);
        }
        verb.SetAction(action);
        return verb;
    }

    /// <summary>The folder of a sweep's results.</summary>
    public static Argument<string> Results() => new("DIR") { Description = "Folder that holds raw.jsonl." };

    public static Option<string> Charts() =>
        Word(
            "--charts",
            "auto",
            "^(auto|none)$",
            "Pictures of the charts: auto or none. auto: where ScottPlot can draw them."
        );

    public static Option<string> Out(string help) => new("--out") { Description = help };

    public static Option<string> Resume(string help) => new("--resume") { Description = help, HelpName = "DIR" };

    /// <summary>Required where it has no default.</summary>
    public static Option<string> Word(string name, string? value, string pattern, string help)
    {
        var option = new Option<string>(name)
        {
            Description = help,
            Required = value == null,
            CustomParser = given =>
            {
                var text = given.Tokens[0].Value;
                if (!Regex.IsMatch(text, pattern))
                    given.AddError($"'{text}' is no value for {name}. {help}");
                return text;
            },
        };
        if (value != null)
            option.DefaultValueFactory = _ => value;
        return option;
    }
}
