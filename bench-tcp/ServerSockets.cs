using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>Waits until any socket of a server has something: as SocketSet, but sockets come and go. The place of one
/// that has gone is given to the next.</summary>
sealed class ServerSockets
{
    // As poll and ppoll have them.
    record struct Entry(int Socket, short Awaited, short Come);
    record struct Duration(long Seconds, long Nanoseconds);

    const int AddSocket = 1;
    const int HasInput = 1;
    const int MostReady = 512;
    const int Forever = -1;

    // An event of epoll: what is awaited and, at its end, a number of 64 bits.
    static readonly int eventInts = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 3 : 4;

    readonly int epoll = OperatingSystem.IsLinux() ? Create(0) : -1;
    readonly int[] events = new int[MostReady * eventInts];
    readonly Entry[] all;
    readonly List<Socket?> sockets = [];
    readonly Stack<int> free = [];
    readonly List<int> ready = [];

    public ServerSockets() => all = [new Entry(epoll, HasInput, 0)];

    /// <summary>Takes a socket, and returns its place.</summary>
    public int Add(Socket socket)
    {
        if (!free.TryPop(out int place))
        {
            place = sockets.Count;
            sockets.Add(null);
        }
        sockets[place] = socket;
        var what = new int[eventInts];
        what[0] = HasInput;
        what[^2] = place;
        if (epoll >= 0 && Change(epoll, AddSocket, (int)socket.Handle, what) != 0)
        {
            throw new Failure($"epoll fails: {Marshal.GetLastPInvokeErrorMessage()}.");
        }
        return place;
    }

    /// <summary>Gives a socket's place away. The system forgets a socket by itself when it is closed.</summary>
    public void Remove(int place)
    {
        sockets[place] = null;
        free.Push(place);
    }

    /// <summary>Waits so long at most, int.MaxValue: for ever, and returns the places of those that have something.
    /// </summary>
    public ReadOnlySpan<int> Wait(int microseconds)
    {
        ready.Clear();
        if (epoll < 0)
        {
            Select(microseconds);
        }
        else
        {
            WaitByEpoll(microseconds);
        }
        return CollectionsMarshal.AsSpan(ready);
    }

    // Only ppoll waits for a time that is exact to some microseconds.
    void WaitByEpoll(int microseconds)
    {
        bool isForever = microseconds == int.MaxValue;
        var duration = new Duration(microseconds / 1_000_000, microseconds % 1_000_000 * 1_000L);
        if (!isForever && microseconds > 0 && Poll(all, 1, duration, 0) <= 0)
        {
            return;
        }
        int count = TakeEvents(epoll, events, MostReady, isForever ? Forever : 0);
        for (int place = 0; place < count; place++)
        {
            ready.Add(events[(place + 1) * eventInts - 2]);
        }
    }

    void Select(int microseconds)
    {
        List<Socket> read = [.. sockets.OfType<Socket>()];
        Socket.Select(read, null, null, microseconds);
        ready.AddRange(read.Select(socket => sockets.IndexOf(socket)));
    }

    [DllImport("libc", EntryPoint = "epoll_create1")]
    static extern int Create(int flags);

    [DllImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    static extern int Change(int epoll, int change, int socket, int[] what);

    [DllImport("libc", EntryPoint = "epoll_wait")]
    static extern int TakeEvents(int epoll, [Out] int[] events, int most, int milliseconds);

    [DllImport("libc", EntryPoint = "ppoll")]
    static extern int Poll([In, Out] Entry[] entries, ulong count, in Duration duration, nint signals);
}
