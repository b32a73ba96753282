/// <summary>What a sweep answers: the group of the index that it stands in, and the loads that it measured, in words.
/// </summary>
/// <param name="Group">One of Groups.</param>
/// <param name="Words">Not escaped.</param>
sealed record Question(string Group, string Words)
{
    /// <summary>All groups, in the order of the index.</summary>
    public static readonly string[] Groups = [Games, Chats, Calls, Links, Bulk, Raw];

    /// <summary>The group of games: in rooms, or at their rates.</summary>
    public const string Games = "Games";

    /// <summary>That of broadcasts.</summary>
    public const string Chats = "Chats";

    /// <summary>The group of calls.</summary>
    public const string Calls = "Calls";

    /// <summary>That of streams.</summary>
    public const string Bulk = "Bulk";

    /// <summary>What marks the most players, as a search finds them.</summary>
    public const string PlayersThatFit = "players-that-fit";

    const string Links = "Links";
    const string Raw = "Raw messages";

    const string Players = "player";
    const string Clients = "client";

    // What sends more often is no player.
    const double MostHzOfPlayers = 128;
    const int MostListed = 3;

    /// <summary>The marks that parts of a README.md may have: of each group and of searches, and of what is played and
    /// chatted over a link besides.</summary>
    public static readonly string[] Marks =
    [
        .. Groups.Append(PlayersThatFit).Select(group => MarkOf(group, isOverLink: false)),
        .. new[] { Games, Chats, PlayersThatFit }.Select(group => MarkOf(group, isOverLink: true)),
    ];

    /// <summary>The mark of a group in a README.md, such as raw or games-link.</summary>
    public static string MarkOf(string group, bool isOverLink) =>
        group.Split(' ')[0].ToLowerInvariant() + (isOverLink ? "-link" : "");

    /// <summary>That of the sweep's searches, or else of its cells; of those of several groups what most are of. Games
    /// and chats that were measured together are games.</summary>
    public static Question Of(Sweep sweep)
    {
        string[] sought = [.. sweep.Searches.Select(search => search.Sought).Distinct()];
        if (sought.Length > 0)
        {
            return new(WorkLayout.Of(sweep.Searches[0].Cell.Work).Group ?? Games, string.Join("; ", sought));
        }
        var hasGames = sweep.Cells.Any(cell => cell.Work.HasRooms && WorkLayout.Of(cell.Work).Group == Games);
        var isOfSeveralLinks = sweep.Cells.Select(cell => cell.Link).OfType<LinkSettings>().Distinct().Count() > 1;
        var cells = sweep
            .Cells.GroupBy(cell => hasGames && cell.Work.HasRooms ? Games : GroupOf(cell, isOfSeveralLinks))
            .OrderByDescending(group => group.Count())
            .ThenBy(group => Array.IndexOf(Groups, group.Key))
            .FirstOrDefault();
        return cells == null ? new(Raw, "nothing") : new(cells.Key, InWords(cells.Key, [.. cells], sweep.Cells));
    }

    // A rate of players is a game's, and so is any on a link of its own; several links are there to be compared.
    static string GroupOf(Cell cell, bool isOfSeveralLinks)
    {
        if (WorkLayout.Of(cell.Work).Group is { } group)
            return group;
        if (cell.Link != null)
            return cell.ClosedLoop || isOfSeveralLinks ? Links : Games;
        return IsOfPlayers(cell) ? Games : Raw;
    }

    static bool IsOfPlayers(Cell cell) => !cell.ClosedLoop && cell.Rate <= MostHzOfPlayers * cell.Clients;

    // Games and chats are told together, as they are measured together.
    static string InRooms(Cell[] cells)
    {
        var ofWorks = cells
            .Where(cell => cell.Work.HasRooms)
            .GroupBy(cell => cell.Work)
            .OrderBy(work => Array.IndexOf(Groups, WorkLayout.Of(work.Key).Group));
        return string.Join("; ", ofWorks.Select(work => $"{work.Key.Plural} of {LoadsOf([.. work])}"));
    }

    // Each load, or of many from which to which.
    static string LoadsOf(Cell[] cells)
    {
        string[] loads = [.. cells.OrderByDescending(cell => cell.Clients).Select(RoomLoad.Shortly).Distinct()];
        if (loads.Length <= MostListed)
            return Text.And(loads);
        var who = cells[0].Work.IsAlwaysPaced ? Players : Clients;
        var words = Many(cells.Select(cell => (double)cell.Clients), who);
        Cell[] atRate = [.. cells.Where(cell => !cell.ClosedLoop)];
        return atRate.Length == 0 ? words : $"{words} at {Values(atRate.Select(RoomLoad.Hz))} messages/s each";
    }

    static string InWords(string group, Cell[] cells, Cell[] all)
    {
        if (cells.Any(cell => cell.Work.HasRooms))
            return InRooms(all) + OverLinks(all);
        List<string> parts = [];
        var bytes = Values(cells.Select(cell => (double)cell.Settings.PayloadBytes)) + " B";
        if (group is not (Games or Links))
        {
            var works = Text.And(cells.Select(cell => cell.Work.Name).Distinct());
            parts.Add(WorkLayout.Of(cells[0].Work).InIndex(works, bytes));
        }
        var closed = cells.Where(cell => cell.ClosedLoop).ToArray();
        var atRate = cells.Where(cell => !cell.ClosedLoop).ToArray();
        if (closed.Length > 0)
            parts.Add(Closed(closed));
        if (atRate.Length > 0)
            parts.Add(AtRate(atRate, closed));
        var words = string.Join(", ", parts);
        if (cells.Any(cell => cell.IsEncrypted))
            words += cells.All(cell => cell.IsEncrypted) ? " over TLS" : " with and without TLS";
        return words + OverLinks(cells);
    }

    static string Closed(Cell[] cells)
    {
        var clients = Many(cells.Select(cell => (double)cell.Clients), Clients);
        var noun = cells[0].Work.Noun;
        return cells[0].Work.IsAnswered
            ? $"{clients} with {Many(cells.Select(cell => (double)cell.Parallel), noun)} in flight each"
            : clients;
    }

    // Closed: those that were named before; none are named twice.
    static string AtRate(Cell[] cells, Cell[] closed)
    {
        double[] clients = [.. cells.Select(cell => (double)cell.Clients).Distinct().Order()];
        if (cells.All(IsOfPlayers) && WorkLayout.Of(cells[0].Work).MayBePlayers)
        {
            var rates = Values(cells.Select(cell => (double)cell.Rate / cell.Clients));
            return $"{Many(clients, Players)} at {rates} Hz";
        }
        var rate = $"at {Values(cells.Select(cell => (double)cell.Rate))} {cells[0].Work.Noun}s/s";
        return clients.SequenceEqual(closed.Select(cell => (double)cell.Clients).Distinct().Order())
            ? $"and {rate}"
            : $"{Many(clients, Clients)} {rate}";
    }

    static string OverLinks(Cell[] cells)
    {
        var links = cells.Select(cell => cell.Link).OfType<LinkSettings>().Distinct().ToArray();
        if (links.Length == 0)
            return "";
        var all = cells.All(cell => cell.Link != null) ? " over" : " with and without";
        return links.Length == 1
            ? $"{all} a link of {links[0]}"
            : $"{all} {links.Length} links of {string.Join(", ", RangesOf(links))}";
    }

    static IEnumerable<string> RangesOf(LinkSettings[] links)
    {
        yield return Values(links.Select(link => link.RttMs)) + " ms";
        if (links.Any(link => link.JitterMs > 0))
            yield return $"jitter of {Values(links.Select(link => link.JitterMs))} ms";
        if (links.Any(link => link.LossPercent > 0))
            yield return Values(links.Select(link => link.LossPercent)) + " % loss";
        if (links.Any(link => link.LossPercent > 0 && link.LossBurstPackets > 1))
            yield return $"bursts of {Values(links.Select(link => (double)link.LossBurstPackets))}";
        if (links.Any(link => link.RateMbit > 0))
            yield return Values(links.Select(link => link.RateMbit)) + " Mbit/s";
    }

    static string Many(IEnumerable<double> numbers, string noun) =>
        $"{Values(numbers)} {noun}{(numbers.All(number => number == 1) ? "" : "s")}";

    // "1, 10 and 100"; of more the first and the last.
    static string Values(IEnumerable<double> numbers)
    {
        var all = numbers.Distinct().Order().Select(number => $"{number:#,0.##}").ToArray();
        return all.Length > MostListed ? $"{all[0]} to {all[^1]}" : Text.And(all);
    }
}
