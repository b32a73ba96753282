using ENet;

/// <summary>The echo server: one host and one thread; Service blocks until something is there and
/// sends, at its next call, the answers to all that it handed over.</summary>
static class Server
{
    const int WaitMs = 100;

    static readonly Host host = new();
    static PacketFlags flags;
    static volatile bool stopping;

    public static void Run(Settings settings)
    {
        Start(settings);
        Records.WriteReady(settings);
        var tickAt = 0L;
        while (!stopping)
        {
            Load.Tick(settings.TickHz, ref tickAt);
            Poll(settings.TickHz > 0 ? 0 : WaitMs);
        }
        host.Dispose();
    }

    static void Start(Settings settings)
    {
        ENet.Library.Initialize();
        flags = Library.Flags(settings);
        var address = new Address { Port = (ushort)settings.Port };
        address.SetIP(Program.Resolve(settings.Address).ToString());
        // Every Service walks all peers: no more of them than there are clients.
        host.Create(address, settings.Clients, 1, 0, 0, Library.SocketBufferBytes);
    }

    static void Poll(int waitMs)
    {
        var any = host.Service(waitMs, out var next) > 0;
        if (any)
            do
            {
                if (next.Type == EventType.Receive) OnMessage(next.Peer, next.Packet);
            }
            while (host.CheckEvents(out next) > 0);
        if (waitMs > 0) return; // it blocked rather than polled
        host.Flush(); // the next Service would come a tick later
        Records.Pass(idle: !any);
    }

    static unsafe void OnMessage(Peer peer, Packet packet)
    {
        var message = new ReadOnlySpan<byte>((void*)packet.Data, packet.Length);
        var echo = Load.Echo(message);
        for (var left = echo.IsEmpty ? 0 : Records.Answers; left > 0; left--)
        {
            var answer = default(Packet);
            fixed (byte* bytes = echo) answer.Create((nint)bytes, echo.Length, flags);
            if (!peer.Send(0, ref answer)) Records.Unsent();
        }
        packet.Dispose();
    }

    public static void Stop() => stopping = true;
}
