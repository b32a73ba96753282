/// <summary>Messages that the server sends back.</summary>
sealed class EchoWork() : Work(Works.Echo)
{
    /// <inheritdoc/>
    public override string Plural => "echoes";

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => $"{payloadBytes}";

    /// <inheritdoc/>
    public override string KindOf(string delivery) => delivery;
}
