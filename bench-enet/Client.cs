using System.Diagnostics;
using ENet;

/// <summary>
/// The clients of one thread: a host with one peer each, polled in turn, because hosts are not
/// thread-safe. A round trip is timed from just before Peer.Send queues the packet to just after
/// Service or CheckEvents hands the answer over.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    const int MostCloseMs = 2_000, CloseWaitMs = 10;

    readonly Host[] hosts = new Host[load.Clients];
    readonly Peer[] peers = new Peer[load.Clients];
    readonly byte[] buffer = new byte[Load.BufferBytes(settings)];
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

    // Sends what is queued, then takes all that came in; what that answers leaves at once.
    bool Take(int client, int waitMs)
    {
        var host = hosts[client];
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

    void Send()
    {
        while (load.TryNext(buffer, out var client) is var length and > 0)
        {
            var packet = default(Packet);
            packet.Create(buffer, length, flags);
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
