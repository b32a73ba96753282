using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using ENet;

/// <summary>The clients of one thread: a host with one peer each, polled in turn, because hosts are not thread-safe.
/// When none has an answer the thread waits in the host whose answer is due first. A round trip is timed from just
/// before Peer.Send queues the packet to just after Service or CheckEvents hands the answer over.</summary>
sealed class Client(Settings settings, Load load)
{
    // So many clients connect at once: none of their requests then waits so long that ENet repeats it.
    const int MostConnecting = 100;

    const int MostCloseMilliseconds = 2_000;
    const int CloseWaitMilliseconds = 10;

    // ENet has at most 64 KiB of a peer on the way, and queues without bound: a stream queues so much that ENet never
    // waits for more.
    const int MostQueuedBytes = 4 << 16;
    const int LeastQueued = 2;

    // Packets of the calling thread that ENet has freed: each when it has arrived or was given up.
    [ThreadStatic] static int freed;

    readonly Exchange exchange = new(settings, load);
    readonly Host[] hosts = new Host[load.Clients];
    readonly Peer[] peers = new Peer[load.Clients];
    readonly byte[] next = new byte[Message.BufferBytes(settings)];
    readonly PacketFlags flags = Library.Flags(settings);
    readonly PacketFlags reliableFlags = Library.Flags(settings) | PacketFlags.Reliable;
    readonly Ticker ticker = new(settings.PollHz);
    readonly bool isStream = settings.Work == Settings.Stream;
    readonly int mostQueued = Math.Max(LeastQueued, MostQueuedBytes / settings.PayloadBytes);
    // Of a stream: each client's packets that ENet has not freed yet.
    readonly int[] queued = new int[load.Clients];
    // Those that have left their room, until they are connected again.
    readonly bool[] hasLeft = new bool[load.Clients];
    Address server;

    /// <summary>Connects, and sends and receives until the load ends.</summary>
    public void Run()
    {
        Connect();
        while (exchange.BeginPass())
        {
            ticker.Wait();
            Churn();
            SendDue();
            bool hasReceived = Poll();
            if (!hasReceived)
            {
                hasReceived = Wait();
            }
            load.EndPass(hasReceived);
        }
        Close();
    }

    /// <summary>Whether a client's peer may queue more of a stream.</summary>
    public bool HasRoom(int client) => queued[client] < mostQueued;

    void Connect()
    {
        ENet.Library.Initialize();
        server = new Address { Port = (ushort)settings.Port };
        server.SetIP(Program.Resolve(settings.Address).ToString());
        for (int client = 0; client < hosts.Length; client++)
        {
            hosts[client] = new Host();
            hosts[client].Create(null, 1, 1, 0, 0, Library.SocketBufferBytes);
            peers[client] = hosts[client].Connect(server, 1);
            AwaitConnected(client + 1 - MostConnecting, client + 1);
        }
        AwaitConnected(hosts.Length, hosts.Length);
    }

    // Returns when so many of the hosts that there are so far have connected.
    void AwaitConnected(int awaited, int created)
    {
        while (load.Connected < awaited)
        {
            for (int client = 0; client < created; client++)
            {
                TakeEvents(client, waitMilliseconds: 0);
            }
        }
    }

    // One client may have to leave its room; ENet first delivers what it says. Its host connects again when that end is
    // confirmed.
    void Churn()
    {
        if (exchange.TryLeave(next, out int client))
        {
            hasLeft[client] = true;
            Send(client, Message.HeaderBytes, reliableFlags);
            peers[client].DisconnectLater(0);
        }
    }

    void SendDue()
    {
        int length = exchange.TryNext(this, next, out int client);
        while (length > 0)
        {
            Send(client, length, exchange.IsEvent ? reliableFlags : flags);
            length = exchange.TryNext(this, next, out client);
        }
    }

    bool Poll()
    {
        bool any = false;
        for (int client = 0; client < hosts.Length; client++)
        {
            any |= !exchange.IsStalled(client) && Service(client, waitMilliseconds: 0);
        }
        return any;
    }

    bool Wait()
    {
        int microseconds = exchange.WaitMicroseconds(out int client);
        if (microseconds > 0)
        {
            return Service(client, microseconds / 1_000);
        }
        // Who spins lets others have its CPU: the server may be waiting for it.
        Thread.Yield();
        return false;
    }

    // Sends what is queued, then takes all that came in; what that answers leaves at once.
    bool Service(int client, int waitMilliseconds)
    {
        bool any = TakeEvents(client, waitMilliseconds);
        if (any)
        {
            SendDue();
            hosts[client].Flush();
        }
        queued[client] -= freed;
        freed = 0;
        return any;
    }

    bool TakeEvents(int client, int waitMilliseconds)
    {
        Host host = hosts[client];
        if (host.Service(waitMilliseconds, out Event taken) <= 0)
        {
            return false;
        }
        do
        {
            switch (taken.Type)
            {
                case EventType.Receive:
                    OnMessage(client, taken.Packet);
                    break;
                case EventType.Connect:
                    OnConnected(client);
                    break;
                default:
                    OnEnded(client);
                    break;
            }
        }
        while (host.CheckEvents(out taken) > 0);
        return true;
    }

    void OnConnected(int client)
    {
        if (hasLeft[client])
        {
            hasLeft[client] = false;
            exchange.JoinAgain(client);
        }
        else
        {
            load.AddConnected();
        }
    }

    void OnEnded(int client)
    {
        if (hasLeft[client])
        {
            peers[client] = hosts[client].Connect(server, 1);
        }
        else if (!exchange.TryLose(client))
        {
            throw new Failure("The server closed the connection or let it time out.");
        }
    }

    unsafe void OnMessage(int client, Packet packet)
    {
        var message = new ReadOnlySpan<byte>((void*)packet.Data, packet.Length);
        int length = exchange.OnMessage(client, message, next, out int sender);
        packet.Dispose();
        if (length > 0)
        {
            Send(sender, length, flags);
        }
    }

    unsafe void Send(int client, int length, PacketFlags flags)
    {
        var packet = default(Packet);
        packet.Create(next, length, flags);
        if (isStream)
        {
            packet.SetFreeCallback((nint)(delegate* unmanaged[Cdecl]<nint, void>)&OnFreed);
            queued[client]++;
        }
        peers[client].Send(0, ref packet);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static void OnFreed(nint packet) => freed++;

    // Waits until the server has confirmed each end of a connection, but not for long if it does not.
    void Close()
    {
        foreach (Peer peer in peers)
        {
            peer.Disconnect(0);
        }
        foreach (Host host in hosts)
        {
            host.Flush();
        }
        var clock = Stopwatch.StartNew();
        for (int client = 0; client < hosts.Length; client++)
        {
            // One that was not connected just now has no end to confirm.
            bool isConfirmed = peers[client].State == PeerState.Disconnected;
            while (!isConfirmed && clock.ElapsedMilliseconds < MostCloseMilliseconds)
            {
                isConfirmed = TakeConfirmation(hosts[client]);
            }
            hosts[client].Dispose();
        }
    }

    // What else still comes is thrown away.
    static bool TakeConfirmation(Host host)
    {
        if (host.Service(CloseWaitMilliseconds, out Event taken) <= 0)
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
