using System.Globalization;

/// <summary>A rate of a sweep.</summary>
/// <param name="Number">messages/s over all clients; 0: the closed loop, or a percentage.</param>
/// <param name="Percent">Of what the closed loop makes; null: none.</param>
sealed record OfferedLoad(int Number, int? Percent)
{
    const string PerClient = "/client";
    const int MostRatePerClient = 1_000_000;
    const int MostPercent = 200;

    /// <summary>Whether a sweep may say it: messages/s, as in 30/client too, or 50%.</summary>
    public static bool IsOne(string text)
    {
        if (text.EndsWith('%'))
        {
            return IsWhole(text[..^1], MostPercent);
        }
        return text.EndsWith(PerClient)
            ? IsWhole(text[..^PerClient.Length], MostRatePerClient)
            : Setting.Named("rate").Read(text) != null;
    }

    /// <summary>What it is for so many clients.</summary>
    public static OfferedLoad Of(string text, int clients)
    {
        if (text.EndsWith('%'))
        {
            return new OfferedLoad(0, int.Parse(text[..^1], CultureInfo.InvariantCulture));
        }
        if (!text.EndsWith(PerClient))
        {
            return new OfferedLoad(int.Parse(text, CultureInfo.InvariantCulture), null);
        }
        long all = long.Parse(text[..^PerClient.Length], CultureInfo.InvariantCulture) * clients;
        return all <= LaunchSettings.MostRate
            ? new OfferedLoad((int)all, null)
            : throw new Failure($"rate of {clients} clients is {all} messages/s together, but "
                + $"{LaunchSettings.MostRate} are the most.", Exit.WrongUsage);
    }

    static bool IsWhole(string text, int most)
    {
        return text is [>= '1' and <= '9', ..]
            && text.Length < 10
            && text.All(char.IsAsciiDigit)
            && int.Parse(text, CultureInfo.InvariantCulture) <= most;
    }
}
