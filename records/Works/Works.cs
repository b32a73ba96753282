/// <summary>All works, in the order of the documents.</summary>
static class Works
{
    /// <summary>The name of the work of echoes.</summary>
    public const string Echo = "echo";

    /// <summary>The name of the work that is not answered.</summary>
    public const string Stream = "stream";

    /// <summary>The name of the work whose messages go to all of a room.</summary>
    public const string Broadcast = "broadcast";

    /// <summary>The name of the work of players whose server ticks.</summary>
    public const string Game = "game";

    /// <summary>The name of the work of calls that have a size.</summary>
    public const string SayHello = "say-hello";

    /// <summary>Each that the setting may name.</summary>
    public static readonly IReadOnlyList<Work> All = [.. Setting.Named("work").Words.Select(Made)];

    /// <summary>What sections of a report have in common.</summary>
    public static IEnumerable<string> Groups => All.Select(work => work.Group).OfType<string>().Distinct();

    /// <summary>Its place in the order.</summary>
    public static int PlaceOf(Work work) => All.TakeWhile(other => other != work).Count();

    /// <summary>That of a name that records and settings may have.</summary>
    public static Work Of(string name) => All.First(work => work.Name == name);

    static Work Made(string name) => name switch
    {
        Echo => new EchoWork(),
        Stream => new StreamWork(),
        Broadcast => new BroadcastWork(),
        Game => new GameWork(),
        _ => new CallWork(name),
    };
}
