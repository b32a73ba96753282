using System.Diagnostics;

/// <summary>Paces a loop that polls: so many passes per second, or as many as there are.</summary>
sealed class Ticker(int ticksASecond)
{
    long nextAt;

    /// <summary>Sleeps until the next tick; at 0 ticks per second not at all. A late tick does not hasten others. The
    /// system sleeps whole milliseconds, so a tick may come up to 1 ms early; the next one makes up for it.</summary>
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
