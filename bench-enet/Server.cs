using ENet;

/// <summary>The echo server: one host and one thread; Service blocks until something is there and sends, at its next
/// call, the answers to all that it handed over.</summary>
static class Server
{
    const int WaitMilliseconds = 100;

    static readonly Host host = new();
    static PacketFlags flags;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        Listen(settings);
        Records.WriteReady(settings);
        var ticker = new Ticker(settings.TickHz);
        while (!isStopping)
        {
            if (settings.TickHz == 0)
            {
                TakeEvents(WaitMilliseconds);
                continue;
            }
            ticker.Wait();
            bool any = TakeEvents(waitMilliseconds: 0);
            // The next Service, which sends too, would come a tick later.
            host.Flush();
            Echo.CountPass(isIdle: !any);
        }
        host.Dispose();
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop() => isStopping = true;

    static void Listen(Settings settings)
    {
        ENet.Library.Initialize();
        flags = Library.Flags(settings);
        var address = new Address { Port = (ushort)settings.Port };
        address.SetIP(Program.Resolve(settings.Address).ToString());
        // Every Service walks all peers: there are no more of them than clients.
        host.Create(address, settings.Clients, 1, 0, 0, Library.SocketBufferBytes);
    }

    static bool TakeEvents(int waitMilliseconds)
    {
        if (host.Service(waitMilliseconds, out Event taken) <= 0)
        {
            return false;
        }
        do
        {
            if (taken.Type == EventType.Receive)
            {
                OnMessage(taken.Peer, taken.Packet);
            }
        }
        while (host.CheckEvents(out taken) > 0);
        return true;
    }

    static unsafe void OnMessage(Peer peer, Packet packet)
    {
        var message = new ReadOnlySpan<byte>((void*)packet.Data, packet.Length);
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (!echo.IsEmpty)
        {
            var answer = default(Packet);
            fixed (byte* bytes = echo)
            {
                answer.Create((nint)bytes, echo.Length, flags);
            }
            if (!peer.Send(0, ref answer))
            {
                Echo.CountUnsent(echo);
            }
        }
        packet.Dispose();
    }
}
