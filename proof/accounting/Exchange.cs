using System.Diagnostics;
using System.Text;

/// <summary>What bench-udp's clients send and take, without headers, checksums and checks: the payload goes out as it
/// is, and each answer is one.</summary>
sealed class Exchange(Settings settings, Load load)
{
    readonly byte[] content = Message.Content(settings);
    long greetedAt;

    public bool IsStreaming => false;

    public static string? Limit(Settings settings)
    {
        return settings.Work == Settings.Echo ? null : "Nothing but echoes is measured without accounting.";
    }

    // As those of bench-udp these are asked of an instance.
#pragma warning disable CA1822
    public bool IsStalled(int _) => false;

    public bool TryLeave(Span<byte> _, out int client)
    {
        client = 0;
        return false;
    }

    public void JoinAgain(int _)
    {
    }
#pragma warning restore CA1822

    public bool BeginPass() => load.BeginPass();

    public int TryNext(Client _, Span<byte> buffer, out int client)
    {
        client = 0;
        if (!Greeting.IsAnswered)
        {
            return TryGreet(buffer);
        }
        if (!load.TryNext(out client))
        {
            return 0;
        }
        content.CopyTo(buffer);
        return content.Length;
    }

    public int OnMessage(int client, ReadOnlySpan<byte> message, Span<byte> next, out int sender)
    {
        sender = client;
        if (!Greeting.IsAnswered)
        {
            Greeting.TakeReply(Encoding.UTF8.GetString(message), greetedAt, settings);
            return 0;
        }
        if (!load.OnAnswer(client))
        {
            return 0;
        }
        content.CopyTo(next);
        return content.Length;
    }

    public int WaitMicroseconds(out int client)
    {
        client = load.Awaited;
        return Load.PollMicroseconds;
    }

    int TryGreet(Span<byte> buffer)
    {
        if (greetedAt != 0)
        {
            return 0;
        }
        greetedAt = Stopwatch.GetTimestamp();
        Greeting.RequestBytes.CopyTo(buffer);
        return Greeting.RequestBytes.Length;
    }
}
