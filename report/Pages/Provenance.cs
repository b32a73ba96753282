/// <summary>Where the figures of a report are from: a line for each machine, one for the versions, and one for what
/// there are no figures of.</summary>
sealed class Provenance(Sweep sweep)
{
    /// <summary>Writes it.</summary>
    public void Write(Page page)
    {
        foreach (var machine in sweep.Machines)
            page.Line(Text.LongMarkdown(InWords(machine)) + "  ");
        if (sweep.Machines.Length == 0)
            page.Line("No record says on which machine.  ");
        page.Line($"Versions: {Text.LongMarkdown(string.Join(", ", Versions().DefaultIfEmpty("those of .NET")))}.");
        if (Missing() is { Length: > 0 } missing)
            page.Line($"\n{Text.LongMarkdown(missing)}");
    }

    static string InWords(MachineRecord machine)
    {
        string?[] facts =
        [
            $"{Fingerprint.Prefix(machine)}{Fingerprint.CpusOf(machine)}",
            machine.Hypervisor,
            machine.MemoryBytes is { } bytes ? $"{Text.Number((double)bytes / (1 << 30))} GiB" : null,
            machine.CgroupCpuQuota is { } quota ? $"a quota of {Text.Number(quota)} CPUs" : null,
            machine.Os,
            $"kernel {machine.Kernel}",
            $".NET {machine.DotnetVersion}",
            machine.SuiteCommit == null ? null : $"suite {Fingerprint.CommitOf(machine)}",
        ];
        var changed = machine.Changed is { Length: > 0 }
            ? $" Changed of the preset: {string.Join("; ", machine.Changed)}."
            : "";
        return $"Machine: {string.Join(", ", facts.OfType<string>())}.{changed}";
    }

    // A library that is of .NET has its version.
    IEnumerable<string> Versions() =>
        sweep.Ready
            .Select(side => (Name: LibraryName.LibraryOf(side.Library), Version: side.LibraryVersion))
            .Distinct()
            .Where(side => sweep.Machines.All(machine => machine.DotnetVersion != side.Version))
            .GroupBy(side => side.Name, side => side.Version)
            .OrderBy(library => library.Key, StringComparer.Ordinal)
            .Select(library => $"{library.Key} {string.Join(" / ", library.Order(StringComparer.Ordinal))}");

    string Missing()
    {
        Cell[] failed = [.. sweep.Cells.Where(cell => !cell.Measured)];
        string[] unavailable = [.. sweep.Unavailable.Select(bench => bench.Library).Distinct()];
        string[] names = [.. failed.Select(cell => cell.Name).Distinct()];
        string[] parts =
        [
            .. names.Length > 0
                ? [$"{Text.Count(failed.Length, "cell")} failed, of {Text.And(names)}."]
                : Array.Empty<string>(),
            .. unavailable.Length > 0 ? [$"Unavailable: {Text.And(unavailable)}."] : Array.Empty<string>(),
            .. sweep.Unreadable.Count > 0
                ? [$"{Text.Count(sweep.Unreadable.Count, "line")} of the records could not be read."]
                : Array.Empty<string>(),
        ];
        return string.Join(' ', parts);
    }
}
