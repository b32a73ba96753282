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
}
