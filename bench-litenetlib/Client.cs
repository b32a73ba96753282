using System.Diagnostics;
using System.Net;
using LiteNetLib;

/// <summary>
/// The clients of one thread: a manager with one peer each, in manual mode. PollEvents receives
/// and hands over inline; ManualUpdate sends what is queued. A round trip is timed from just
/// before Peer.Send queues the message to just after the listener gets the answer.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    const int MostCloseMs = 2_000;
    // LiteNetLib's own UpdateTime: how often resends and pings are looked after.
    static readonly long updateTicks = 15 * Stopwatch.Frequency / 1000;

    readonly NetManager[] managers = new NetManager[load.Clients];
    readonly NetPeer[] peers = new NetPeer[load.Clients];
    readonly long[] updatedAt = new long[load.Clients];
    readonly bool[] unsent = new bool[load.Clients];
    readonly byte[] buffer = new byte[Load.BufferBytes(settings)];
    readonly DeliveryMethod method = Library.Method(settings);
    bool any, closing;

    public void Run()
    {
        Connect();
        while (load.Continues())
        {
            Send();
            if (!Poll()) Thread.Yield();
        }
        Close();
    }

    void Connect()
    {
        const int ramp = 100; // so that no connection request waits until LiteNetLib repeats it
        var server = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        for (var client = 0; client < managers.Length; client++)
        {
            managers[client] = Library.CreateManager(Listener(client), settings);
            if (!managers[client].StartInManualMode(0)) throw new Failure("No socket could be opened.");
            peers[client] = managers[client].Connect(server, Library.Key);
            while (load.Connected < client + 1 - ramp) Advance();
        }
        while (load.Connected < managers.Length) Advance();

        void Advance()
        {
            for (var client = 0; client < managers.Length && managers[client] != null; client++)
                Update(client);
        }
    }

    EventBasedNetListener Listener(int client)
    {
        var listener = new EventBasedNetListener();
        listener.PeerConnectedEvent += _ => load.Connected++;
        listener.NetworkReceiveEvent += (_, reader, _, _) =>
            OnMessage(client, reader.GetRemainingBytesSpan());
        // The library would swallow what a listener throws.
        listener.PeerDisconnectedEvent += (_, info) =>
        {
            if (!closing) Program.Exit(new Failure($"The connection to the server ended: {info.Reason}."));
        };
        return listener;
    }

    bool Poll()
    {
        any = false;
        for (var client = 0; client < managers.Length; client++) Update(client);
        return any;
    }

    // Receives, and sends when something is queued or the library's own timers are due.
    void Update(int client)
    {
        managers[client].PollEvents();
        var now = Stopwatch.GetTimestamp();
        var elapsed = now - updatedAt[client];
        // What a stream has queued goes on as soon as the window has moved, which nothing tells.
        if (!unsent[client] && !load.Streams && elapsed < updateTicks) return;
        managers[client].ManualUpdate((float)Math.Min(elapsed, updateTicks) * 1000 / Stopwatch.Frequency);
        (updatedAt[client], unsent[client]) = (now, false);
    }

    /// <summary>Whether a client's peer may queue more of a stream: another window behind that on the way. Unreliable messages wait
    /// for the next update alone.</summary>
    public bool HasRoom(int client) => method == DeliveryMethod.Unreliable
        || peers[client].GetPacketsCountInReliableQueue(0, method == DeliveryMethod.ReliableOrdered) < Library.ReliableWindow;

    void Send()
    {
        while (load.TryNext(this, buffer, out var client) is var length and > 0)
        {
            peers[client].Send(buffer.AsSpan(0, length), method);
            unsent[client] = true;
        }
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        if (closing) return;
        any = true;
        load.OnMessage(client, message);
        Send();
    }

    // Until the server has confirmed each end of a connection; not for long if it does not.
    void Close()
    {
        closing = true;
        Array.ForEach(managers, manager => manager.DisconnectAll());
        var clock = Stopwatch.StartNew();
        for (var client = 0; client < managers.Length; client++)
        {
            while (peers[client].ConnectionState == ConnectionState.ShutdownRequested
                && clock.ElapsedMilliseconds < MostCloseMs)
                Update(client);
            managers[client].Stop();
        }
    }
}
