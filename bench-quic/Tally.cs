/// <summary>How the clients' messages ended and how long they took, as one thread counted them or all together. Calls
/// are counted as messages are. Times are in ticks of the Stopwatch.</summary>
sealed class Tally
{
    /// <summary>Messages by when they were due; each ends in exactly one way:
    /// Sent = Received + ReceivedLate + Lost + Corrupt + Failed + TimedOut + Unanswered.</summary>
    public long Sent;
    /// <summary>Answered on the same side of the window's edges as it was due.</summary>
    public long Received;
    /// <summary>Answered on the other side.</summary>
    public long ReceivedLate;
    /// <summary>Given up.</summary>
    public long Lost;
    /// <summary>Came back changed; of calls, returned a wrong result.</summary>
    public long Corrupt;
    /// <summary>Calls that the library says have failed.</summary>
    public long Failed;
    /// <summary>Calls that did not return in time.</summary>
    public long TimedOut;
    /// <summary>Still in flight when this was summed up.</summary>
    public long Unanswered;
    /// <summary>Due at a given rate, but too many were in flight.</summary>
    public long NotSent;

    /// <summary>Answers by when they arrived.</summary>
    public long Completed;
    /// <summary>Their bytes.</summary>
    public long Bytes;
    /// <summary>Answers to messages that had been given up.</summary>
    public long LateArrivals;
    /// <summary>Answers to messages that had been answered.</summary>
    public long Duplicates;
    /// <summary>Arrivals that are no message of this connection.</summary>
    public long Foreign;

    /// <summary>In rooms what should come to clients: of a broadcast by when the messages were due, of a game the
    /// snapshots of the ticks that were made.</summary>
    public long DeliveriesDue;
    /// <summary>Of these, what came whole.</summary>
    public long Deliveries;
    /// <summary>Of these, what did not come.</summary>
    public long DeliveriesMissing;
    /// <summary>Came changed.</summary>
    public long DeliveriesCorrupt;
    /// <summary>Came once more.</summary>
    public long DeliveriesRepeated;
    /// <summary>Came behind a later one of the same sender; these are in Deliveries.</summary>
    public long DeliveriesDisordered;
    /// <summary>Of a game, snapshots that came within one tick of their turn.</summary>
    public long DeliveriesInTime;
    /// <summary>Clients that left in order to join again.</summary>
    public long Leaves;
    /// <summary>Connections of stalled clients that ended.</summary>
    public long ConnectionsLost;
    /// <summary>Of a game, inputs that a snapshot tells as the last applied.</summary>
    public long InputWaits;
    /// <summary>How long these had been at the server then, in nanoseconds.</summary>
    public long InputWaitNs;

    /// <summary>The integral over the window of the messages in flight; none outside it.</summary>
    public long InFlightTicks;
    /// <summary>The integral over the window of the slots that are not in flight; none outside it.</summary>
    public long IdleTicks;
    /// <summary>The longest time between two passes of a thread that paces or polls.</summary>
    public long PauseTicks;

    /// <summary>From when a message was due until its answer was there, of those that were received.</summary>
    public readonly Histogram RoundTrips = new();
    /// <summary>At a given rate, from when a message was due until it was sent.</summary>
    public readonly Histogram SendLags = new();
    /// <summary>Of a broadcast, from when a message was due until one client had it.</summary>
    public readonly Histogram DeliveryDelays = new();
    /// <summary>Of a broadcast, from the first client that had a message to the last.</summary>
    public readonly Histogram Spreads = new();
    /// <summary>Of a game, how much the time between two snapshots differed from the plan.</summary>
    public readonly Histogram Jitters = new();
    /// <summary>From when a client left until it had joined again.</summary>
    public readonly Histogram JoinTimes = new();

    /// <summary>True where each message that was sent is counted once.</summary>
    public bool AddsUp => Sent == Received + ReceivedLate + Lost + Corrupt + Failed + TimedOut + Unanswered;

    /// <summary>Adds another's.</summary>
    public void Merge(Tally other)
    {
        Sent += other.Sent;
        Received += other.Received;
        ReceivedLate += other.ReceivedLate;
        Lost += other.Lost;
        Corrupt += other.Corrupt;
        Failed += other.Failed;
        TimedOut += other.TimedOut;
        Unanswered += other.Unanswered;
        NotSent += other.NotSent;
        Completed += other.Completed;
        Bytes += other.Bytes;
        LateArrivals += other.LateArrivals;
        Duplicates += other.Duplicates;
        Foreign += other.Foreign;
        DeliveriesDue += other.DeliveriesDue;
        Deliveries += other.Deliveries;
        DeliveriesMissing += other.DeliveriesMissing;
        DeliveriesCorrupt += other.DeliveriesCorrupt;
        DeliveriesRepeated += other.DeliveriesRepeated;
        DeliveriesDisordered += other.DeliveriesDisordered;
        DeliveriesInTime += other.DeliveriesInTime;
        Leaves += other.Leaves;
        ConnectionsLost += other.ConnectionsLost;
        InputWaits += other.InputWaits;
        InputWaitNs += other.InputWaitNs;
        InFlightTicks += other.InFlightTicks;
        IdleTicks += other.IdleTicks;
        PauseTicks = Math.Max(PauseTicks, other.PauseTicks);
        RoundTrips.Merge(other.RoundTrips);
        SendLags.Merge(other.SendLags);
        DeliveryDelays.Merge(other.DeliveryDelays);
        Spreads.Merge(other.Spreads);
        Jitters.Merge(other.Jitters);
        JoinTimes.Merge(other.JoinTimes);
    }

    /// <summary>Forgets all that it counted.</summary>
    public void Clear()
    {
        Sent = 0;
        Received = 0;
        ReceivedLate = 0;
        Lost = 0;
        Corrupt = 0;
        Failed = 0;
        TimedOut = 0;
        Unanswered = 0;
        NotSent = 0;
        Completed = 0;
        Bytes = 0;
        LateArrivals = 0;
        Duplicates = 0;
        Foreign = 0;
        DeliveriesDue = 0;
        Deliveries = 0;
        DeliveriesMissing = 0;
        DeliveriesCorrupt = 0;
        DeliveriesRepeated = 0;
        DeliveriesDisordered = 0;
        DeliveriesInTime = 0;
        Leaves = 0;
        ConnectionsLost = 0;
        InputWaits = 0;
        InputWaitNs = 0;
        InFlightTicks = 0;
        IdleTicks = 0;
        PauseTicks = 0;
        RoundTrips.Clear();
        SendLags.Clear();
        DeliveryDelays.Clear();
        Spreads.Clear();
        Jitters.Clear();
        JoinTimes.Clear();
    }
}
