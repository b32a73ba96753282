using System.Text;

/// <summary>What the scripts of a sweep say of its settings: their help, the words that a shell completes, and the
/// parameters of PowerShell.</summary>
static class ScriptHelp
{
    const int TextColumn = 26;
    const int MostColumns = 116;

    // Where a preset's file and the folders of libraries complete it, the scripts say so themselves.
    static readonly string[] completedByFiles = ["preset", "libraries"];

    /// <summary>The help: what it says of settings stands in place of a line of the template.</summary>
    public static string Text
    {
        get
        {
            string lines = string.Concat(SweepSettings.All.Select(LinesOf));
            return Template.Replace("{settings}\n", lines);
        }
    }

    /// <summary>For each flag that takes words a line of it and them.</summary>
    public static string Words => string.Concat(SweepSettings.All
        .Where(setting => setting.SweepWords.Length > 0 && !completedByFiles.Contains(setting.Name))
        .Select(setting => $"{setting.Flag} {string.Join(' ', setting.SweepWords)}\n"));

    /// <summary>The parameters of the PowerShell script.</summary>
    public static string Parameters => string.Concat(SweepSettings.All
        .Where(setting => !completedByFiles.Contains(setting.Name))
        .Select(ParameterOf));

    static string Template
    {
        get
        {
            using var stream = typeof(ScriptHelp).Assembly.GetManifestResourceStream("run-all.help")!;
            return new StreamReader(stream).ReadToEnd();
        }
    }

    static string LinesOf(Setting setting)
    {
        string usual = setting.FollowsAs ?? setting.SweepDefault switch
        {
            null => "from the preset",
            "" => "none",
            var value => value,
        };
        string flag = $"  {setting.Flag} {setting.ValueName}".PadRight(TextColumn - 2) + "  ";
        return Wrapped($"{setting.SweepHelp} ({usual})", flag, "".PadRight(TextColumn));
    }

    /// <summary>A text in as many lines as it takes.</summary>
    /// <param name="text">The text.</param>
    /// <param name="first">What the first line begins with.</param>
    /// <param name="next">What the others begin with.</param>
    /// <param name="mostColumns">The characters that a line has at most.</param>
    public static string Wrapped(string text, string first, string next, int mostColumns = MostColumns)
    {
        var all = new StringBuilder();
        var line = new StringBuilder(first);
        foreach (string word in text.Split(' '))
        {
            if (line.Length + word.Length > mostColumns)
            {
                all.Append(line.ToString().TrimEnd()).Append('\n');
                line.Clear().Append(next);
            }
            line.Append(word).Append(' ');
        }
        return all.Append(line.ToString().TrimEnd()).Append('\n').ToString();
    }

    static string ParameterOf(Setting setting)
    {
        string comment = Wrapped(setting.SweepHelp, "    # ", "    # ");
        string words = string.Join(", ", setting.SweepWords.Select(word => $"'{word}'"));
        string completions = words == "" ? "" : $"    [ArgumentCompletions({words})]\n";
        // What may hold commas PowerShell splits.
        bool isSplit = setting.IsList || setting.Name == "pin";
        string name = string.Concat(setting.Name.Split('_').Select(part => char.ToUpperInvariant(part[0]) + part[1..]));
        return $"{comment}{completions}    [string{(isSplit ? "[]" : "")}] ${name},\n\n";
    }
}
