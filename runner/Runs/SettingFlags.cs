using System.CommandLine;

/// <summary>The settings of a launch as flags of the runner, and as words of those that it starts.</summary>
static class SettingFlags
{
    const int LeastLossTimeoutMs = 1_000;
    const int LossMarginMs = 200;

    /// <summary>The flags, for a verb.</summary>
    public static Option[] All { get; } = [.. Setting.OfLaunch.Select(OptionOf)];

    /// <summary>Those of a link.</summary>
    public static Option[] OfLink =>
        [.. All.Where(option => Setting.OfLink.Any(setting => setting.Flag == option.Name))];

    /// <summary>The settings of a parsed command line, of which nothing is found out yet.</summary>
    public static LaunchSettings From(ParseResult parsed)
    {
        var settings = LaunchSettings.Made(setting => parsed.GetValue<object>(setting.Flag));
        Check(settings);
        RefuseLoneOfLink(settings, parsed);
        return settings.RunId != "" ? settings : settings with { RunId = $"{DateTime.UtcNow:yyyyMMdd-HHmmss-fff}" };
    }

    /// <summary>The link that a command line asks for; null: none.</summary>
    public static LinkSettings? LinkFrom(ParseResult parsed)
    {
        var settings = LaunchSettings.Made(setting =>
            setting.IsOfLink ? parsed.GetValue<object>(setting.Flag) : setting.Default);
        RefuseLoneOfLink(settings, parsed);
        return settings.Link;
    }

    /// <summary>The words of its link, for the verb `link`.</summary>
    public static IEnumerable<string> WordsOfLink(this LaunchSettings settings) => Words(settings, Setting.OfLink);

    /// <summary>The words of these settings for one side of a bench: its first client and how many it has, of a server
    /// all of them; certificate: the SHA-256 of the server's, where it has one.</summary>
    public static IEnumerable<string> WordsOfSide(
        this LaunchSettings settings, int first, int clients, string? certificate)
    {
        string[] ofCertificate = certificate == null ? [] : ["--certificate-sha256", certificate];
        var ofBench = Setting.OfLaunch.Where(setting => setting.IsOfBench);
        LaunchSettings own = settings with
        {
            Clients = clients,
            Room = settings.RoomOfBench,
            Rate = RateOf(settings, first + clients) - RateOf(settings, first),
        };
        return
        [
            .. Words(own, ofBench), "--first-client", $"{first}",
            "--loss-timeout-ms", $"{LossTimeoutMs(settings)}", .. ofCertificate,
        ];
    }

    // Of so many of the clients.
    static int RateOf(LaunchSettings settings, int clients) =>
        (int)((long)settings.Rate * clients / settings.Clients);

    // Over a link what is slow is not lost yet.
    static int LossTimeoutMs(LaunchSettings settings)
    {
        return settings.Link is not { } link || Works.Of(settings.Work) is CallWork
            ? 0
            : Math.Max(LeastLossTimeoutMs, (int)(4 * (link.RttMs + link.JitterMs)) + LossMarginMs);
    }

    static IEnumerable<string> Words(LaunchSettings settings, IEnumerable<Setting> some)
    {
        return some.SelectMany(setting => new[] { setting.Flag, setting.TextIn(settings) });
    }

    static void RefuseLoneOfLink(LaunchSettings settings, ParseResult parsed)
    {
        if (settings.Link == null
            && OfLink.FirstOrDefault(option => parsed.GetResult(option) is { Implicit: false }) is { } lone)
        {
            throw WrongUsage($"{lone.Name} is of a link, which needs its --rtt-ms.");
        }
    }

    // What no value says alone.
    static void Check(LaunchSettings settings)
    {
        bool isUntilStopped = settings.Seconds == LaunchSettings.UntilStopped;
        if (settings.Rounds > 0 && (isUntilStopped || settings.Trace))
        {
            throw WrongUsage($"{(settings.Trace ? "--trace" : "--seconds -1")} goes without --rounds.");
        }
        if (settings.Link != null && settings.Rounds > 0)
        {
            throw WrongUsage(
                "--rtt-ms goes without --rounds: a slice is shorter than what a link does to its messages.");
        }
        if (settings.HasTrouble && settings.Rounds > 0)
        {
            throw WrongUsage(
                "--stalled-clients and --churn go without --rounds: slices are shorter than what they do.");
        }
        string work = settings.Work == "" ? Works.Echo : settings.Work;
        if (Setting.OfLaunch.FirstOrDefault(setting => IsLone(setting, settings, work)) is { } lone)
        {
            throw WrongUsage($"{lone.Flag} is of --work {lone.OfWorks}.");
        }
        if (settings.RoomFault(settings.Clients) is { } fault)
        {
            throw WrongUsage($"--{fault.Replace('_', '-')}");
        }
    }

    // Given to a work that has nothing of it.
    static bool IsLone(Setting setting, LaunchSettings settings, string work) =>
        !setting.IsOf(work) && !Equals(setting.ValueIn(settings), setting.Default);

    static Failure WrongUsage(string sentence) => new(sentence, Exit.WrongUsage);

    static Option OptionOf(Setting setting)
    {
        if (setting.Type == typeof(bool))
        {
            return new Option<bool>(setting.Flag) { Description = setting.Help };
        }
        var option = new Option<object?>(setting.Flag)
        {
            Description = setting.Help,
            Arity = ArgumentArity.ExactlyOne,
            CustomParser = given =>
            {
                string text = given.Tokens[0].Value;
                object? value = setting.Read(text);
                if (value == null)
                {
                    given.AddError(setting.Refusal(text));
                }
                return value;
            },
        };
        if (setting.Default != null)
        {
            option.DefaultValueFactory = _ => setting.Default;
        }
        return option;
    }
}
