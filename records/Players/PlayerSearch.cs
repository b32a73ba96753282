/// <summary>Searches for the most players that a library serves as an SLO asks: twice as many in each step until one
/// fails, then half way between, until what is left is 10 %. Two launches that agree decide a step. It follows from the
/// launches so far alone, so that it can go on at any time.</summary>
/// <param name="first">The players that it begins with.</param>
/// <param name="least">The fewest that there may be.</param>
/// <param name="roomful">Players of a room, of which there are whole ones; 1 where rooms do not bound them.</param>
/// <param name="launches">Those so far, in their order.</param>
sealed class PlayerSearch(int first, int least, int roomful, IReadOnlyList<SearchedLaunch> launches)
{
    /// <summary>The most clients that a launch may have.</summary>
    public const int MostPlayers = 100_000;

    const int LaunchesToAgree = 2;
    const double FinestStep = 0.1;
    const double MostSeconds = 600;

    // That the clients were late themselves, or took too long to connect, as benches or the runner say it.
    static readonly string[] saysNothingOfServer =
        [ServiceFigures.SentLate, "clients are connected", "client did not get ready"];

    /// <summary>A number of players, and what two launches said of it.</summary>
    /// <param name="Players">The number.</param>
    /// <param name="Missed">Why they do not keep to the SLO, as the last launch had it; null: they do.</param>
    public sealed record Step(int Players, string? Missed);

    /// <summary>That of a load, with the clients that it begins with.</summary>
    public static PlayerSearch Of(LaunchSettings settings, IEnumerable<SearchedLaunch> launches)
    {
        int apart = settings.Clients - settings.SoundClients;
        int roomful = Math.Max(1, settings.Room);
        return new PlayerSearch(
            settings.Clients,
            Math.Max(apart + 1, roomful * settings.ClientMachines),
            roomful,
            [.. launches]);
    }

    /// <summary>What has been decided, in the order in which it was.</summary>
    public IReadOnlyList<Step> Steps { get; } =
        [.. launches.GroupBy(launch => launch.Players).Select(Decided).OfType<Step>()];

    /// <summary>The same in words, such as 60 ok; 120 p99 80.1 ms.</summary>
    public string StepsInWords
    {
        get
        {
            var steps = Steps.Select(step => $"{step.Players:N0} {step.Missed ?? "ok"}");
            return string.Join("; ", IsOutOfTime ? steps.Append("its 10 minutes were over") : steps);
        }
    }

    /// <summary>The most that keep to the SLO so far; 0: none do.</summary>
    public int Most => Steps
        .Where(step => step.Missed == null && step.Players < Failed)
        .Select(step => step.Players)
        .DefaultIfEmpty()
        .Max();

    /// <summary>Whether it has come to an end at what a server could not do; else more than Most may fit.</summary>
    public bool IsBounded =>
        NextStep == null
        && Steps.FirstOrDefault(step => step.Players == Failed)?.Missed is { } missed
        && !saysNothingOfServer.Any(missed.Contains);

    /// <summary>Whether its time is over before it has come to an end.</summary>
    public bool IsOutOfTime => NextStep != null && launches.Sum(launch => launch.WallS) >= MostSeconds;

    /// <summary>The players of the next launches; null: it is over.</summary>
    public int? Next => IsOutOfTime ? null : NextStep;

    /// <summary>The numbers of these launches among those with as many players.</summary>
    public IEnumerable<int> NextLaunches
    {
        get
        {
            SearchedLaunch[] ofStep = [.. launches.Where(launch => launch.Players == Next)];
            int agreeing = Math.Max(
                ofStep.Count(launch => launch.Missed == null),
                ofStep.Count(launch => launch.Missed != null));
            return Enumerable.Range(ofStep.Length + 1, LaunchesToAgree - agreeing);
        }
    }

    // The fewest that do not keep to it.
    int Failed => Steps
        .Where(step => step.Missed != null)
        .Select(step => step.Players)
        .DefaultIfEmpty(int.MaxValue)
        .Min();

    int? NextStep
    {
        get
        {
            if (launches.FirstOrDefault(launch => Steps.All(step => step.Players != launch.Players)) is { } undecided)
            {
                return undecided.Players;
            }
            int next;
            if (Steps.Count == 0)
            {
                next = Rounded(first);
            }
            else if (Failed == int.MaxValue)
            {
                next = Rounded(Math.Min(2 * Most, MostPlayers));
            }
            else if (Failed - Most <= Math.Max(roomful, FinestStep * Most))
            {
                return null;
            }
            else
            {
                next = Rounded(Most + (Failed - Most) / 2);
            }
            return Steps.Any(step => step.Players == next) ? null : next;
        }
    }

    // To whole rooms.
    int Rounded(int players)
    {
        int whole = Math.Max(players, least) / roomful * roomful;
        return whole >= least ? whole : whole + roomful;
    }

    static Step? Decided(IGrouping<int, SearchedLaunch> step)
    {
        SearchedLaunch[] missed = [.. step.Where(launch => launch.Missed != null)];
        if (missed.Length >= LaunchesToAgree || missed.Any(launch => launch.IsFinal))
        {
            return new Step(step.Key, missed[^1].Missed);
        }
        return step.Count() - missed.Length >= LaunchesToAgree ? new Step(step.Key, null) : null;
    }
}
