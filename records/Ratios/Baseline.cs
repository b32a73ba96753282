/// <summary>Baselines: the benches of plain sockets, which have no library, against which the libraries of their block
/// are held; those of calls are WebSockets.</summary>
static class Baseline
{
    /// <summary>True for the bench of that name.</summary>
    public static bool Is(string library) => library is "udp" or "tcp" or "websocket";

    /// <summary>That it is what others are held against, behind its name.</summary>
    public const string InBrackets = " (baseline)";

    /// <summary>What it is, in a sentence.</summary>
    public static string InWords(string library) => library switch
    {
        "udp" => "plain UDP",
        "tcp" => "plain TCP",
        _ => "plain WebSockets",
    };

    /// <summary>True for a launch of one as it comes.</summary>
    public static bool IsOf(LaunchRecord launch) =>
        Is(launch.Library) && launch.Settings.Profile == LaunchSettings.UsualProfile;
}
