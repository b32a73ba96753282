using System.Collections.Concurrent;
using Newtonsoft.Json.Linq;

/// <summary>What benches say of themselves, by their verb info.</summary>
static class BenchInfo
{
    // As asking takes a process.
    static readonly ConcurrentDictionary<string, InfoRecord> known = [];

    /// <summary>That of a library.</summary>
    public static InfoRecord Of(string library) =>
        known.GetOrAdd(library, one => RecordFile.As<InfoRecord>(Ask(one, [])[0]));

    /// <summary>The knobs of a library's profile tuned that are variables of the environment, by their
    /// names.</summary>
    public static Dictionary<string, string> VariablesOf(string library)
    {
        return Of(library).Tuning is not { } tuning
            ? []
            : tuning.Properties()
                .Where(knob => knob.Name.StartsWith("DOTNET_", StringComparison.Ordinal))
                .ToDictionary(knob => knob.Name, knob => (string)knob.Value!);
    }

    /// <summary>That of a library as a record of a sweep, or an error record where it does not say what it can do, or
    /// cannot do its own defaults: then this machine lacks what it needs.</summary>
    public static JObject OrError(string library)
    {
        try
        {
            JObject info = Ask(library, [])[0];
            return RecordFile.As<InfoRecord>(info).Refusal is { } reason
                ? ErrorRecords.Of("info", library, "info", "unavailable", Exit.Unsupported, reason)
                : info;
        }
        catch (Failure fault)
        {
            return ErrorRecords.Of("info", library, "info", "failed", fault.ExitCode, fault.Message);
        }
    }

    /// <summary>Why a library cannot do loads, each a line of flags, in their order; null: it can.</summary>
    public static string?[] RefusalsOf(string library, IEnumerable<string> loads) =>
        [.. Ask(library, loads).Skip(1).Select(info => RecordFile.As<InfoRecord>(info).Refusal)];

    // The first is of no load.
    static JObject[] Ask(string library, IEnumerable<string> loads)
    {
        Ended bench = Child.Run(
            [.. BenchFiles.Words(library), "info", "--until-stdin-closes"],
            string.Concat(loads.Select(load => $"{load}\n")),
            readsErrors: false);
        JObject[] infos =
        [
            .. bench.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => Side.RecordOf(line.TrimEnd('\r'), $"{library} info"))
                .OfType<JObject>(),
        ];
        if (bench.ExitCode != 0 || infos.Length == 0)
        {
            throw new Failure($"bench-{library} does not say what it can do: exit code {bench.ExitCode}.",
                bench.ExitCode == Exit.WrongUsage ? Exit.WrongUsage : Exit.Failed);
        }
        LoadedLibrary.AssertAsked(library, (string)infos[0]["library_file"]!);
        foreach (JObject info in infos)
        {
            info["library"] = library;
            Side.AddHashes(info, library);
            info.Property("record")!.AddAfterSelf(new JProperty("run_id", "info"));
        }
        return infos;
    }
}
