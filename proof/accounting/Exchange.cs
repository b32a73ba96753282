/// <summary>What bench-udp's clients send and take, without headers, checksums and checks: the payload goes out as it
/// is, and each answer is one.</summary>
sealed class Exchange(Settings settings, Load load)
{
    readonly byte[] message = Message.NewBuffer(settings, settings.PayloadBytes);

    public static string? Limit(Settings _) => null;

    public byte[] Write(Due _) => message;

    public void OnMessage(int index, ReadOnlySpan<byte> _)
    {
        if (load.OnAnswer())
        {
            load.Send(index);
        }
    }
}
