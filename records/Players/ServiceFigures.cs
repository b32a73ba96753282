/// <summary>The figures of a launch's window that an SLO is held against.</summary>
/// <param name="settings">Those of its launch.</param>
/// <param name="windows">Those of all its sides.</param>
sealed class ServiceFigures(LaunchSettings settings, IReadOnlyList<SliceRecord> windows)
{
    readonly OutcomesPart[] ofClients = [.. windows.Select(window => window.Outcomes).OfType<OutcomesPart>()];

    /// <summary>What a broadcast's delays are of: each delivery; else each message's answer, of a game the first
    /// snapshot that tells of an input.</summary>
    public Histogram Delays => new(ofClients.SelectMany(one => IsOfDeliveries ? one.DeliveryNs : one.RttNs));

    /// <summary>Deliveries per second that came to clients; of a game snapshots.</summary>
    public double DeliveriesASecond => windows
        .Where(window => window.Outcomes != null && window.ElapsedNs > 0)
        .Sum(window => 1e9 * window.Outcomes!.Deliveries / window.ElapsedNs);

    /// <summary>Of what was due the part that did not come as it should: of deliveries or, but for a broadcast, of
    /// messages and their answers, whichever is more; null where nothing was due.</summary>
    public double? LossPercent
    {
        get
        {
            double notSent = Sum(one => one.NotSent);
            double due = windows.Where(window => !window.IsOfServer).Sum(window => (double)window.Sent) + notSent;
            // Of a broadcast a message is lost if one of the room does not get it, which says little of large rooms.
            double unanswered = notSent + (IsOfDeliveries ? 0 : Sum(one => one.WithoutAnswer));
            double deliveriesDue = Sum(one => one.DeliveriesDue);
            double undelivered = Sum(one => one.DeliveriesDue - one.Deliveries);
            if (due == 0)
            {
                return null;
            }
            return 100 * Math.Max(unanswered / due, deliveriesDue > 0 ? undelivered / deliveriesDue : 0);
        }
    }

    /// <summary>Of the ticks due of a game's server those that it made late or not at all; null: it has none.</summary>
    public double? LateTicksPercent
    {
        get
        {
            double late = windows.Sum(window => (double)window.TicksLate + window.TicksMissed);
            double due = windows.Sum(window => (double)window.Ticks + window.TicksMissed);
            return due > 0 ? 100 * late / due : null;
        }
    }

    /// <summary>How late the clients themselves sent, by the 99th percentile; null: in a closed loop, or of too few.
    /// </summary>
    public double? SendLagP99Ns => new Histogram(ofClients.SelectMany(one => one.SendLagNs)).Quantile(0.99m);

    /// <summary>Part of why they do not keep to an SLO, where the clients were late themselves.</summary>
    public const string SentLate = "with messages sent up to";

    /// <summary>Why they do not keep to an SLO; null: they do.</summary>
    public string? Missed(Slo slo)
    {
        Histogram delays = Delays;
        // Another launch confirms it, so that few times beyond a percentile will do.
        string? missed = slo.Missed(
            quantile => delays.Quantile(quantile, leastBeyond: 1), LossPercent, LateTicksPercent);
        // It may be the clients that keep a server from serving more.
        return missed != null && SendLagP99Ns is { } lagNs && lagNs > settings.MostSendLagNs
            ? $"{missed}, {SentLate} {Text.Duration(lagNs)} late"
            : missed;
    }

    bool IsOfDeliveries => Works.Of(settings.Work).DelaysAreOfDeliveries;

    double Sum(Func<OutcomesPart, long> count) => ofClients.Sum(one => (double)count(one));
}
