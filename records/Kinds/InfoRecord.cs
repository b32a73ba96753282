using Newtonsoft.Json.Linq;

/// <summary>What a bench can do; a sweep writes one of every bench that it built.</summary>
sealed record InfoRecord : BenchRecord
{
    /// <summary>`info`</summary>
    public required string Side { get; init; }

    /// <summary>what it does of `--work`</summary>
    public required string[] Works { get; init; }

    /// <summary>what it has of `--security`</summary>
    public required string[] Securities { get; init; }

    /// <summary>the serializer of each variant; the first is the default</summary>
    public required Dictionary<string, string> Variants { get; init; }

    /// <summary>the delivery modes that the library has</summary>
    public required string[] Deliveries { get; init; }

    /// <summary>the knobs of its profile `tuned`, by the library's names for them, with their values; null: it has no
    /// such profile. Without one that begins with `DOTNET_` in its environment the side refuses (exit code 2)</summary>
    public required JObject? Tuning { get; init; }

    /// <summary>why the library cannot do the load of the flags given; null: it can</summary>
    public required string? Refusal { get; init; }

    /// <summary>packages below the library's own that the registry lacked, and what NuGet took instead, as in
    /// `Some.Package 1.2.3 → 1.2.5`</summary>
    [ByRunner]
    public required string[] PackagesReplaced { get; init; }
}
