/// <summary>What one direction of a relay does. Delay and jitter (uniform, on either side of the delay) hold for UDP
/// and TCP, the rest for datagrams alone, each of which meets at most one of these fates. Shares are of all datagrams,
/// from 0 to 1.</summary>
sealed record Line(double DelayMs = 0, double JitterMs = 0)
{
    /// <summary>Never delivered.</summary>
    public double Loss { get; init; }
    /// <summary>Delivered twice.</summary>
    public double Repeat { get; init; }
    /// <summary>Delivered ReorderMs later than the others, so that those behind overtake it.</summary>
    public double Reorder { get; init; }
    /// <summary>Delivered with one bit of one byte changed.</summary>
    public double Change { get; init; }
    /// <summary>Delivered LateMs later, when a client has given it up after 1 s.</summary>
    public double Late { get; init; }

    public double ReorderMs { get; init; } = 5;
    public double LateMs { get; init; } = 1_300;

    /// <summary>So many datagrams at first, handshakes and each client's first message, are delayed and no more: none
    /// of them is of what is tried, and on a busy machine clients send the first several times.</summary>
    public int Spared { get; init; } = 20;
    /// <summary>Shorter datagrams, such as acknowledgements, are never changed.</summary>
    public int LeastChangedBytes { get; init; }
    /// <summary>The bytes of a datagram of which one is changed.</summary>
    public Range ChangedPart { get; init; } = ..;
}
