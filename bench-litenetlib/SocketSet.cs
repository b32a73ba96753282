using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>Waits until any of many sockets has something, or for a time that is exact to some microseconds. Linux is
/// asked itself, by epoll: what Socket.Select takes grows with the sockets, and it allocates from 80 of them
/// on.</summary>
sealed class SocketSet
{
    record struct Duration(long Seconds, long Nanoseconds);

    const int AddOne = 1;
    const int Modify = 3;
    const int HasInput = 1;
    const int HasRoom = 4;
    const int SetTimerSlack = 29;
    // Not in every libc whose kernel has it.
    const int EpollPwait2 = 441;
    const int Interrupted = 4;
    const int MostReady = 512;

    // An event of epoll: what is awaited and, at its end, a number of 64 bits.
    static readonly int eventInts = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 3 : 4;

    readonly List<Socket?> sockets = [];
    readonly int epoll = -1;
    readonly int[] events = new int[MostReady * eventInts];
    int[] ready = new int[MostReady];
    bool awaitsRoom;
    // Until a kernel below 5.11 says that it knows whole milliseconds alone.
    bool isExact = true;

    /// <summary>Of these sockets, for the calling thread.</summary>
    public SocketSet(params Socket[] sockets)
    {
        if (OperatingSystem.IsLinux())
        {
            // The kernel lets a thread sleep 50 µs longer by default.
            _ = Control(SetTimerSlack, 1, 0, 0, 0);
            epoll = Create(0);
        }
        Array.ForEach(sockets, Add);
    }

    /// <summary>Adds a socket, whose place is the next one.</summary>
    public void Add(Socket socket)
    {
        sockets.Add(socket);
        if (epoll >= 0)
        {
            Await(AddOne, sockets.Count - 1, HasInput);
        }
    }

    /// <summary>Takes a socket out that is closed next; its place stays empty.</summary>
    public void Remove(int place) => sockets[place] = null;

    /// <summary>Waits so long at most, and returns the places of the sockets that have something. Where a stream is
    /// full it waits for room to send, too.</summary>
    public ReadOnlySpan<int> Wait(int microseconds, bool isFull = false)
    {
        if (epoll < 0)
        {
            return Select(microseconds, isFull);
        }
        if (isFull != awaitsRoom)
        {
            awaitsRoom = isFull;
            for (int place = 0; place < sockets.Count; place++)
            {
                Await(Modify, place, isFull ? HasInput | HasRoom : HasInput);
            }
        }
        int count = isExact
            ? (int)Call(EpollPwait2, epoll, events, MostReady, new Duration(0, microseconds * 1_000L), 0, 0)
            : TakeEvents(epoll, events, MostReady, (microseconds + 999) / 1_000);
        isExact &= count >= 0 || Marshal.GetLastPInvokeError() == Interrupted;
        if (count <= 0 && microseconds == 0)
        {
            // Who looks again at once lets others have its CPU: the other side may be waiting for it.
            Thread.Yield();
        }
        for (int place = 0; place < count; place++)
        {
            ready[place] = events[(place + 1) * eventInts - 2];
        }
        return ready.AsSpan(0, Math.Max(0, count));
    }

    void Await(int change, int place, int awaited)
    {
        var what = new int[eventInts];
        what[0] = awaited;
        what[^2] = place;
        if (sockets[place] is { } socket && Change(epoll, change, (int)socket.Handle, what) != 0)
        {
            throw new Failure($"epoll fails: {Marshal.GetLastPInvokeErrorMessage()}.");
        }
    }

    ReadOnlySpan<int> Select(int microseconds, bool isFull)
    {
        List<Socket> read = [.. sockets.OfType<Socket>()];
        List<Socket> write = isFull ? [.. read] : [];
        Socket.Select(read, write, null, microseconds);
        ready = [.. read.Select(socket => sockets.IndexOf(socket))];
        return ready;
    }

    [DllImport("libc", EntryPoint = "epoll_create1")]
    static extern int Create(int flags);

    [DllImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    static extern int Change(int epoll, int change, int socket, int[] what);

    [DllImport("libc", EntryPoint = "epoll_wait")]
    static extern int TakeEvents(int epoll, [Out] int[] events, int most, int milliseconds);

    [DllImport("libc", EntryPoint = "syscall", SetLastError = true)]
    static extern nint Call(
        nint number, nint epoll, [Out] int[] events, nint most, in Duration duration, nint signals, nint signalBytes);

    [DllImport("libc", EntryPoint = "prctl")]
    static extern int Control(int option, nint value, nint second, nint third, nint fourth);
}
