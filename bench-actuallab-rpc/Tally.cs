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
        InFlightTicks += other.InFlightTicks;
        IdleTicks += other.IdleTicks;
        PauseTicks = Math.Max(PauseTicks, other.PauseTicks);
        RoundTrips.Merge(other.RoundTrips);
        SendLags.Merge(other.SendLags);
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
        InFlightTicks = 0;
        IdleTicks = 0;
        PauseTicks = 0;
        RoundTrips.Clear();
        SendLags.Clear();
    }
}
