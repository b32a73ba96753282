/// <summary>Baselines: the benches that have no library, against which the libraries of their block are held; those
/// of calls are WebSockets.</summary>
static class Baseline
{
    /// <summary>True for the bench of that name.</summary>
    public static bool Is(string library) => library is "udp" or "tcp" or "websocket";

    /// <summary>That it is one, behind its name.</summary>
    public static string InBrackets(string library) =>
        library == "websocket" ? " (plain WebSocket)" : " (baseline)";

    /// <summary>True for a launch of one as it comes.</summary>
    public static bool IsOf(LaunchRecord launch) =>
        Is(launch.Library) && launch.Settings.Profile == LaunchSettings.UsualProfile;
}
