using Newtonsoft.Json;

/// <summary>What the script of a page reads: an object of columns, as compact JSON.</summary>
static class PageJson
{
    /// <summary>The JSON, fit to stand within an element of HTML. Digits: significant ones of figures.</summary>
    public static string Of(object columns, int digits) =>
        // Such letters stand in strings alone, where they may be written so.
        JsonConvert
            .SerializeObject(columns, new FiguresConverter(digits))
            .Replace("<", @"\u003c")
            .Replace(">", @"\u003e")
            .Replace("&", @"\u0026");
}
