/// <summary>All works, in the order of the documents.</summary>
static class Works
{
    /// <summary>The name of the work of echoes.</summary>
    public const string Echo = "echo";

    /// <summary>The name of the work that is not answered.</summary>
    public const string Stream = "stream";

    /// <summary>Each of them.</summary>
    public static readonly IReadOnlyList<Work> All =
    [
        new EchoWork(),
        new StreamWork(),
        new CallWork("sum"),
        new CallWork("get-user"),
        new CallWork("say-hello"),
    ];

    /// <summary>What sections of a report have in common.</summary>
    public static IEnumerable<string> Groups => All.Select(work => work.Group).OfType<string>().Distinct();

    /// <summary>Its place in the order.</summary>
    public static int PlaceOf(Work work) => All.TakeWhile(other => other != work).Count();

    /// <summary>That of a name that records and settings may have.</summary>
    public static Work Of(string name) => All.First(work => work.Name == name);
}
