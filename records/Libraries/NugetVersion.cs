using System.Globalization;
using System.Text.RegularExpressions;

/// <summary>A version as NuGet writes it, as in 2.1.3 or 3.0.0-rc.1, without what tells builds of it apart. 2.1 and
/// 2.1.0 are the same.</summary>
sealed partial class NugetVersion
{
    /// <summary>Older ones first; what is not released yet comes before its release.</summary>
    public static readonly Comparer<NugetVersion> InOrder = Comparer<NugetVersion>.Create(Compare);

    /// <summary>The lowest.</summary>
    public static readonly NugetVersion None = new(new long[Numbers], []);

    const int Numbers = 4;

    readonly long[] numbers;
    readonly string[] prerelease;

    NugetVersion(long[] numbers, string[] prerelease)
    {
        this.numbers = numbers;
        this.prerelease = prerelease;
    }

    /// <summary>That of a text; null: it is none.</summary>
    public static NugetVersion? Of(string text)
    {
        var parts = Version().Match(text);
        if (!parts.Success)
        {
            return null;
        }
        string[] prerelease = parts.Groups["prerelease"].Value.Split('.', StringSplitOptions.RemoveEmptyEntries);
        var numbers = parts.Groups["numbers"].Value
            .Split('.')
            .Select(number => long.Parse(number, CultureInfo.InvariantCulture));
        return new NugetVersion([.. numbers.Concat(new long[Numbers]).Take(Numbers)], prerelease);
    }

    /// <summary>Whether a text is one.</summary>
    public static bool IsOne(string text) => Version().IsMatch(text);

    /// <summary>Whether two texts say the same version.</summary>
    public static bool AreSame(string one, string other) =>
        Of(one) is { } first && Of(other) is { } second && Compare(first, second) == 0;

    static int Compare(NugetVersion one, NugetVersion other)
    {
        int ofNumbers = one.numbers
            .Zip(other.numbers, Comparer<long>.Default.Compare)
            .FirstOrDefault(order => order != 0);
        if (ofNumbers != 0)
        {
            return ofNumbers;
        }
        if (one.prerelease.Length == 0 || other.prerelease.Length == 0)
        {
            return other.prerelease.Length.CompareTo(one.prerelease.Length);
        }
        int ofParts = one.prerelease.Zip(other.prerelease, CompareParts).FirstOrDefault(order => order != 0);
        return ofParts != 0 ? ofParts : one.prerelease.Length.CompareTo(other.prerelease.Length);
    }

    // Numbers come before words.
    static int CompareParts(string one, string other)
    {
        bool isNumber = long.TryParse(one, out long number);
        bool isOther = long.TryParse(other, out long otherNumber);
        if (isNumber && isOther)
        {
            return number.CompareTo(otherNumber);
        }
        return isNumber || isOther
            ? isOther.CompareTo(isNumber)
            : string.Compare(one, other, StringComparison.OrdinalIgnoreCase);
    }

    // NuGet's own numbers are those of 32 bits.
    [GeneratedRegex(@"^(?<numbers>[0-9]{1,9}(\.[0-9]{1,9}){0,3})(-(?<prerelease>[0-9A-Za-z.-]+))?\z")]
    private static partial Regex Version();
}
