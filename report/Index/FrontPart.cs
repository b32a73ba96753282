/// <summary>What a sweep tells for one mark of the README.md beside the folder of all results.</summary>
/// <param name="Words">What was measured; not escaped.</param>
/// <param name="Path">Of its report.</param>
/// <param name="Where">When and on which machine; in markdown.</param>
/// <param name="Warning">What must be known before rows are compared; null: nothing. In markdown.</param>
/// <param name="Titles">Of the columns of figures.</param>
/// <param name="Entries">The figures of each library in each delivery mode, the best first.</param>
/// <param name="Explained">What the figures mean; in markdown.</param>
sealed record FrontPart(
    string Words,
    string Path,
    string Where,
    string? Warning,
    string[] Titles,
    FrontEntry[] Entries,
    string[] Explained)
{
    /// <summary>Whether it went over an emulated link.</summary>
    public bool IsOverLink => Entries[0].Cell.Link != null;

    /// <summary>Whether it is of searches, which seldom have all modes.</summary>
    public bool IsOfSearch => Titles is [FrontTable.PlayersThatFit];

    /// <summary>What tells the delivery modes apart, where a library may have several.</summary>
    public string[] Labels => [.. Entries.Select(entry => entry.Label).Distinct()];
}

/// <summary>What is told of a library in one delivery mode.</summary>
/// <param name="Cell">What was measured.</param>
/// <param name="Figures">One for each title, in markdown.</param>
/// <param name="Reasons">Why they are struck out; none if they are not.</param>
sealed record FrontEntry(Cell Cell, string[] Figures, string[] Reasons)
{
    const string Reliable = "reliable";
    const string Unreliable = "unreliable";
    static readonly string[] none = [Text.Missing, "–"];

    /// <summary>Whether a figure is struck out or missing.</summary>
    public bool Lacks => Figures.Any(figure => figure.StartsWith('~') || none.Contains(figure));

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
}
