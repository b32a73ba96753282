using System.Globalization;

/// <summary>What perf saw of a side's CPU time: the functions of native code and the kernel, and how many samples
/// code of .NET has, which has no names there.</summary>
sealed class PerfText
{
    const int Columns = 4;
    // Threads that are there for the trace alone.
    const string OfTracing = ".NET EventPipe";

    const string OfKernel = "[kernel";

    /// <summary>Samples of native code and of the kernel.</summary>
    public MethodSums Native { get; } = new();

    /// <summary>Samples of code of .NET.</summary>
    public long Managed { get; private set; }

    /// <summary>That of a file; null where there is none that says something.</summary>
    public static PerfText? In(string path)
    {
        if (!System.IO.File.Exists(path))
        {
            return null;
        }
        var text = new PerfText();
        foreach (var line in System.IO.File.ReadLines(path))
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
        var thread = columns[1].Trim();
        var file = columns[2].Trim();
        var symbol = columns[3].Trim();
        if (thread.StartsWith(OfTracing, StringComparison.Ordinal))
        {
            return;
        }
        if (IsOfDotnet(file))
        {
            Managed += samples;
        }
        else
        {
            var isKernel = file.StartsWith(OfKernel, StringComparison.Ordinal);
            Native.Add(new(NameOf(symbol), isKernel ? "kernel" : file), samples, samples);
        }
    }

    // Compiled as it runs, or ahead of time in an assembly.
    static bool IsOfDotnet(string file) =>
        file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
        || file.StartsWith("[JIT]", StringComparison.Ordinal)
        || file.StartsWith("//anon", StringComparison.Ordinal)
        || file.Contains("doublemapper", StringComparison.Ordinal);

    // After a letter that says whether it is of the kernel.
    static string NameOf(string symbol)
    {
        var name = symbol.StartsWith('[') ? symbol[(symbol.IndexOf(']') + 1)..].Trim() : symbol;
        return name.StartsWith("0x", StringComparison.Ordinal) ? "without a name" : name;
    }
}
