using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>What a bench says of itself, by its verb info.</summary>
sealed record BenchInfo(JObject Record)
{
    public string[] Deliveries => [.. Record["deliveries"]!.Select(delivery => (string)delivery!)];
    public bool IsTuned => (bool)Record["tuned"]!;

    /// <summary>That of a library, as a record of a sweep.</summary>
    public static BenchInfo Of(string library) => new(Ask(library, []).First());

    /// <summary>Why a library cannot do loads, each a line of flags, in their order; null: it can.</summary>
    public static string?[] RefusalsOf(string library, IEnumerable<string> loads) =>
        [.. Ask(library, loads).Skip(1).Select(info => (string?)info["refusal"])];

    static IEnumerable<JObject> Ask(string library, IEnumerable<string> loads)
    {
        var command = BenchFiles.Words(library);
        using var bench = Process.Start(new ProcessStartInfo(command[0],
            [.. command[1..], "info", "--until-stdin-closes"])
        { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        foreach (var load in loads) bench.StandardInput.WriteLine(load);
        bench.StandardInput.Close();
        var lines = bench.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        bench.WaitForExit();
        if (bench.ExitCode != 0 || lines.Length == 0)
            throw new Failure($"bench-{library} does not say what it can do: exit code {bench.ExitCode}.",
                bench.ExitCode == Exit.WrongUsage ? Exit.WrongUsage : Exit.Failed);
        return lines.Select(line =>
        {
            var info = JObject.Parse(line);
            Side.AddHashes(info, library);
            info.Property("record")!.AddAfterSelf(new JProperty("run_id", "info"));
            return info;
        });
    }
}
