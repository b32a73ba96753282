/// <summary>How well colours are told apart: contrast as WCAG has it, and distance in OKLab (in hundredths), the least
/// of what ordinary, protan, deutan and tritan readers see (Machado, Oliveira and Fernandes 2009, full severity).
/// </summary>
static class Sight
{
    static readonly double[][] readers =
    [
        [1, 0, 0, 0, 1, 0, 0, 0, 1],
        [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
        [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881],
        [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900],
    ];

    static readonly double[] toCones =
    [
        0.4122214708, 0.5363325363, 0.0514459929,
        0.2119034982, 0.6806995451, 0.1073969566,
        0.0883024619, 0.2817188376, 0.6299787005,
    ];

    static readonly double[] toLab =
    [
        0.2104542553, 0.7936177850, -0.0040720468,
        1.9779984951, -2.4285922050, 0.4505937099,
        0.0259040371, 0.7827717662, -0.8086757660,
    ];

    /// <summary>From 1 to 21, of #rrggbb.</summary>
    public static double Contrast(string a, string b)
    {
        var light = Math.Max(Luminance(a), Luminance(b));
        var dark = Math.Min(Luminance(a), Luminance(b));
        return (light + 0.05) / (dark + 0.05);
    }

    /// <summary>For the reader who tells them apart worst.</summary>
    public static double Distance(string a, string b) => readers.Min(reader => DistanceFor(reader, a, b));

    static double DistanceFor(double[] reader, string a, string b)
    {
        var squares = Seen(reader, a).Zip(Seen(reader, b), (one, other) => Math.Pow(one - other, 2));
        return 100 * Math.Sqrt(squares.Sum());
    }

    // What a reader sees of a colour, in OKLab.
    static double[] Seen(double[] reader, string color)
    {
        double[] light = [.. Times(reader, Linear(color)).Select(part => Math.Clamp(part, 0, 1))];
        double[] cones = [.. Times(toCones, light).Select(Math.Cbrt)];
        return Times(toLab, cones);
    }

    static double Luminance(string color) => Times([0.2126, 0.7152, 0.0722], Linear(color))[0];

    // Red, green and blue of sRGB as light.
    static double[] Linear(string color)
    {
        var parts = Convert.FromHexString(color[1..]).Select(part => part / 255.0);
        return [.. parts.Select(part => part <= 0.04045 ? part / 12.92 : Math.Pow((part + 0.055) / 1.055, 2.4))];
    }

    // A matrix of three columns, its rows one after the other, times a vector.
    static double[] Times(double[] matrix, double[] vector) =>
        [.. matrix.Chunk(3).Select(row => row.Zip(vector, (one, other) => one * other).Sum())];
}
