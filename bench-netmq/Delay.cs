using System.Runtime.InteropServices;

/// <summary>Lets a thread sleep for less than the millisecond that Thread.Sleep can.</summary>
static class Delay
{
    record struct Duration(long Seconds, long Nanoseconds);

    const int SetTimerSlack = 29;

    [ThreadStatic] static bool isExact;

    /// <summary>Sleeps so long, to some microseconds; where the system is not Linux, whole milliseconds. For 0 it lets
    /// others have the CPU.</summary>
    public static void Sleep(int microseconds)
    {
        if (microseconds == 0)
        {
            Thread.Yield();
            return;
        }
        if (!OperatingSystem.IsLinux())
        {
            Thread.Sleep((microseconds + 999) / 1_000);
            return;
        }
        if (!isExact)
        {
            // The kernel lets a thread sleep 50 µs longer by default.
            _ = Control(SetTimerSlack, 1, 0, 0, 0);
            isExact = true;
        }
        _ = Sleep(new Duration(0, microseconds * 1_000L), 0);
    }

    [DllImport("libc", EntryPoint = "nanosleep")]
    static extern int Sleep(in Duration duration, nint left);

    [DllImport("libc", EntryPoint = "prctl")]
    static extern int Control(int option, nint value, nint second, nint third, nint fourth);
}
