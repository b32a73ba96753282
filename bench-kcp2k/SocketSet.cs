using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>Waits until any of many sockets has something, or for a time that is exact to some microseconds. Linux is
/// asked itself, by epoll: what Socket.Select takes grows with the sockets, and it allocates from 80 of them on.</summary>
sealed class SocketSet
{
    // As poll and ppoll have them.
    record struct Entry(int Socket, short Awaited, short Come);
    record struct Duration(long Seconds, long Nanoseconds);

    const int Add = 1;
    const int Modify = 3;
    const int HasInput = 1;
    const int HasRoom = 4;
    const int SetTimerSlack = 29;
    const int MostReady = 512;

    // An event of epoll: what is awaited and, at its end, a number of 64 bits.
    static readonly int eventInts = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 3 : 4;

    readonly Socket[] sockets;
    readonly int epoll = -1;
    readonly int[] events = new int[MostReady * eventInts];
    readonly Entry[] all = [];
    readonly int[] ready;
    bool awaitsRoom;

    /// <summary>Of these sockets, for the calling thread.</summary>
    public SocketSet(Socket[] sockets)
    {
        this.sockets = sockets;
        ready = new int[Math.Max(MostReady, sockets.Length)];
        if (!OperatingSystem.IsLinux())
        {
            return;
        }
        // The kernel lets a thread sleep 50 µs longer by default.
        _ = Control(SetTimerSlack, 1, 0, 0, 0);
        epoll = Create(0);
        all = [new Entry(epoll, HasInput, 0)];
        Await(Add, HasInput);
    }

    /// <summary>Waits so long at most, and returns the places of the sockets that have something. Where a stream is full
    /// it waits for room to send, too.</summary>
    public ReadOnlySpan<int> Wait(int microseconds, bool isFull = false)
    {
        if (epoll < 0)
        {
            return Select(microseconds, isFull);
        }
        if (isFull != awaitsRoom)
        {
            awaitsRoom = isFull;
            Await(Modify, isFull ? HasInput | HasRoom : HasInput);
        }
        if (Poll(all, 1, new Duration(0, microseconds * 1_000L), 0) <= 0)
        {
            return [];
        }
        int count = TakeEvents(epoll, events, MostReady, 0);
        for (int place = 0; place < count; place++)
        {
            ready[place] = events[(place + 1) * eventInts - 2];
        }
        return ready.AsSpan(0, count);
    }

    void Await(int change, int awaited)
    {
        var what = new int[eventInts];
        what[0] = awaited;
        for (int index = 0; index < sockets.Length; index++)
        {
            what[^2] = index;
            if (Change(epoll, change, (int)sockets[index].Handle, what) != 0)
            {
                throw new Failure($"epoll fails: {Marshal.GetLastPInvokeErrorMessage()}.");
            }
        }
    }

    ReadOnlySpan<int> Select(int microseconds, bool isFull)
    {
        var read = new List<Socket>(sockets);
        var write = new List<Socket>(isFull ? sockets : []);
        Socket.Select(read, write, null, microseconds);
        int count = 0;
        foreach (Socket socket in read)
        {
            ready[count] = Array.IndexOf(sockets, socket);
            count++;
        }
        return ready.AsSpan(0, count);
    }

    [DllImport("libc", EntryPoint = "epoll_create1")]
    static extern int Create(int flags);

    [DllImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    static extern int Change(int epoll, int change, int socket, int[] what);

    [DllImport("libc", EntryPoint = "epoll_wait")]
    static extern int TakeEvents(int epoll, [Out] int[] events, int most, int milliseconds);

    [DllImport("libc", EntryPoint = "ppoll")]
    static extern int Poll([In, Out] Entry[] entries, ulong count, in Duration duration, nint signals);

    [DllImport("libc", EntryPoint = "prctl")]
    static extern int Control(int option, nint value, nint second, nint third, nint fourth);
}
