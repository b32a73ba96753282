using System.Collections.Concurrent;
using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>What a bench says of itself, by its verb info.</summary>
sealed record BenchInfo(JObject Record)
{
    static readonly ConcurrentDictionary<string, BenchInfo> known = []; // asking takes a process

    public string[] Works => List("works");
    public string[] Deliveries => List("deliveries");
    /// <summary>The first by default.</summary>
    public string[] Variants => [.. ((JObject)Record["variants"]!).Properties().Select(variant => variant.Name)];

    string[] List(string field) => [.. Record[field]!.Select(entry => (string)entry!)];

    /// <summary>The knobs of a library's profile tuned that are variables of the environment, by their
    /// names.</summary>
    public static Dictionary<string, string> VariablesOf(string library)
    {
        JObject record = known.GetOrAdd(library, Of).Record;
        return record["tuning"] is not JObject tuning
            ? []
            : tuning.Properties()
                .Where(knob => knob.Name.StartsWith("DOTNET_", StringComparison.Ordinal))
                .ToDictionary(knob => knob.Name, knob => (string)knob.Value!);
    }

    /// <summary>The variants of a library.</summary>
    public static string[] VariantsOf(string library) => known.GetOrAdd(library, Of).Variants;

    /// <summary>That of a library, as a record of a sweep.</summary>
    public static BenchInfo Of(string library) => new(Ask(library, []).First());

    /// <summary>The same, or an error record where it does not say what it can do.</summary>
    public static JObject OrError(string library)
    {
        try
        {
            return Of(library).Record;
        }
        catch (Failure fault)
        {
            return ErrorRecords.Of("info", library, "info", "failed", fault.ExitCode, fault.Message);
        }
    }

    /// <summary>Why a library cannot do loads, each a line of flags, in their order; null: it can.</summary>
    public static string?[] RefusalsOf(string library, IEnumerable<string> loads) =>
        [.. Ask(library, loads).Skip(1).Select(info => (string?)info["refusal"])];

    static IEnumerable<JObject> Ask(string library, IEnumerable<string> loads)
    {
        var command = BenchFiles.Words(library);
        using var bench = Process.Start(new ProcessStartInfo(command[0],
            [.. command[1..], "info", "--until-stdin-closes"])
        { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        var said = bench.StandardOutput.ReadToEndAsync(); // while it is asked: a pipe does not hold all answers
        try
        {
            foreach (var load in loads)
                bench.StandardInput.WriteLine(load);
            bench.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended; its exit code says so.
        }
        var infos = said.Result.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => Side.RecordOf(line.TrimEnd('\r'), $"{library} info")).OfType<JObject>().ToArray();
        bench.WaitForExit();
        if (bench.ExitCode != 0 || infos.Length == 0)
        {
            throw new Failure($"bench-{library} does not say what it can do: exit code {bench.ExitCode}.",
                bench.ExitCode == Exit.WrongUsage ? Exit.WrongUsage : Exit.Failed);
        }

        return infos.Select(info =>
        {
            Side.AddHashes(info, library);
            info.Property("record")!.AddAfterSelf(new JProperty("run_id", "info"));
            return info;
        });
    }
}
