/// <summary>What bench-udp's server does with a message, without counting it: what comes goes back.</summary>
static class Echo
{
    public static void Set(Settings _)
    {
    }

    public static ReadOnlySpan<byte> Answer(ReadOnlySpan<byte> message)
    {
        return Greeting.IsRequest(message) ? Greeting.ReplyBytes : message;
    }

    public static void CountUnsent(ReadOnlySpan<byte> _)
    {
    }

    public static void CountPass(bool _)
    {
    }
}
