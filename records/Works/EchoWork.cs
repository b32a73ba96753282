/// <summary>Messages that the server sends back.</summary>
sealed class EchoWork() : Work(Works.Echo)
{
    /// <inheritdoc/>
    public override string Plural => "echoes";

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => $"{payloadBytes}";

    /// <inheritdoc/>
    public override string KindOf(string delivery) => delivery;

    /// <inheritdoc/>
    public override string KindInWords(string delivery) => $"{delivery} {Plural}";

    /// <summary>What most loads are of goes without saying.</summary>
    public override string InTitle(int payloadBytes) => base.InTitle(payloadBytes)[$" {Name}".Length..];
}
