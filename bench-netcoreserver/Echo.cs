/// <summary>What a server does with a message, on whichever thread it came.</summary>
static class Echo
{
    static StreamCheck? stream;

    /// <summary>Prepares for the work of these settings.</summary>
    public static void Set(Settings settings)
    {
        stream = settings.Work == Settings.Stream ? new StreamCheck() : null;
    }

    /// <summary>What the server sends back, which it counts: of a greeting the answer to it, of a stream's message
    /// nothing, else the message itself.</summary>
    public static ReadOnlySpan<byte> Answer(ReadOnlySpan<byte> message)
    {
        if (Greeting.IsRequest(message))
        {
            return Greeting.ReplyBytes;
        }
        if (stream != null && !StreamCheck.IsBehindStream(message))
        {
            stream.Take(message);
            return default;
        }
        ref Totals own = ref Totals.Own;
        own.Received++;
        own.Sent++;
        own.Bytes += message.Length;
        return message;
    }

    /// <summary>Takes back an answer that this thread counted: the library refused to send it. Those to a greeting and
    /// to a client that joins are not counted.</summary>
    public static void CountUnsent(ReadOnlySpan<byte> answer)
    {
        if (!Greeting.IsReply(answer) && !Message.IsAboutRoom(answer))
        {
            Totals.Own.Sent--;
        }
    }

    /// <summary>Counts a pass of a server's loop that polls rather than blocks.</summary>
    public static void CountPass(bool isIdle)
    {
        ref Totals own = ref Totals.Own;
        own.Passes++;
        if (isIdle)
        {
            own.IdlePasses++;
        }
    }
}
