/// <summary>What a sweep tells for one mark of the README.md beside the folder of all results.</summary>
/// <param name="Words">What was measured; not escaped.</param>
/// <param name="Path">Of its report.</param>
/// <param name="Day">When; in markdown.</param>
/// <param name="Cpus">Of the machine; in markdown.</param>
/// <param name="CpuCount">How many those are.</param>
/// <param name="Warning">What must be known before rows are compared; null: nothing. In markdown.</param>
/// <param name="Titles">Of the columns of figures.</param>
/// <param name="Entries">The figures of each library in each delivery mode, the best first.</param>
/// <param name="Explained">What the figures mean; in markdown.</param>
/// <param name="RatioTitle">What the ratios over several sweeps are of.</param>
sealed record FrontPart(
    string Words,
    string Path,
    string Day,
    string Cpus,
    long CpuCount,
    string? Warning,
    string[] Titles,
    FrontEntry[] Entries,
    string[] Explained,
    string RatioTitle)
{
    /// <summary>When and on which machine; in markdown.</summary>
    public string Where => $"{Day} on {Cpus}";

    /// <summary>Whether it went over an emulated link.</summary>
    public bool IsOverLink => Entries[0].Cell.Link != null;

    /// <summary>Whether it is of searches, which seldom have all modes.</summary>
    public bool IsOfSearch => Titles is [FrontTable.PlayersThatFit];

    /// <summary>What tells the delivery modes apart, where a library may have several.</summary>
    public string[] Labels => [.. Entries.Select(entry => entry.Label).Distinct()];

    /// <summary>The same with the ratios and the players over those other sweeps, too, that measured the same loads on
    /// machines with as many CPUs.</summary>
    public FrontPart Over(IEnumerable<FrontPart> others)
    {
        FrontEntry[] same =
        [
            .. others
                .Where(other => (other.Words, other.CpuCount) == (Words, CpuCount))
                .SelectMany(other => other.Entries),
        ];
        FrontEntry[] entries = [.. Entries.Select(entry => entry.Over(same))];
        bool hasRatios = entries.Any(entry => entry is { Ratio: not null, OverSweeps: not null });
        return this with { Entries = entries, Explained = hasRatios ? [.. Explained, OverSweeps(entries)] : Explained };
    }

    // What the ratios of those entries are that are over several sweeps.
    static string OverSweeps(FrontEntry[] entries)
    {
        ILookup<bool, RatioOverSweeps> ratios =
            entries.Select(entry => entry.OverSweeps).OfType<RatioOverSweeps>().ToLookup(ratio => ratio.HasInterval);
        string[] told =
        [
            .. ratios[false].Any() ? ["those of two sweeps"] : Array.Empty<string>(),
            .. ratios[true].Any()
                ? ["the mean of three or more sweeps with its interval (95 %)"]
                : Array.Empty<string>(),
        ];
        return $"Rates are of this sweep; ratios are {string.Join(", or ", told)}.";
    }
}

/// <summary>What is told of a library in one delivery mode.</summary>
/// <param name="Cell">What was measured.</param>
/// <param name="Figures">One for each title, in markdown.</param>
/// <param name="Ratio">To the baseline, of the first figure; null: there is none.</param>
/// <param name="Reasons">Why they are struck out; none if they are not.</param>
/// <param name="OfSweep">The ratio to the baseline that is told over several sweeps; null: there is none.</param>
/// <param name="OverSweeps">The same over several sweeps; null: there is one sweep.</param>
/// <param name="Found">What a search found; null: it is of none.</param>
sealed record FrontEntry(
    Cell Cell,
    string[] Figures,
    double? Ratio,
    string[] Reasons,
    RoundRatio? OfSweep,
    RatioOverSweeps? OverSweeps = null,
    FoundPlayers? Found = null)
{
    const string Reliable = "reliable";
    const string Unreliable = "unreliable";
    const string None = "–";
    static readonly string[] none = [Text.Missing, None];

    /// <summary>Whether a figure is struck out or missing.</summary>
    public bool Lacks => Enumerable.Range(0, Figures.Length).Any(i => !HasFigure(i));

    /// <summary>Whether a figure is neither.</summary>
    public bool HasFigure(int i) => !IsStruckOut(Figures[i]) && !none.Contains(Figures[i]);

    /// <summary>The figures, with the ratio beside the first; none that is struck out, as nobody is to be warned of a
    /// number there.</summary>
    public string[] Shown
    {
        get
        {
            string first = Ratio == null || IsStruckOut(Figures[0])
                ? Figures[0]
                : $"{Figures[0]} ({OverSweeps?.InWords ?? $"{Text.Number(Ratio)}x"})";
            return [.. Figures[1..].Prepend(first).Select(figure => IsStruckOut(figure) ? None : figure)];
        }
    }

    /// <summary>What stands above its columns where a library has several delivery modes.</summary>
    public string Label
    {
        get
        {
            if (!Cell.Work.DiffersByDelivery)
            {
                return Cell.Kind;
            }
            return Cell.Delivery == Unreliable ? Unreliable : Reliable;
        }
    }

    /// <summary>Whose row it stands in: the sockets that are ordered and those that are unreliable share one.</summary>
    public string Row
    {
        get
        {
            if (Cell.IsBaseline)
            {
                return Baseline.InBrackets + (Cell.Delivery == "reliable-unordered" ? Cell.Library : "");
            }
            return Name;
        }
    }

    /// <summary>What it is called there: of calls with the variant and the serializer, which are compared.</summary>
    public string Name => WorkLayout.Of(Cell.Work).HasSerializers ? Cell.Name : Cell.Library;

    /// <summary>The same with its ratio, or its players, over those of the others that are of the same
    /// version.</summary>
    public FrontEntry Over(FrontEntry[] others)
    {
        FrontEntry[] same = [.. others.Where(IsOfSame)];
        if (Found != null)
        {
            string most = FoundPlayers.MostOf([Found, .. same.Select(entry => entry.Found).OfType<FoundPlayers>()]);
            return most == Figures[0] ? this : this with { Figures = [most] };
        }
        RoundRatio[] ratios =
        [
            .. same
                .Prepend(this)
                .Where(entry => entry.Cell.CarriedItsLoad)
                .Select(entry => entry.OfSweep)
                .OfType<RoundRatio>()
                .Where(ratio => !ratio.IsOfRoundsAlone),
        ];
        return OfSweep == null || Cell.IsBaseline ? this : this with { OverSweeps = RatioOverSweeps.Of(ratios) };
    }

    static bool IsStruckOut(string figure) => figure.StartsWith('~');

    bool IsOfSame(FrontEntry other) =>
        (other.Row, other.Label, Past.VersionOf(other.Cell)) == (Row, Label, Past.VersionOf(Cell));
}
