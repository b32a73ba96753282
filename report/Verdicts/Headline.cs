/// <summary>What a table says first, as a sentence: which library is ahead, which tie with it, and what the baseline
/// has.</summary>
static class Headline
{
    const int MostNamed = 3;

    /// <summary>Who is held against others.</summary>
    /// <param name="Name">As a reader knows it.</param>
    /// <param name="Share">How many times the value of the one that is ahead it has.</param>
    /// <param name="Shown">Its value in words, without its unit.</param>
    /// <param name="Launches">By how many it is known.</param>
    /// <param name="IsNotTold">True where it is not known to be behind the one that is ahead.</param>
    public sealed record Contender(string Name, double Share, string Shown, int Launches, bool IsNotTold);

    /// <summary>What is said of whom is ahead.</summary>
    /// <param name="Alone">Before the name of one.</param>
    /// <param name="Together">Behind the names of several.</param>
    /// <param name="Unit">Behind a figure.</param>
    /// <param name="Near">Shares differ from 1 by no more where they tie.</param>
    public sealed record Question(string Alone, string Together, string Unit, double Near);

    /// <summary>The sentence; not escaped. Libraries: the one that is ahead first. Others: the baseline and such.
    /// </summary>
    public static string Of(
        string about,
        Question asked,
        IReadOnlyList<Contender> libraries,
        IEnumerable<(string Name, string Shown)> others)
    {
        var first = libraries[0];
        Contender[] open = [.. libraries.Skip(1).Where(library => library.IsNotTold)];
        Contender[] tied = [first, .. open.Where(library => Math.Abs(library.Share - 1) <= asked.Near)];
        var launches = libraries.Min(library => library.Launches);
        string[] unproven = [.. open.Except(tied).Select(library => library.Name)];
        var proof = Proof(launches, unproven);
        var values = $"({Text.And(tied.Select(library => library.Shown))} {asked.Unit}{proof})";
        var ahead = tied.Length > 1
            ? $"{Text.And(tied.Select(library => library.Name))} {asked.Together} {values}"
            : $"{asked.Alone} {first.Name} {values}";
        var beside = string.Concat(others.Select(other => $" {other.Name}: {other.Shown}."));
        return $"{about}{ahead}.{beside}";
    }

    // What the figures do not show, if anything.
    static string Proof(int launches, string[] unproven)
    {
        if (launches == 1)
            return "; one launch: order not proven";
        if (unproven.Length == 0)
            return "";
        var more = unproven.Length - MostNamed;
        string[] named = more > 0 ? [.. unproven.Take(MostNamed), $"{more:N0} more"] : unproven;
        return $"; order not proven against {Text.And(named)}";
    }
}
