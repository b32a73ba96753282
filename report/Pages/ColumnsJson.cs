using System.Text;
using Newtonsoft.Json;

/// <summary>What the script of a page reads: an object of columns, as compact JSON.</summary>
/// <param name="digits">Significant digits of figures.</param>
sealed class ColumnsJson(int digits)
{
    readonly StringBuilder text = new("{");

    /// <summary>Adds a column of words, whole numbers and nulls.</summary>
    public void Column(string name, IEnumerable<object?> values) =>
        Add(name, Joined(values.Select(JsonConvert.ToString)));

    /// <summary>Adds a number.</summary>
    public void Number(string name, int value) => Add(name, JsonConvert.ToString(value));

    /// <summary>Adds an object that has by each name a list of columns of figures.</summary>
    public void Figures(string name, IEnumerable<(string Name, IEnumerable<double?>[] Columns)> figures) =>
        Add(
            name,
            "{"
                + string.Join(
                    ',',
                    figures.Select(of => $"{JsonConvert.ToString(of.Name)}:{Joined(of.Columns.Select(Figures))}")
                )
                + "}"
        );

    /// <summary>Adds a list of columns of figures.</summary>
    public void Figures(string name, IEnumerable<IEnumerable<double?>> columns) =>
        Add(name, Joined(columns.Select(Figures)));

    /// <summary>The JSON, fit to stand within an element of HTML.</summary>
    public override string ToString() => Inert($"{text}}}");

    void Add(string name, string json)
    {
        if (text.Length > 1)
        {
            text.Append(',');
        }
        text.Append(JsonConvert.ToString(name)).Append(':').Append(json);
    }

    string Figures(IEnumerable<double?> values) =>
        Joined(
            values.Select(value =>
                value is { } number && double.IsFinite(number) ? number.ToString($"G{digits}") : "null"
            )
        );

    static string Joined(IEnumerable<string> values) => $"[{string.Join(',', values)}]";

    // Such letters stand in strings alone, where they may be written so.
    static string Inert(string json) =>
        json.Replace("<", @"\u003c")
            .Replace(">", @"\u003e")
            .Replace("&", @"\u0026")
            .Replace("\u2028", @"\u2028")
            .Replace("\u2029", @"\u2029");
}
