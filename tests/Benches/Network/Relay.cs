using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>A network between clients and their server on loopback, for UDP and TCP on one port. A thread for each
/// socket receives and notes when; one thread sends all that is due. Where the system lets them (Linux, as root) these
/// threads go before all others, so that a busy machine leaves delays as they are.</summary>
sealed class Relay : IDisposable
{
    const int ReceiveBytes = 1 << 16;
    const int SocketBufferBytes = 1 << 20;
    const int FirstInFirstOut = 1; // SCHED_FIFO
    const int Priority = 10;
    // So that no delay above it waits for the look at the queue.
    const double MostSleepMs = 0.2;

    // One direction of one connection.
    sealed class Flow(Way way, Action<byte[]> send)
    {
        public readonly Way Way = way;
        public readonly Action<byte[]> Send = send;
        public long Arrived;
        public long LastDueAt;
        public long NewestSent;
    }

    sealed record Parcel(Flow Flow, byte[] Bytes, long Number);

    readonly Socket datagrams;
    readonly Socket listener;
    readonly EndPoint server;
    readonly Dictionary<EndPoint, (Socket Back, Flow Up)> clients = [];
    readonly List<Socket> sockets = [];
    readonly PriorityQueue<Parcel, (long DueAt, long Number)> parcels = new();
    readonly Lock gate = new();
    long number;
    long nextDueAt = long.MaxValue;
    volatile bool isClosed;

    /// <summary>Starts it before a server; the directions draw from the same seed, each by itself.</summary>
    public Relay(string serverPort, Line up, Line down, int seed = 1)
    {
        server = new IPEndPoint(IPAddress.Loopback, int.Parse(serverPort));
        Up = new Way(up, seed);
        Down = new Way(down, seed + 1);
        (datagrams, listener) = Listening();
        Start(ReceiveFromClients);
        Start(Accept);
        Start(Deliver);
    }

    public string Port => $"{((IPEndPoint)datagrams.LocalEndPoint!).Port}";

    /// <summary>Towards the server, and towards the clients.</summary>
    public Way Up { get; }
    public Way Down { get; }

    public void Dispose()
    {
        isClosed = true;
        lock (gate)
        {
            sockets.ForEach(socket => socket.Dispose());
        }
    }

    // A port that is free in both.
    (Socket, Socket) Listening()
    {
        while (true)
        {
            var udp = Bound(SocketType.Dgram, 0);
            try
            {
                var tcp = Bound(SocketType.Stream, ((IPEndPoint)udp.LocalEndPoint!).Port);
                tcp.Listen();
                return (udp, tcp);
            }
            catch (SocketException)
            {
                // Free in UDP alone: the next one.
            }
        }
    }

    void ReceiveFromClients()
    {
        var buffer = new byte[ReceiveBytes];
        EndPoint client = new IPEndPoint(IPAddress.Loopback, 0);
        while (true)
        {
            var length = datagrams.ReceiveFrom(buffer, ref client);
            var arrivedAt = Stopwatch.GetTimestamp();
            if (!clients.TryGetValue(client, out var known))
            {
                known = Meet(client);
                clients[client] = known;
            }
            TakeDatagram(known.Up, buffer.AsSpan(0, length), arrivedAt);
        }
    }

    // A socket towards the server for each client, so that answers find their way.
    (Socket, Flow) Meet(EndPoint client)
    {
        var back = Bound(SocketType.Dgram, 0);
        back.Connect(server);
        var down = new Flow(Down, bytes => datagrams.SendTo(bytes, client));
        Start(() =>
        {
            var buffer = new byte[ReceiveBytes];
            while (true)
            {
                var length = back.Receive(buffer);
                TakeDatagram(down, buffer.AsSpan(0, length), Stopwatch.GetTimestamp());
            }
        });
        return (back, new Flow(Up, bytes => back.Send(bytes)));
    }

    void Accept()
    {
        while (true)
        {
            var client = Known(listener.Accept());
            var back = Known(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
            back.Connect(server);
            client.NoDelay = true;
            back.NoDelay = true;
            Pump(client, back, Up);
            Pump(back, client, Down);
        }
    }

    void Pump(Socket from, Socket to, Way way)
    {
        var flow = new Flow(way, bytes =>
        {
            if (bytes.Length == 0)
            {
                to.Shutdown(SocketShutdown.Send);
            }
            else
            {
                to.Send(bytes);
            }
        });
        Start(() =>
        {
            var buffer = new byte[ReceiveBytes];
            int length;
            do
            {
                length = from.Receive(buffer);
                lock (gate)
                {
                    Add(flow, buffer[..length], Stopwatch.GetTimestamp(), 0, inOrder: true);
                }
            }
            while (length > 0);
        });
    }

    void TakeDatagram(Flow flow, Span<byte> datagram, long arrivedAt)
    {
        lock (gate)
        {
            var fate = flow.Way.Decide(datagram);
            if (fate == Way.Fate.Drop)
            {
                return;
            }
            var bytes = datagram.ToArray();
            Add(flow, bytes, arrivedAt, flow.Way.MoreMs(fate), inOrder: false);
            if (fate == Way.Fate.Repeat)
            {
                Add(flow, bytes, arrivedAt, 0, inOrder: false);
            }
        }
    }

    void Add(Flow flow, byte[] bytes, long arrivedAt, double moreMs, bool inOrder)
    {
        var delayMs = flow.Way.NextDelayMs() + moreMs;
        var dueAt = arrivedAt + (long)(delayMs * Stopwatch.Frequency / 1000);
        if (inOrder)
        {
            dueAt = Math.Max(dueAt, flow.LastDueAt);
            flow.LastDueAt = dueAt;
        }
        flow.Arrived++;
        parcels.Enqueue(new Parcel(flow, bytes, flow.Arrived), (dueAt, number));
        number++;
        if (dueAt < nextDueAt)
        {
            Volatile.Write(ref nextDueAt, dueAt);
        }
    }

    void Deliver()
    {
        while (!isClosed)
        {
            var left = Volatile.Read(ref nextDueAt) - Stopwatch.GetTimestamp();
            if (left > 0)
            {
                SleepMs(Math.Min(1000.0 * left / Stopwatch.Frequency, MostSleepMs));
            }
            else
            {
                SendNext();
            }
        }
    }

    // .NET sleeps for whole milliseconds, the system for nanoseconds.
    static void SleepMs(double milliseconds)
    {
        var time = new Time { Nanoseconds = (nint)(milliseconds * 1e6) };
        if (OperatingSystem.IsWindows())
        {
            Thread.Yield();
        }
        else
        {
            _ = Sleep(time, 0);
        }
    }

    void SendNext()
    {
        Parcel parcel;
        lock (gate)
        {
            parcel = parcels.Dequeue();
            nextDueAt = parcels.TryPeek(out _, out var next) ? next.DueAt : long.MaxValue;
            if (parcel.Number < parcel.Flow.NewestSent)
            {
                parcel.Flow.Way.Overtaken++;
            }
            else
            {
                parcel.Flow.NewestSent = parcel.Number;
            }
        }
        try
        {
            parcel.Flow.Send(parcel.Bytes);
        }
        catch (Exception fault) when (fault is SocketException or ObjectDisposedException)
        {
            // That side has gone; what is on its way to it is for nobody.
        }
    }

    Socket Bound(SocketType type, int port)
    {
        var socket = Known(new Socket(AddressFamily.InterNetwork, type, ProtocolType.Unspecified)
        {
            ReceiveBufferSize = SocketBufferBytes,
            SendBufferSize = SocketBufferBytes,
        });
        socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
        return socket;
    }

    Socket Known(Socket socket)
    {
        lock (gate)
        {
            sockets.Add(socket);
        }
        return socket;
    }

    static void Start(Action work)
    {
        var thread = new Thread(() =>
        {
            if (OperatingSystem.IsLinux())
            {
                _ = Schedule(0, FirstInFirstOut, Priority);
            }
            try
            {
                work();
            }
            catch (Exception fault) when (fault is SocketException or ObjectDisposedException)
            {
                // A side has gone, or Dispose closed the socket.
            }
        });
        thread.IsBackground = true;
        thread.Start();
    }

    [StructLayout(LayoutKind.Sequential)]
    struct Time
    {
        public nint Seconds;
        public nint Nanoseconds;
    }

    [DllImport("libc", EntryPoint = "nanosleep")]
    static extern int Sleep(in Time time, nint left);

    [DllImport("libc", EntryPoint = "sched_setscheduler")]
    static extern int Schedule(int thread, int policy, in int priority);
}
