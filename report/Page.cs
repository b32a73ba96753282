using System.Text;

/// <summary>Markdown in the making. What it is given is escaped already.</summary>
sealed class Page
{
    readonly StringBuilder text = new();

    /// <summary>Adds a line; it ends the same on every system.</summary>
    public void Line(string line) => text.Append(line).Append('\n');

    /// <summary>Adds a table; the columns between the first and the last are figures, to the right,
    /// if told so.</summary>
    public void Table(string[] head, IEnumerable<string[]> rows, bool figures = false)
    {
        Line($"| {string.Join(" | ", head)} |");
        var rule = head.Select((_, i) => figures && i > 0 && i < head.Length - 1 ? "---:" : "---");
        Line($"|{string.Join("|", rule)}|");
        foreach (var row in rows) Line($"| {string.Join(" | ", row)} |");
    }

    public override string ToString() => text.ToString();
}
