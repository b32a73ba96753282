using System.Net.Sockets;
using kcp2k;

/// <summary>
/// The clients of one thread: a KcpClient each, ticked in turn; when none has an answer the thread
/// blocks in the socket of the one whose answer is due first. A round trip is timed from just
/// before Send queues the message to just after OnData gets the answer.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    // The library keeps its socket to subclasses.
    sealed class Kcp(Action connected, Action<ArraySegment<byte>, KcpChannel> data,
        Action disconnected, Action<ErrorCode, string> error, KcpConfig config)
        : KcpClient(connected, data, disconnected, error, config)
    {
        public Socket Socket => socket;
    }

    readonly Kcp[] clients = new Kcp[load.Clients];
    readonly byte[] buffer = new byte[Load.BufferBytes(settings)];
    readonly uint window = Library.Config(settings).SendWindowSize;
    readonly KcpChannel channel = Library.Channel(settings);
    bool any, closing;

    public void Run()
    {
        Library.Silence();
        Connect();
        while (load.Continues())
        {
            Send();
            if (Poll()) continue;
            // Who spins lets others have its CPU: the server may be waiting for it.
            if (load.WaitMicroseconds() is var us and > 0) clients[load.Awaited].Socket.Poll(us, SelectMode.SelectRead);
            else Thread.Yield();
        }
        Close();
    }

    void Connect()
    {
        const int ramp = 100; // so that no handshake waits until kcp2k repeats it
        var address = Program.Resolve(settings.Address).ToString();
        var config = Library.Config(settings);
        for (var client = 0; client < clients.Length; client++)
        {
            var index = client;
            clients[client] = new Kcp(() => load.Connected++, (message, _) => OnMessage(index, message),
                () => OnLost("the server closed it"), (_, reason) => OnLost(reason), config);
            clients[client].Connect(address, (ushort)settings.Port);
            while (load.Connected < client + 1 - ramp) Advance();
        }
        while (load.Connected < clients.Length) Advance();
        Records.SocketBufferBytes = (clients[0].Socket.ReceiveBufferSize, clients[0].Socket.SendBufferSize);

        void Advance()
        {
            Poll();
            Thread.Sleep(1);
        }
    }

    bool Poll()
    {
        any = false;
        for (var client = 0; client < clients.Length && clients[client] != null; client++)
        {
            clients[client].TickIncoming();
            Send();
            clients[client].TickOutgoing();
        }
        return any;
    }

    /// <summary>Whether a client may queue more of a stream: another window behind that on the way. Unreliable messages are not
    /// queued, and dropped where the socket is full.</summary>
    public bool HasRoom(int client) => channel == KcpChannel.Reliable ? clients[client].SendQueueCount < window
        : clients[client].Socket.Poll(0, SelectMode.SelectWrite);

    void Send()
    {
        while (load.TryNext(this, buffer, out var client) is var length and > 0)
            clients[client].Send(new(buffer, 0, length), channel);
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        any = true;
        load.OnMessage(client, message);
    }

    // The library would swallow what a callback throws.
    void OnLost(string reason)
    {
        if (!closing) Program.Exit(new Failure($"The connection to the server ended: {reason}"));
    }

    void Close()
    {
        closing = true;
        Array.ForEach(clients, client => client.Disconnect());
    }
}
