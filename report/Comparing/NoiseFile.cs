using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>noise.json beside raw.jsonl: a machine's noise floor, and which machine's.</summary>
static class NoiseFile
{
    const string Name = "noise.json";

    public static void Write(string folder, JObject noise) =>
        WholeFile.Write(PathIn(folder), path => File.WriteAllText(path, noise.ToString(Formatting.None) + "\n"));

    public static bool IsIn(string folder) => File.Exists(PathIn(folder));

    /// <summary>The floor, of what it is one, and its machine's fingerprint; a file that is none is refused.</summary>
    public static (double Floor, bool IsInterleaved, JObject Machine) Read(string folder)
    {
        var path = PathIn(folder);
        if (!File.Exists(path))
            throw new Failure($"There is no file '{path}'.", Exit.WrongUsage);
        var noise = FastParser.Record(File.ReadAllText(path));
        return
            noise?["v"] is JValue { Value: (long)Contract.Version }
            && noise["noise_floor"] is JValue { Value: double or long } floor
            && (double)floor is >= 0 and < double.PositiveInfinity and var value
            && noise["interleaved"] is JValue { Value: bool isInterleaved }
            && noise["machine"] is JObject machine
            && machine.PropertyValues().All(facts => facts is JObject)
            ? (value, isInterleaved, machine)
            : throw new Failure(
                $"{path} is none of `report noise` with version {Contract.Version} of records.",
                Exit.WrongUsage
            );
    }

    public static string PathIn(string folder) => Path.Combine(folder, Name);
}
