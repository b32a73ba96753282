using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>Waits until any of many sockets has something, or for a time that is exact to some microseconds. Linux is
/// asked itself, by epoll: what Socket.Select takes grows with the sockets, and it allocates from 80 of them
/// on.</summary>
sealed class SocketSet
{
    // As poll and ppoll have them.
    record struct Entry(int Socket, short Awaited, short Come);
    record struct Duration(long Seconds, long Nanoseconds);

    const int AddOne = 1;
    const int Modify = 3;
    const int HasInput = 1;
    const int HasRoom = 4;
    const int SetTimerSlack = 29;
    const int MostReady = 512;

    // An event of epoll: what is awaited and, at its end, a number of 64 bits.
    static readonly int eventInts = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 3 : 4;

    readonly List<Socket?> sockets = [];
    readonly int epoll = -1;
    readonly int[] events = new int[MostReady * eventInts];
    readonly Entry[] all = [];
    int[] ready = new int[MostReady];
    bool awaitsRoom;

    /// <summary>Of these sockets, for the calling thread.</summary>
    public SocketSet(params Socket[] sockets)
    {
        if (OperatingSystem.IsLinux())
        {
            // The kernel lets a thread sleep 50 µs longer by default.
            _ = Control(SetTimerSlack, 1, 0, 0, 0);
            epoll = Create(0);
            all = [new Entry(epoll, HasInput, 0)];
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
        if (Poll(all, 1, new Duration(0, microseconds * 1_000L), 0) <= 0)
        {
            if (microseconds == 0)
            {
                // Who looks again at once lets others have its CPU: the other side may be waiting for it.
                Thread.Yield();
            }
            return [];
        }
        int count = TakeEvents(epoll, events, MostReady, 0);
        for (int place = 0; place < count; place++)
        {
            ready[place] = events[(place + 1) * eventInts - 2];
        }
        return ready.AsSpan(0, count);
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

    [DllImport("libc", EntryPoint = "ppoll")]
    static extern int Poll([In, Out] Entry[] entries, ulong count, in Duration duration, nint signals);

    [DllImport("libc", EntryPoint = "prctl")]
    static extern int Control(int option, nint value, nint second, nint third, nint fourth);
}
