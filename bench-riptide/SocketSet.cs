using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>Waits until any of many sockets has something, or for a time that is exact to some microseconds. Linux is
/// asked itself, by ppoll: Socket.Select allocates from 80 sockets on.</summary>
sealed class SocketSet
{
    // As ppoll has them.
    record struct Entry(int Socket, short Awaited, short Come);
    record struct Duration(long Seconds, long Nanoseconds);

    const short HasInput = 1;
    const short HasRoom = 4;
    const int SetTimerSlack = 29;

    readonly List<Socket?> sockets = [];
    readonly List<Entry> entries = [];
    int[] ready = [];
    bool awaitsRoom;

    /// <summary>Of these sockets, for the calling thread.</summary>
    public SocketSet(params Socket[] sockets)
    {
        if (OperatingSystem.IsLinux())
        {
            // The kernel lets a thread sleep 50 µs longer by default.
            _ = Control(SetTimerSlack, 1, 0, 0, 0);
        }
        Array.ForEach(sockets, socket => Add(socket));
    }

    /// <summary>Adds a socket, and returns its place: one that is empty, or the next one.</summary>
    public int Add(Socket socket)
    {
        int place = sockets.IndexOf(null);
        if (place < 0)
        {
            place = sockets.Count;
            sockets.Add(null);
            entries.Add(default);
            Array.Resize(ref ready, entries.Capacity);
        }
        sockets[place] = socket;
        entries[place] = new Entry((int)socket.Handle, HasInput, 0);
        return place;
    }

    /// <summary>Takes a socket out that is closed next; its place is empty then.</summary>
    public void Remove(int place)
    {
        sockets[place] = null;
        // Of such a socket ppoll takes no notice.
        entries[place] = new Entry(-1, 0, 0);
    }

    /// <summary>Waits so long at most, and returns the places of the sockets that have something. Where a stream is
    /// full it waits for room to send, too.</summary>
    public ReadOnlySpan<int> Wait(int microseconds, bool isFull = false)
    {
        if (!OperatingSystem.IsLinux())
        {
            return Select(microseconds, isFull);
        }
        short awaited = isFull ? (short)(HasInput | HasRoom) : HasInput;
        Span<Entry> all = CollectionsMarshal.AsSpan(entries);
        if (isFull != awaitsRoom)
        {
            awaitsRoom = isFull;
            foreach (ref Entry entry in all)
            {
                entry.Awaited = awaited;
            }
        }
        int left = Poll(ref all[0], (ulong)all.Length, new Duration(0, microseconds * 1_000L), 0);
        if (left <= 0 && microseconds == 0)
        {
            // Who looks again at once lets others have its CPU: the other side may be waiting for it.
            Thread.Yield();
        }
        int count = 0;
        for (int place = 0; left > 0; place++)
        {
            if (all[place].Come != 0)
            {
                ready[count++] = place;
                left--;
            }
        }
        return ready.AsSpan(0, count);
    }

    ReadOnlySpan<int> Select(int microseconds, bool isFull)
    {
        List<Socket> read = [.. sockets.OfType<Socket>()];
        List<Socket> write = isFull ? [.. read] : [];
        Socket.Select(read, write, null, microseconds);
        ready = [.. read.Select(socket => sockets.IndexOf(socket))];
        return ready;
    }

    [DllImport("libc", EntryPoint = "ppoll")]
    static extern int Poll(ref Entry entries, ulong count, in Duration duration, nint signals);

    [DllImport("libc", EntryPoint = "prctl")]
    static extern int Control(int option, nint value, nint second, nint third, nint fourth);
}
