/// <summary>Messages one way, from the clients to the server.</summary>
sealed class StreamWork() : Work(Works.Stream)
{
    /// <inheritdoc/>
    public override string Plural => "streams";

    /// <inheritdoc/>
    public override bool IsAnswered => false;

    /// <inheritdoc/>
    public override string? Group => "streams";

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => $"{Name}-{payloadBytes}";

    /// <inheritdoc/>
    public override string KindOf(string delivery) => $"{delivery} stream";

    /// <inheritdoc/>
    public override string? Refusal(int parallel) =>
        parallel == 1 ? null : "A stream is not answered: nothing of it is in flight, and --parallel is 1.";

    /// <inheritdoc/>
    public override string? Fault(LaunchSettings settings, ILaunchCounts counts)
    {
        if (Arrivals.Fault(settings.Delivery, counts.OfClients(slice => slice.Streamed), counts.OfServer) is { } fault)
        {
            return $"{char.ToUpperInvariant(fault[0])}{fault[1..]}.";
        }
        return Arrivals.To(counts.ServerWindow) == 0 ? "Nothing of the stream arrived in its window." : null;
    }
}
