using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using ENet;

/// <summary>
/// The clients of one thread: a host with one peer each, polled in turn, because hosts are not
/// thread-safe. A round trip is timed from just before Peer.Send queues the packet to just after
/// Service or CheckEvents hands the answer over.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    const int MostCloseMs = 2_000, CloseWaitMs = 10;

    // ENet has at most 64 KiB of a peer on the way, and queues without bound: so much that it never waits for more.
    const int MostQueuedBytes = 4 << 16, LeastQueued = 2;

    [ThreadStatic] static int freed; // packets, each when it has arrived or was given up

    readonly Host[] hosts = new Host[load.Clients];
    readonly Peer[] peers = new Peer[load.Clients];
    readonly byte[] buffer = new byte[Load.BufferBytes(settings)];
    readonly int[] queued = new int[load.Clients];
    readonly int mostQueued = Math.Max(LeastQueued, MostQueuedBytes / settings.PayloadBytes);
    readonly PacketFlags flags = Library.Flags(settings);

    public void Run()
    {
        Connect();
        while (load.Continues())
        {
            Send();
            if (Poll()) continue;
            // Who spins lets others have its CPU: the server may be waiting for it.
            if (load.WaitMicroseconds() is var us and > 0) Take(load.Awaited, us / 1000); else Thread.Yield();
        }
        Close();
    }

    void Connect()
    {
        const int ramp = 100; // so that no connection request waits until ENet repeats it
        ENet.Library.Initialize();
        var server = new Address { Port = (ushort)settings.Port };
        server.SetIP(Program.Resolve(settings.Address).ToString());
        for (var client = 0; client < hosts.Length; client++)
        {
            hosts[client] = new Host();
            hosts[client].Create(null, 1, 1, 0, 0, Library.SocketBufferBytes);
            peers[client] = hosts[client].Connect(server, 1);
            while (load.Connected < client + 1 - ramp) Service();
        }
        while (load.Connected < hosts.Length) Service();

        void Service()
        {
            for (var client = 0; client < hosts.Length && hosts[client] != null; client++)
                Take(client, 0);
        }
    }

    bool Poll()
    {
        var any = false;
        for (var client = 0; client < hosts.Length; client++) any |= Take(client, 0);
        return any;
    }

    bool Take(int client, int waitMs)
    {
        var any = Take(hosts[client], client, waitMs);
        queued[client] -= freed;
        freed = 0;
        return any;
    }

    // Sends what is queued, then takes all that came in; what that answers leaves at once.
    bool Take(Host host, int client, int waitMs)
    {
        if (host.Service(waitMs, out var next) <= 0) return false;
        do
        {
            if (next.Type == EventType.Receive) OnMessage(client, next.Packet);
            else if (next.Type == EventType.Connect) load.Connected++;
            else throw new Failure("The server closed the connection or let it time out.");
        }
        while (host.CheckEvents(out next) > 0);
        Send();
        host.Flush();
        return true;
    }

    /// <summary>Whether a client's peer may queue more of a stream.</summary>
    public bool HasRoom(int client) => queued[client] < mostQueued;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static void OnFreed(nint packet) => freed++;

    unsafe void Send()
    {
        while (load.TryNext(this, buffer, out var client) is var length and > 0)
        {
            var packet = default(Packet);
            packet.Create(buffer, length, flags);
            if (load.Streams) packet.SetFreeCallback((nint)(delegate* unmanaged[Cdecl]<nint, void>)&OnFreed);
            queued[client]++;
            peers[client].Send(0, ref packet);
        }
    }

    unsafe void OnMessage(int client, Packet packet)
    {
        load.OnMessage(client, new ReadOnlySpan<byte>((void*)packet.Data, packet.Length));
        packet.Dispose();
    }

    // Until the server has confirmed each end of a connection; not for long if it does not.
    void Close()
    {
        foreach (var peer in peers) peer.Disconnect(0);
        foreach (var host in hosts) host.Flush();
        var clock = Stopwatch.StartNew();
        foreach (var host in hosts)
        {
            while (clock.ElapsedMilliseconds < MostCloseMs)
            {
                if (host.Service(CloseWaitMs, out var next) <= 0) continue;
                if (next.Type != EventType.Receive) break;
                next.Packet.Dispose();
            }
            host.Dispose();
        }
    }
}
