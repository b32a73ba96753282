using System.Text.RegularExpressions;

/// <summary>The charts of a sweep, or of the index of all.</summary>
sealed class ChartList
{
    readonly List<Chart> charts = [];

    /// <summary>All that were taken on.</summary>
    public IReadOnlyList<Chart> All => charts;

    /// <summary>Takes a chart on and returns the name of its file, which no other has: in lower case and without
    /// blanks.</summary>
    public string Add(string words, string says, Panel[] panels)
    {
        var name = words.Replace(' ', '-').ToLowerInvariant();
        var same = charts.Count(chart => Regex.IsMatch(chart.File, $@"^{name}(-\d+)?$"));
        var file = same == 0 ? name : $"{name}-{same + 1}";
        charts.Add(new(file, Text.Plain(says), panels));
        return file;
    }
}
