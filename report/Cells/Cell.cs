using Newtonsoft.Json.Linq;

/// <summary>All launches of one library with the same settings, and what they say together.</summary>
sealed partial class Cell
{
    /// <summary>The settings that differ between launches of the same cell, and between its sides.</summary>
    public static readonly string[] OfRecord = ["run_id", "port", "client_machine", "order_seed"];

    // Each row says these of itself; of the rate there is a table of its own.
    static readonly string[] ownColumns = ["delivery", "work", "variant", "security", "clients", "parallel", "profile"];

    /// <summary>The note of a row that was not interleaved with others.</summary>
    public const string Separately = "measured separately";

    const string OwnTable = "rate";
    const string Size = "payload_bytes";
    const string OwnFraming = "bytes";
    const double LeastInFlight = 0.9; // of the slots
    const double ManyAPacket = 2; // says that a baseline packs messages together
    const string Polls = "polls";

    readonly LaunchSettings settings;
    readonly Histogram rtt;
    readonly Lazy<Histogram> sendLag;

    /// <summary>A cell of launches that measured and of reasons why others failed.</summary>
    public Cell(string library, LaunchSettings settings, Launch[] launches, string[] failures)
    {
        Library = library;
        this.settings = settings;
        Launches = launches;
        Failures = failures;
        var clients = launches.SelectMany(launch => launch.Clients);
        // The serializer is told by the sides; a variant may be called like it.
        string?[] words =
        [
            library,
            settings.Variant,
            launches.FirstOrDefault()?.Clients[0].Ready.Serializer,
        ];
        Name =
            string.Join(' ', words.Where(IsUnusual).Distinct())
            + (Tuned ? " (tuned)" : "");
        rtt = new(clients.SelectMany(client => client.Outcomes.RttNs));
        sendLag = new(() => new(clients.SelectMany(client => client.Outcomes.SendLagNs)));
        RoundRates = [.. launches.SelectMany(launch => launch.Rounds?.Rates ?? [])];
        Interleaved = RoundRates.Length > 0;
        Throughput = Interleaved
            ? Statistic.OfSlices(RoundRates)
            : Statistic.Of(launches.Select(launch => launch.Throughput));
        Modes =
            ClosedLoop && Clients == 1 && Counting.HasRoundTrips
                ? Mode.Of(RoundRates.Where(rate => rate > 0).Select(rate => 1e9 * Parallel / rate))
                : [];
        cpuToBaseline = new(() =>
            Baseline == null || Launches.Any(launch => launch.Server == null)
                ? null
                : RoundRatios.Cpu(Records, Baseline.Records)
        );
        var invalid = Reason.WorstOf(launches.SelectMany(SelfChecks.Invalid));
        var invalidForLatency = Reason.WorstOf(SelfChecks.InvalidForLatency(this));
        Invalid = [.. invalid.Select(reason => reason.Words)];
        InvalidForLatency = [.. invalidForLatency.Select(reason => reason.Words)];
        CarriedItsLoad =
            Measured && Invalid.Length == 0 && launches.All(launch => SelfChecks.Missed(launch) == null);
        // What missed its rate, which is told first, is late besides: that says no more.
        var forLatency = CarriedItsLoad ? invalidForLatency : invalidForLatency.Take(1);
        InvalidInShort = [.. invalid.Concat(forLatency).Select(reason => reason.InShort)];
    }

    static bool IsUnusual(string? word) => word is not (null or LaunchSettings.UsualVariant or OwnFraming);

    public string Library { get; }
    public Launch[] Launches { get; }
    public string[] Failures { get; }
    public string[] Invalid { get; }

    /// <summary>Why the round trips at a given rate are none of that rate's; empty where they are.</summary>
    public string[] InvalidForLatency { get; }

    /// <summary>Both without figures, each in a few words.</summary>
    public string[] InvalidInShort { get; }

    public Statistic? Throughput { get; }

    /// <summary>Mbit/s of a stream's messages at its receiver; null of what is answered.</summary>
    public Statistic? Goodput
    {
        get
        {
            if (!Interleaved)
                return Statistic.Of(Launches.Select(launch => launch.GoodputMbit));
            var ofRounds = RoundRates.Select(rate => Counting.GoodputMbit(rate, settings.PayloadBytes));
            var known = ofRounds.OfType<double>().ToArray();
            return known.Length == 0 ? null : Statistic.OfSlices(known);
        }
    }

    /// <summary>What it was asked to be.</summary>
    public LaunchSettings Settings => settings;

    public string Delivery => settings.Delivery;

    /// <summary>What rows of one table do: how echoes are delivered, or what is called.</summary>
    public string Kind
    {
        get
        {
            var kind = Work.KindOf(Delivery);
            return IsEncrypted ? $"{kind} over TLS" : kind;
        }
    }

    /// <summary>Its place among the kinds of a sweep.</summary>
    public int KindOrder
    {
        get
        {
            var deliveries = Contract.Deliveries.Length;
            var delivery = Work.DiffersByDelivery ? Array.IndexOf(Contract.Deliveries, Delivery) : 0;
            var place = deliveries * Works.PlaceOf(Work) + delivery;
            // Each comes as it is, and over TLS.
            return 2 * place + (IsEncrypted ? 1 : 0);
        }
    }

    /// <summary>What was done.</summary>
    public Work Work => Works.Of(settings.Work);

    /// <summary>How its messages are counted.</summary>
    public Counting Counting => Counting.Of(Work);

    /// <summary>True over TLS.</summary>
    public bool IsEncrypted => settings.Security == "tls";

    public long Clients => settings.Clients;
    public long Parallel => settings.Parallel;

    /// <summary>Messages/s over all clients that were asked for; 0 in a closed loop.</summary>
    public long Rate => settings.Rate;

    public bool ClosedLoop => Rate == 0;

    /// <summary>What rows of one table are held against each other by.</summary>
    public (long Clients, long Parallel, long Rate) Load => (Clients, Parallel, Rate);

    public bool Traced => settings.Trace;
    public bool Tuned => settings.Profile == "tuned";

    public bool MixesVersions => Launches.SelectMany(launch => launch.Versions).Distinct().Count() > 1;

    public bool Measured => Launches.Length > 0;

    /// <summary>Measured and without a reason to doubt the figures that it is drawn by.</summary>
    public bool IsDrawn => Measured && Invalid.Length == 0 && InvalidForLatency.Length == 0;

    /// <summary>The same of its rate and its costs, which messages that were sent late do not change.</summary>
    public bool CarriedItsLoad { get; }

    /// <summary>What tells its spread from the other rows': "wide", or of one measured separately "noisy" or
    /// "unstable".</summary>
    public string? Mark
    {
        get
        {
            if (!Interleaved)
                return Throughput?.Mark;
            return IsWide ? "wide" : null;
        }
    }

    /// <summary>What keeps it from going faster, see Bottleneck; n/a at a given rate.</summary>
    public string Bound => ClosedLoop ? Bottleneck.Of(this) : Text.Missing;

    /// <summary>The link between server and clients; null: they met as they are.</summary>
    public LinkSettings? Link => settings.Link;

    /// <summary>What a row is called: the library, and whether its knobs were turned.</summary>
    public string Name { get; }

    /// <summary>The settings that rows of one table share, by name.</summary>
    public Dictionary<string, string> Shared =>
        Setting
            .OfLaunch.Where(setting =>
                !OfRecord.Contains(setting.Name)
                && !ownColumns.Contains(setting.Name)
                && !Work.Unused.Contains(setting.Name)
                && setting.IsOf(Work.Name)
                && (setting.Name != Size || Work.SaysSize(settings.PayloadBytes))
            )
            .ToDictionary(setting => setting.Name, setting => Text.Value(setting.ValueIn(settings)));

    /// <summary>Names of the shared settings that differ between cells, and the payload's size.</summary>
    public static HashSet<string> Varying(IEnumerable<Cell> cells) =>
        cells
            .SelectMany(cell => cell.Shared)
            .Distinct()
            .GroupBy(setting => setting.Key)
            .Where(setting => setting.Count() > 1)
            .Select(setting => setting.Key)
            .Append(Size)
            .ToHashSet();

    /// <summary>Those of the shared settings, in words.</summary>
    public string InWords(HashSet<string> varying) =>
        string.Join(
            ", ",
            Shared.Where(setting => varying.Contains(setting.Key)).Select(setting => $"{setting.Key} {setting.Value}")
        );

    /// <summary>The same without the rate: what the tables of a section have in common.</summary>
    public string SectionInWords(HashSet<string> varying)
    {
        List<string> parts = [];
        if (Work.Group is { } group)
            parts.Add(group);
        var others = InWords([.. varying.Where(setting => setting != OwnTable)]);
        if (others != "")
            parts.Add(others);
        return string.Join(", ", parts);
    }

    /// <summary>The same without the size of messages, too.</summary>
    public string SectionWithoutSize(HashSet<string> varying) => SectionInWords([.. varying.Except([Size])]);

    /// <summary>The title of a section: what its rows do, and what they have in common.</summary>
    public static string Titled(string kind, string settings) =>
        Works.Groups.Aggregate(
            $"{kind}, {settings}",
            (title, group) => title.Replace($", {group}", ""));

    /// <summary>Identity of this cell.</summary>
    public string Identity => Key(Library, settings);

    /// <summary>What was done, whoever did it: the settings, without some.</summary>
    public string WorkWithout(string[] without) => Key("", settings, without);

    /// <summary>Identity of the cell with these settings, without some.</summary>
    public static string Key(string library, LaunchSettings settings, params string[] without) =>
        string.Join(
            '\n',
            Setting
                .OfLaunch.Where(setting => !OfRecord.Contains(setting.Name) && !without.Contains(setting.Name))
                .Select(setting => $"{setting.Name}={setting.TextIn(settings)}")
                .Prepend(library)
        );

    /// <summary>Baselines, against which the libraries are held.</summary>
    public bool IsBaseline => global::Baseline.Is(Library);

    /// <summary>True of plain sockets in their usual way, which are what is called the baseline.</summary>
    public bool IsUsualBaseline => IsBaseline && !Tuned && settings.Variant == LaunchSettings.UsualVariant;

    /// <summary>What a row is called that also says whether it is the baseline, or else plain sockets.</summary>
    public string Title
    {
        get
        {
            if (IsUsualBaseline)
                return Name + global::Baseline.InBrackets;
            return IsBaseline ? $"{Name} ({(global::Baseline.InWords(Library))})" : Name;
        }
    }

    /// <summary>What a sentence calls plain sockets: the baseline, or in which other way they send.</summary>
    public string InSentence
    {
        get
        {
            var plain = global::Baseline.InWords(Library);
            if (IsUsualBaseline)
                return $"Baseline, {plain}";
            var what = Name.Replace(Library, "").Trim('(', ')', ' ');
            var together = MessagesPerPacket is { } packed and >= ManyAPacket
                ? $"{what}, {Text.Number(packed)} {Work.Noun}s per packet"
                : what;
            return $"{char.ToUpperInvariant(plain[0])}{plain[1..]} ({together})";
        }
    }

    /// <summary>Median over the launches; null where packets are not counted.</summary>
    public double? MessagesPerPacket => Counting.Crossings / Median(launch => launch.WirePackets);

    /// <summary>Quantile of all launches' round trips in ns; null where too few lie beyond.</summary>
    public double? RoundTripNs(decimal quantile) => rtt.Quantile(quantile);

    /// <summary>The same from 0 on by nines, so many to each, for as long as enough lie beyond.</summary>
    public double[] RoundTripsByNinesNs(int stepsANine) => rtt.Nines(stepsANine);

    /// <summary>Those of a broadcast's deliveries, of all else of round trips.</summary>
    public double[] DelaysByNinesNs(int stepsANine) => Work.DelaysAreOfDeliveries
        ? new Histogram(Launches.SelectMany(launch => launch.Clients).SelectMany(client => client.Outcomes.DeliveryNs))
            .Nines(stepsANine)
        : RoundTripsByNinesNs(stepsANine);

    /// <summary>How late all launches' messages were sent, at a given rate.</summary>
    public Histogram SendLag => sendLag.Value;

    /// <summary>The knobs of the profile `tuned` and their values, by side; empty of the other.</summary>
    public IEnumerable<(string Side, JObject Knobs)> Tuning =>
        Launches
            .SelectMany(launch => launch.Clients.Append(launch.Server))
            .OfType<Side>()
            .Select(side => (side.Ready.Side, Knobs: side.Ready.Tuning))
            .Where(side => side.Knobs.HasValues);

    /// <summary>How its sides wait for what comes, the clients first where they differ.</summary>
    public string Waits
    {
        get
        {
            if (Launches.Length == 0)
                return Text.Missing;
            var first = Launches[0];
            Side?[] sides = [first.Clients[0], first.Server];
            return string.Join(" / ", sides.OfType<Side>().Select(side => side.Ready.Waits).Distinct());
        }
    }

    /// <summary>True where its server polls without pause, so that its CPU time says nothing of the library.</summary>
    public bool ServerPolls => Launches.FirstOrDefault()?.Server?.Ready.Waits == Polls;

    /// <summary>Median over the launches of one of their figures.</summary>
    public double? Median(Func<Launch, double?> figure) => Statistic.Of(Launches.Select(figure))?.Median;

    /// <summary>Messages of the window without a sound answer, over all launches, in %.</summary>
    public double? LostPercent() => PercentOfSent(launch => launch.Lost);

    /// <summary>Of the messages sent in the window over all launches, in %; null where the figure is
    /// missing of one of them.</summary>
    public double? PercentOfSent(Func<Launch, double?> messages)
    {
        var sent = Launches.Sum(launch => launch.Sent);
        var counted = Launches.Aggregate((double?)0, (sum, launch) => sum + messages(launch));
        return sent > 0 ? 100 * counted / sent : null;
    }

    /// <summary>This cell as each of its client machines alone saw it, with the machine's place
    /// from 1 and its number of clients; empty where there is but one.</summary>
    public IEnumerable<(long Machine, long Clients, Cell Share)> Shares()
    {
        var machines = settings.ClientMachines;
        return machines <= 1 || !Measured
            ? []
            : Enumerable
                .Range(0, machines)
                .Select(share =>
                    (
                        share + 1L,
                        Launches[0].ClientsOf(share),
                        new Cell(Library, settings, [.. Launches.Select(launch => launch.OfMachine(share))], [])
                    )
                );
    }

    /// <summary>What a reader must know of this row; not escaped.</summary>
    public IEnumerable<string> Notes(long? repeats)
    {
        if (Invalid.Length > 0)
            yield return $"invalid: {string.Join("; ", Invalid)}";
        if (InvalidForLatency.Length > 0)
            yield return $"invalid for latency: {string.Join("; ", InvalidForLatency)}";
        foreach (var reason in Failures.GroupBy(reason => reason))
            yield return $"{Text.Count(reason.Count(), "launch", "es")} failed: {reason.Key}";
        if (Failures.Length == 0 && Launches.Length < repeats)
            yield return $"{Launches.Length} of {repeats} launches";
        if (Bound == Bottleneck.Client)
            yield return "client_bound: a lower bound of the library";
        // Known by Little's law, which an invalid one may break.
        if (
            Invalid.Length == 0
            && ClosedLoop
            && Work.HasSlots
            && Delivery != "unreliable"
            && Median(launch => launch.InFlight) is { } inFlight
            && inFlight < LeastInFlight * Clients * Parallel
        )
        {
            yield return $"of {Text.Count(Clients * Parallel, "message")} in flight {Text.Number(inFlight)} were";
        }

        if (ClosedLoop && Median(launch => launch.RoundTripBeyondWindowS) is { } roundTripS)
        {
            yield return $"a round trip takes {Text.Number(roundTripS)} s, "
                + "longer than the window: latency is a lower bound";
        }
        if (Traced)
            yield return "traced: slower than untraced";
        if (Mark is { } mark)
            yield return mark;
        foreach (var separately in WhySeparately())
            yield return separately;
        if (Interleaved && ClosedLoop && !IsBaseline && Baseline == null)
            yield return "no valid baseline in its rounds";
        if (Baseline is { } baseline && baseline != this && baseline.Waits != Waits)
            yield return $"{Waits}, its baseline {baseline.Waits}";
        if (ModesInWords is { } modes)
            yield return modes;
        if (Say("not warm", launch => launch.NotWarm) is { } notWarm)
            yield return notWarm;
        if (Say("stopped early", launch => launch.StoppedEarly) is { } early)
            yield return early;
        if (Say("server's figures missing", launch => launch.Server == null) is { } missing)
            yield return missing;
        if (Launches.Sum(launch => launch.NotSent) is > 0 and var notSent)
            yield return Text.Count((long)notSent, "due message") + " not sent";
        foreach (var note in Launches.SelectMany(SelfChecks.Notes).Distinct())
            yield return note;
        if (MixesVersions)
            yield return "mixes versions of the library";
    }

    /// <summary>The same in a few words, without what the appendix alone tells; not escaped.</summary>
    public IEnumerable<string> ShortNotes()
    {
        if (!Measured)
            return [$"failed: {Failures.FirstOrDefault() ?? "nothing measured"}"];
        (bool Holds, string Note)[] notes =
        [
            (Failures.Length > 0, $"{Text.Count(Failures.Length, "launch", "es")} failed"),
            (Bound == Bottleneck.Client, "≥: the clients were at their limit"),
            (Baseline is { IsUsualBaseline: false } && !IsBaseline,
                $"held against {Baseline?.Name}, which waits as it does"),
            (Mark != null, $"{Mark}"),
            (!Interleaved && Link == null, Separately),
            (Traced, "traced"),
            (Launches.Any(launch => SelfChecks.ThrottledPercent(launch) > 0), "held back by a CPU quota"),
            (Launches.Any(launch => launch.NotWarm), "not warm"),
            (MixesVersions, "mixes versions of the library"),
        ];
        return WhyNot().Concat(notes.Where(note => note.Holds).Select(note => note.Note));
    }

    /// <summary>Why some of its figures are struck out or not given, in a few words; not escaped.</summary>
    public IEnumerable<string> WhyNot() =>
        ServerPolls ? InvalidInShort.Append("its server polls, so that its CPU is no cost") : InvalidInShort;

    string? Say(string what, Func<Launch, bool> holds) =>
        Launches.Count(holds) switch
        {
            0 => null,
            var all when all == Launches.Length => what,
            var some => $"{what} in {some} of {Launches.Length}",
        };
}
