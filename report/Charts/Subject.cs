/// <summary>What a chart is of: cells of one delivery mode that share all settings but clients, messages in
/// flight, profile and rate. Settings: these in words.</summary>
sealed record Subject(Work Work, string Kind, string Settings, Cell[] Cells, Looks Looks)
{
    /// <summary>The settings behind the title of an axis; of calls that have no others nothing.</summary>
    public string InBrackets => Works.Groups.Contains(Settings) ? "" : $" ({Settings})";

    /// <summary>Words about messages, of calls where there are such.</summary>
    public string InWords(string words) => Work.InWords(words);
}
