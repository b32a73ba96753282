/// <summary>What both sides of a launch counted, by which its work judges it.</summary>
interface ILaunchCounts
{
    /// <summary>The server's own counts of the window.</summary>
    SliceRecord ServerWindow { get; }

    /// <summary>How often calls failed, by the library's own words for it, in brackets; empty where none did.</summary>
    string Failures { get; }

    /// <summary>One of the clients' own counts, in all phases.</summary>
    long OfClients(Func<SliceRecord, long> count);

    /// <summary>One of the server's own counts, in all phases.</summary>
    long OfServer(Func<SliceRecord, long> count);

    /// <summary>One of the outcomes of the clients' messages, in these phases; none: in all.</summary>
    long OfOutcomes(Func<OutcomesPart, long> count, params string[] phases);
}
