/// <summary>A link as a sweep plans it: the values of its flags. None: server and clients meet as they are.</summary>
sealed record PlannedLink(
    string RttMs, string JitterMs, string LossPercent, string LossBurstPackets, string RateMbit, string Queue)
{
    /// <summary>The keys of a sweep that say what it is, in this order.</summary>
    public static readonly string[] Keys = LinkSettings.Names;

    /// <summary>What `rtt_ms` says where there is none.</summary>
    public const string None = LinkSettings.None;

    static readonly string[] usual = [None, "0", "0", "1", "0", LinkSettings.Bdp];

    /// <summary>The defaults of its keys.</summary>
    public static IEnumerable<(string Key, string Value)> Defaults => Keys.Zip(usual);

    /// <summary>All links of a sweep; null: none. What has no part in one is not told apart.</summary>
    public static PlannedLink?[] In(Dictionary<string, string> settings)
    {
        string[] List(int at) => settings[Keys[at]].Split(',');
        var all =
            from rtt in List(0)
            from jitter in List(1)
            from loss in List(2)
            from burst in List(3)
            from rate in List(4)
            from queue in List(5)
            select rtt == None ? null : Of(rtt, jitter, loss, burst, rate, queue);
        return [.. all.Distinct()];
    }

    // Without loss there are no bursts, and without a rate no queue.
    static PlannedLink Of(string rtt, string jitter, string loss, string burst, string rate, string queue) => new(
        rtt, jitter, loss, loss == usual[2] ? usual[3] : burst, rate, rate == usual[4] ? usual[5] : queue);

    /// <summary>True where some cells of a sweep are on a link.</summary>
    public static bool IsIn(Dictionary<string, string> settings) => settings[Keys[0]] != None;

    /// <summary>As the ids of runs have it, such as rtt50-loss2x4.</summary>
    public string Name => string.Concat(
        $"rtt{RttMs}",
        Part(1, "-jitter", JitterMs),
        Part(2, "-loss", LossPercent),
        Part(3, "x", LossBurstPackets),
        Part(4, "-mbit", RateMbit),
        Part(5, "-queue", Queue));

    /// <summary>In the progress.</summary>
    public string Title => AsSettings.ToString();

    /// <summary>Its flags; those that say nothing new are left out.</summary>
    public string Flags
    {
        get
        {
            string[] values = [RttMs, JitterMs, LossPercent, LossBurstPackets, RateMbit, Queue];
            var unusual = values.Zip(Keys, usual).Where(one => one.First != one.Third);
            return string.Concat(unusual.Select(one => $" {SweepSettings.FlagOf(one.Second)} {one.First}"));
        }
    }

    LinkSettings AsSettings => new(
        double.Parse(RttMs),
        double.Parse(JitterMs),
        double.Parse(LossPercent),
        int.Parse(LossBurstPackets),
        double.Parse(RateMbit),
        Queue);

    static string Part(int at, string word, string value) => value == usual[at] ? "" : word + value;
}
