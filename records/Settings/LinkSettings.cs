using System.Globalization;

/// <summary>What a link between server and clients is asked to be (docs/links.md): loss and rate are of each
/// direction.</summary>
sealed record LinkSettings(
    double RttMs,
    double JitterMs,
    double LossPercent,
    int LossBurstPackets,
    double RateMbit,
    string Queue
)
{
    /// <summary>The settings that say what it is; the first: whether there is one.</summary>
    public static readonly string[] Names = [.. Setting.OfLink.Select(setting => setting.Name)];

    /// <summary>What a sweep's `rtt_ms` says where there is none.</summary>
    public const string None = "none";

    /// <summary>Bytes of the longest IP packet.</summary>
    public const int MtuBytes = 1_500;

    /// <summary>A queue of one product of bandwidth and delay, or a multiple of it.</summary>
    public const string Bdp = "bdp";

    /// <summary>The chance that a packet or the answer to it is lost.</summary>
    public double RoundTripLoss => 1 - Math.Pow(1 - LossPercent / 100, 2);

    const int LeastQueuePackets = 10;
    const int LeastUnderWayBytes = 8 << 20;
    const double LeastQueueMs = 10; // of a shorter link a sender that wakes a millisecond late would overrun its queue
    const double UsualMbit = 4_000;
    const double HeadsShare = 1.25; // more than goes through such a link on any machine; their heads

    /// <summary>Bytes that may wait for the link to be free; null: a link without a rate keeps none waiting.</summary>
    public long? QueueBytes
    {
        get
        {
            if (RateMbit == 0)
            {
                return null;
            }
            return Queue.EndsWith("kB")
                ? 1_000 * long.Parse(Queue[..^2])
                : Math.Max(
                    LeastQueuePackets * MtuBytes,
                    (long)(Times * RateMbit * 1e6 / 8 * Math.Max(RttMs, LeastQueueMs) / 1e3)
                );
        }
    }

    /// <summary>Room for all packets that may be under way in one direction.</summary>
    public long MostUnderWayBytes =>
        LeastUnderWayBytes
        + (QueueBytes ?? 0)
        + (long)(HeadsShare * (RateMbit > 0 ? RateMbit : UsualMbit) * 1e6 / 8 * (RttMs + JitterMs) / 2e3);

    /// <summary>The chance with which a packet is lost, of bursts that one begins, after one that was not.</summary>
    public double LossBegins =>
        LossBurstPackets == 1 ? LossPercent / 100 : LossPercent / 100 / LossBurstPackets / (1 - LossPercent / 100);

    double Times => Queue == Bdp ? 1 : double.Parse(Queue[..^Bdp.Length], CultureInfo.InvariantCulture);

    /// <summary>In words, such as "50 ms, 2 % loss".</summary>
    public override string ToString()
    {
        List<string> parts = [Format(RttMs, "ms")];
        if (JitterMs != 0)
        {
            parts.Add($"jitter up to {Format(JitterMs, "ms")}");
        }
        if (LossPercent != 0)
        {
            parts.Add(Format(LossPercent, "% loss"));
        }
        if (LossPercent != 0 && LossBurstPackets != 1)
        {
            parts.Add($"in bursts of {LossBurstPackets}");
        }
        if (RateMbit != 0)
        {
            parts.Add(Format(RateMbit, "Mbit/s"));
        }
        if (RateMbit != 0 && Queue != Bdp)
        {
            parts.Add($"queue {Queue}");
        }
        return string.Join(", ", parts);
    }

    static string Format(double number, string unit) => $"{number.ToString(CultureInfo.InvariantCulture)} {unit}";

    /// <summary>What a queue may be given as.</summary>
    public const string QueuePattern = @"^(([0-9]{1,2}(\.[0-9]{1,2})?)?bdp|[1-9][0-9]{0,6}kB)\z";
}
