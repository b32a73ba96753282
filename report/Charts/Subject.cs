using System.Text.RegularExpressions;

/// <summary>What a chart is of: cells of one delivery mode that share all settings but clients, messages in
/// flight, profile and rate. Settings: these in words.</summary>
sealed partial record Subject(Work Work, string Kind, string Settings, Cell[] Cells, Looks Looks)
{
    /// <summary>A title: what is shown, under which load, if there is but one, and the settings.</summary>
    public string Title(string shown, string load = "") =>
        Charts.Title(Kind, InWords(shown), InWords(load), Conditions);

    /// <summary>Words about messages, of calls where there are such.</summary>
    public string InWords(string words) => Work.InWords(words);

    /// <summary>Settings in words, in which the size of messages is said as people say it.</summary>
    public static string SizesInWords(Work work, string settings) =>
        Bytes().Replace(settings, size => work.SizeInWords(long.Parse(size.Groups[1].Value)));

    // The settings as people say them; what the kind says already is left out.
    string Conditions
    {
        get
        {
            var others = Settings.Split(", ").Where(part => part != Work.Group);
            return SizesInWords(Work, string.Join(", ", others));
        }
    }

    [GeneratedRegex(@"\bpayload_bytes (\d{1,9})\b")]
    private static partial Regex Bytes();
}
