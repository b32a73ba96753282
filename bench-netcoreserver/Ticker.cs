using System.Diagnostics;

/// <summary>Keeps a polling loop to --tick-hz passes a second; 0: never waits.</summary>
sealed class Ticker(int hz)
{
    long nextAt;

    /// <summary>Sleeps until the next tick; a late tick does not hasten the ones after it.</summary>
    public void Wait()
    {
        if (hz == 0) return;
        var now = Stopwatch.GetTimestamp();
        nextAt = Math.Max(nextAt + Stopwatch.Frequency / hz, now);
        Thread.Sleep(TimeSpan.FromSeconds(Stats.Seconds(nextAt - now)));
    }
}
