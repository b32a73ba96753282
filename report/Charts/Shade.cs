/// <summary>Shades of a colour that keep their contrast to a white page and to a dark one.</summary>
static class Shade
{
    // Relative luminance as WCAG has it: from here to there the contrast to either page is over 3 : 1.
    const double Palest = 0.29;
    const double Deepest = 0.13;

    /// <summary>The shade at a place among so many, the first palest; colours are #RRGGBB.</summary>
    public static string Of(string color, int place, int count)
    {
        double wanted = count == 1 ? Deepest : Palest + (Deepest - Palest) * place / (count - 1);
        double[] light = [.. color[1..].Chunk(2).Select(digits => Linear(Convert.ToInt32(new string(digits), 16)))];
        double has = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
        // With white or with black, of which light is mixed.
        double white = Math.Max(0, (wanted - has) / (1 - has));
        double rest = has > wanted ? wanted / has : 1 - white;
        return $"#{string.Concat(light.Select(part => $"{Encoded(white + rest * part):x2}"))}";
    }

    static double Linear(int part)
    {
        double share = part / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.Pow((share + 0.055) / 1.055, 2.4);
    }

    static int Encoded(double light)
    {
        double share = light <= 0.0031308 ? 12.92 * light : 1.055 * Math.Pow(light, 1 / 2.4) - 0.055;
        return (int)Math.Round(255 * Math.Clamp(share, 0, 1));
    }
}
