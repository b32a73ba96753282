using System.Runtime.InteropServices;

/// <summary>The calls of Linux by which a link is made.</summary>
static unsafe partial class Libc
{
    /// <summary>A network namespace of its own, for the thread that calls.</summary>
    public const int NewNet = 0x40000000;
    /// <summary>Opens a file to be read and written.</summary>
    public const int ReadWrite = 2;
    /// <summary>Opens a file of which nobody waits for what is not there yet.</summary>
    public const int NonBlocking = 0x800;
    /// <summary>Something is there to be read.</summary>
    public const int PollIn = 1;
    /// <summary>Attaches a device to an open file; its name and kind follow.</summary>
    public const nuint TunSetIff = 0x400454ca;
    /// <summary>The kind: IP packets without a head before them.</summary>
    public const short TunWithoutHead = 0x1001;
    /// <summary>How late the kernel may wake this thread, in ns.</summary>
    public const int SetTimerSlack = 29;
    /// <summary>A scheduling class that goes before all usual ones.</summary>
    public const int RoundRobin = 2;

    public struct Poll
    {
        public int File;
        public short Asked;
        public short Came;
    }

    public struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }

    [LibraryImport("libc", EntryPoint = "unshare", SetLastError = true)]
    public static partial int Unshare(int flags);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    public static partial int Control(int file, nuint request, byte* argument);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true), SuppressGCTransition]
    public static partial nint Read(int file, byte* into, nint bytes);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true), SuppressGCTransition]
    public static partial nint Write(int file, byte* from, nint bytes);

    [LibraryImport("libc", EntryPoint = "ppoll", SetLastError = true)]
    public static partial int Wait(Poll* files, nuint count, Time* most, void* signals);

    [LibraryImport("libc", EntryPoint = "prctl", SetLastError = true)]
    public static partial int ProcessControl(int what, nuint value);

    [LibraryImport("libc", EntryPoint = "sched_setscheduler", SetLastError = true)]
    public static partial int SetScheduler(int thread, int policy, ref int priority);

    /// <summary>What the last call that failed says.</summary>
    public static string Fault => Marshal.GetLastPInvokeErrorMessage();
}
