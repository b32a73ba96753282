using System.Text;

/// <summary>Markdown in the making. What it is given is escaped already.</summary>
sealed class Page
{
    readonly StringBuilder text = new();

    /// <summary>Adds a line; it ends the same on every system.</summary>
    public void Line(string line) => text.Append(line).Append('\n');

    /// <summary>Adds a table; the columns between the first and the last are figures, to the right,
    /// if told so. Texts: titles of those that are none.</summary>
    public void Table(string[] head, IEnumerable<string[]> rows, bool figures = false, params string[] texts) =>
        Table(head, rows, i => figures && i > 0 && i < head.Length - 1 && !texts.Contains(head[i]));

    /// <summary>Adds a table; isFigure: of the place of a column.</summary>
    public void Table(string[] head, IEnumerable<string[]> rows, Func<int, bool> isFigure)
    {
        Line($"| {string.Join(" | ", head)} |");
        var rule = head.Select((_, i) => isFigure(i) ? "---:" : "---");
        Line($"|{string.Join("|", rule)}|");
        foreach (var row in rows)
            Line($"| {string.Join(" | ", row)} |");
    }

    public override string ToString() => text.ToString();
}
