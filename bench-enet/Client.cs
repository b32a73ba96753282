using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using ENet;

/// <summary>The clients. Each has a host of its own with one peer, because every client has a socket of its own. One
/// thread serves all hosts. It blocks until any of their sockets has something, because ENet's own wait knows of one
/// host alone. A round trip ends just after Service or CheckEvents hands the answer over. In a closed loop it starts
/// just before the message is written and queued; at a rate it starts when the message was due.</summary>
sealed class Client(Settings settings, Load load)
{
    // At most so many clients are connecting at a time, so that no request waits so long that ENet repeats it.
    const int MostConnecting = 100;

    // All hosts are serviced at least this often, because a host to which nothing comes may have to send again.
    const int CareMilliseconds = 5;
    const int MostCloseMilliseconds = 2_000;

    // A stream queues at most so many bytes of a client. ENet itself queues without bound, and has at most 64 KiB of a
    // peer unacknowledged, so that with four times as much it never runs out.
    const int MostQueuedBytes = 4 * 65_536;
    // Of messages longer than that there are two: one that ENet sends, and the next.
    const int LeastQueued = 2;

    // How many packets ENet has freed since CountFreed last looked. It frees a packet that has arrived or was given up,
    // in the call by which the host learns of it.
    [ThreadStatic] static int freed;

    readonly Exchange exchange = new(settings, load);
    readonly Host[] hosts = new Host[settings.Clients];
    readonly Peer[] peers = new Peer[settings.Clients];
    readonly PacketFlags flags = Library.Flags(settings);
    readonly bool isStream = settings.Work == Settings.Stream;
    readonly int mostQueued = Math.Max(LeastQueued, MostQueuedBytes / settings.PayloadBytes);
    // Of a stream: how many packets of each client ENet has not freed yet.
    readonly int[] queued = new int[settings.Clients];
    // Hosts with something to send.
    readonly Stack<int> pending = new();
    readonly bool[] isPending = new bool[settings.Clients];
    SocketSet sockets = null!;
    long caredAt;
    int opened;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        ENet.Library.Initialize();
        Address server = Library.AddressOf(settings);
        for (int index = 0; index < hosts.Length; index++)
        {
            hosts[index] = new Host();
            hosts[index].Create(null, 1, 1, 0, 0, Library.SocketBufferBytes);
            peers[index] = hosts[index].Connect(server, 1);
            var clock = Stopwatch.StartNew();
            while (opened < index + 1 - MostConnecting && clock.Elapsed.TotalSeconds < settings.PatienceSeconds)
            {
                Care(index + 1);
                Thread.Sleep(1);
            }
        }
        sockets = new SocketSet(Array.ConvertAll(hosts, Library.SocketOf));
    }

    /// <summary>Queues a message; it leaves in the next Poll.</summary>
    public unsafe void Begin(Due due)
    {
        int index = due.Index;
        Packet packet = Library.NewPacket(exchange.Write(due), flags);
        if (isStream)
        {
            packet.SetFreeCallback((nint)(delegate* unmanaged[Cdecl]<nint, void>)&OnFreed);
            queued[index]++;
        }
        peers[index].Send(0, ref packet);
        if (!isPending[index])
        {
            isPending[index] = true;
            pending.Push(index);
        }
    }

    /// <summary>Whether a client's peer may queue more of a stream.</summary>
    public bool HasRoom(int index) => queued[index] < mostQueued;

    /// <summary>Sends what is queued and takes what has come; where nothing has, waits for it, so long at
    /// most.</summary>
    public void Poll(int microseconds)
    {
        Flush();
        foreach (int index in sockets.Wait(microseconds))
        {
            TakeEvents(index);
        }
        Flush();
        if (Stopwatch.GetElapsedTime(caredAt).TotalMilliseconds >= CareMilliseconds)
        {
            Care(hosts.Length);
        }
    }

    /// <summary>Closes all connections; waits until the server has confirmed that, but not for long.</summary>
    public void Close()
    {
        for (int index = 0; index < hosts.Length; index++)
        {
            // What was sent before is delivered first.
            peers[index].DisconnectLater(0);
            hosts[index].Flush();
        }
        var clock = Stopwatch.StartNew();
        foreach (Host host in hosts)
        {
            while (clock.ElapsedMilliseconds < MostCloseMilliseconds && !IsEnded(host))
            {
            }
            host.Dispose();
        }
    }

    void Flush()
    {
        while (pending.TryPop(out int index))
        {
            isPending[index] = false;
            hosts[index].Flush();
            CountFreed(index);
        }
    }

    void Care(int created)
    {
        caredAt = Stopwatch.GetTimestamp();
        for (int index = 0; index < created; index++)
        {
            TakeEvents(index);
        }
    }

    void TakeEvents(int index)
    {
        if (hosts[index].Service(0, out Event taken) > 0)
        {
            do
            {
                Take(index, taken);
            }
            while (hosts[index].CheckEvents(out taken) > 0);
        }
        CountFreed(index);
    }

    unsafe void Take(int index, Event taken)
    {
        switch (taken.Type)
        {
            case EventType.Receive:
                Packet packet = taken.Packet;
                exchange.OnMessage(index, new ReadOnlySpan<byte>((void*)packet.Data, packet.Length));
                packet.Dispose();
                break;
            case EventType.Connect:
                opened++;
                load.OnOpen(index);
                break;
            default:
                throw new Failure("The server closed the connection or let it time out.");
        }
    }

    void CountFreed(int index)
    {
        queued[index] -= freed;
        freed = 0;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static void OnFreed(nint packet) => freed++;

    // Whether the server has confirmed the end; messages that still come are thrown away.
    static bool IsEnded(Host host)
    {
        if (host.Service(1, out Event taken) <= 0)
        {
            return false;
        }
        if (taken.Type == EventType.Receive)
        {
            taken.Packet.Dispose();
            return false;
        }
        return true;
    }
}
