using System.Diagnostics;

/// <summary>Paces a loop that polls: so many passes a second, or as many as there are.</summary>
sealed class Ticker(int ticksASecond)
{
    long nextAt;

    /// <summary>Sleeps until the next tick; at 0 ticks a second not at all. A late tick does not hasten
    /// others.</summary>
    public void Wait()
    {
        if (ticksASecond == 0)
        {
            return;
        }
        long now = Stopwatch.GetTimestamp();
        nextAt = Math.Max(nextAt + Stopwatch.Frequency / ticksASecond, now);
        Thread.Sleep(Stopwatch.GetElapsedTime(now, nextAt));
    }
}
