/// <summary>The parts of a file that are written by the runner, each between two comments.</summary>
/// <param name="file">The file.</param>
/// <param name="before">How a comment begins there.</param>
/// <param name="after">How it ends.</param>
sealed class Regions(string file, string before, string after)
{
    /// <summary>Replaces what stands in a region.</summary>
    public void Write(string name, string text)
    {
        string start = $"{before}Written by `runner documents`: {name}.{after}\n";
        string end = $"{before}End of {name}.{after}\n";
        string all = File.ReadAllText(file);
        int from = all.IndexOf(start, StringComparison.Ordinal);
        int to = all.IndexOf(end, StringComparison.Ordinal);
        if (from < 0 || to < from)
        {
            throw new Failure($"{file} has no lines '{start.Trim()}' and '{end.Trim()}'.");
        }
        File.WriteAllText(file, all[..(from + start.Length)] + text + all[to..]);
    }
}
