using System.Text.RegularExpressions;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>A sweep for other tools. The same records give the same bytes.</summary>
static partial class Export
{
    /// <summary>CSV by RFC 4180 with line feeds: missing values are empty.</summary>
    public static void Csv(Tidy tidy, TextWriter output)
    {
        void Line(IEnumerable<object?> row) => output.Write(string.Join(',', row.Select(Field)) + "\n");
        Line(tidy.Columns);
        foreach (var row in tidy.Rows())
            Line(row);
    }

    /// <summary>JSON: a list of objects, one a line.</summary>
    public static void Json(Tidy tidy, TextWriter output)
    {
        var columns = tidy.Columns;
        var separator = "[\n";
        foreach (var row in tidy.Rows())
        {
            var fields = columns.Zip(row, (name, value) => new JProperty(name, value));
            output.Write(separator + new JObject(fields).ToString(Formatting.None));
            separator = ",\n";
        }
        output.Write(separator == "[\n" ? "[]\n" : "\n]\n");
    }

    // Strings are plain text already.
    static string Field(object? value) =>
        value switch
        {
            null => "",
            true => "true",
            false => "false",
            string text => Quoted(Formula().Replace(text, "'$0")),
            _ => value.ToString()!,
        };

    static string Quoted(string text) =>
        text.AsSpan().IndexOfAny(",;\"") < 0 ? text : $"\"{text.Replace("\"", "\"\"")}\"";

    // Where a spreadsheet would calculate: at the start of a cell, also of one that begins at a semicolon,
    // as it does where decimals have a comma.
    [GeneratedRegex("(?<=^|[,;\"]) *[=+@＝＋＠-]|(?<=^|[,;\"]) *－")]
    private static partial Regex Formula();
}
