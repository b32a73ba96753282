using Newtonsoft.Json.Linq;

/// <summary>By `info`, for people and scripts; a sweep writes one of every bench that it built.</summary>
sealed record InfoRecord : BenchRecord
{
    /// <summary>info</summary>
    public required string Side { get; init; }

    /// <summary>of `--work` those that it does</summary>
    public required string[] Works { get; init; }

    /// <summary>of `--security` those that it has</summary>
    public required string[] Securities { get; init; }

    /// <summary>its variants by name, the first by default, and the serializer of each</summary>
    public required Dictionary<string, string> Variants { get; init; }

    /// <summary>the delivery modes that the library has</summary>
    public required string[] Deliveries { get; init; }

    /// <summary>the knobs of its profile tuned, by the library's names for them, with their values; one that begins
    /// with `DOTNET_` is a variable of the environment that whoever starts a side sets, and without it the side refuses
    /// (exit 2); null: it has no such profile</summary>
    public required JObject? Tuning { get; init; }

    /// <summary>why the library cannot do the load of the flags given; null: it can</summary>
    public required string? Refusal { get; init; }

    /// <summary>of the packages below the library's own, those that the registry lacked in the version asked for, and
    /// what NuGet took for them, as in `Some.Package 1.2.3 → 1.2.5`</summary>
    [ByRunner]
    public required string[] PackagesReplaced { get; init; }
}
