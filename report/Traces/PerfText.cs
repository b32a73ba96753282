using System.Globalization;

/// <summary>What perf saw of a side's CPU time: the functions of native code, the kernel as one, and how many samples
/// code of .NET has, which has no names there.</summary>
sealed class PerfText
{
    const int Columns = 3;
    const string NoName = "without a name";

    static readonly Method kernel = new("system calls and interrupts", "kernel");

    /// <summary>Samples of native code and of the kernel.</summary>
    public MethodSums Native { get; } = new();

    /// <summary>Samples of code of .NET.</summary>
    public long Managed { get; private set; }

    /// <summary>That of a file; null where there is none that says something.</summary>
    public static PerfText? In(string path)
    {
        if (!File.Exists(path))
        {
            return null;
        }
        var text = new PerfText();
        foreach (var line in File.ReadLines(path))
        {
            text.Add(line.Split('|', Columns));
        }
        return text.Managed + text.Native.Samples > 0 ? text : null;
    }

    void Add(string[] columns)
    {
        const NumberStyles Digits = NumberStyles.None;
        if (columns.Length < Columns
            || !long.TryParse(columns[0].Trim(), Digits, CultureInfo.InvariantCulture, out var samples))
        {
            return;
        }
        var file = columns[1].Trim();
        var symbol = columns[2].Trim();
        if (IsOfDotnet(file))
        {
            Managed += samples;
        }
        else if (symbol.StartsWith("[k]", StringComparison.Ordinal))
        {
            Native.Add(kernel, samples, samples);
        }
        else
        {
            Native.Add(new(NameOf(symbol), file), samples, samples);
        }
    }

    // Compiled as it runs, or ahead of time in an assembly.
    static bool IsOfDotnet(string file) =>
        file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
        || file.StartsWith("[JIT]", StringComparison.Ordinal)
        || file.StartsWith("//anon", StringComparison.Ordinal)
        || file.Contains("doublemapper", StringComparison.Ordinal);

    // After a dot in brackets, which says that it is not of the kernel.
    static string NameOf(string symbol)
    {
        var name = symbol.StartsWith('[') ? symbol[(symbol.IndexOf(']') + 1)..].Trim() : symbol;
        return name.StartsWith("0x", StringComparison.Ordinal) ? NoName : name;
    }
}
