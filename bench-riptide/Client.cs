using System.Diagnostics;
using System.Net.Sockets;
using Riptide;
using Peer = Riptide.Client;
using UdpClient = Riptide.Transports.Udp.UdpClient;

/// <summary>The clients: a client of the library's each. One thread blocks until the socket of any has something, and
/// then updates that one; all are updated from time to time, because one to which nothing comes may have to send again.
/// A round trip is timed from just before Send to just after Update hands the answer over.</summary>
sealed class Client(Settings settings, Load load)
{
    // As often the samples of the library update their clients.
    const int CareMilliseconds = 10;
    const int ConnectionAttempts = 20;

    readonly Exchange exchange = new(settings, load);
    readonly Peer[] peers = new Peer[settings.Clients];
    readonly byte[] received = new byte[Message.MostBytes(settings) + 1];
    readonly MessageSendMode mode = Library.Mode(settings);
    SocketSet sockets = null!;
    long caredAt;
    bool isClosing;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        var opened = new Socket[peers.Length];
        for (int index = 0; index < peers.Length; index++)
        {
            var transport = new UdpClient(Library.ModeOfSocket(settings), Library.SocketBufferBytes);
            peers[index] = New(index, transport);
            peers[index].Connect($"{settings.Endpoint.Address}:{settings.Port}", ConnectionAttempts,
                useMessageHandlers: false);
            Library.Keep(peers[index].Connection);
            opened[index] = Library.SocketOf(transport);
        }
        Records.SocketBuffers = (opened[0].ReceiveBufferSize, opened[0].SendBufferSize);
        sockets = new SocketSet(opened);
    }

    /// <summary>Sends a message.</summary>
    public void Begin(Due due)
    {
        byte[] message = exchange.Write(due);
        peers[due.Index].Send(Library.NewMessage(message, message.Length, mode));
    }

    /// <summary>Takes what has come; where nothing has, waits for it, so long at most.</summary>
    public void Poll(int microseconds)
    {
        foreach (int index in sockets.Wait(microseconds))
        {
            peers[index].Update();
        }
        if (Stopwatch.GetElapsedTime(caredAt).TotalMilliseconds >= CareMilliseconds)
        {
            caredAt = Stopwatch.GetTimestamp();
            Array.ForEach(peers, peer => peer.Update());
        }
    }

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosing = true;
        Array.ForEach(peers, peer => peer.Disconnect());
    }

    Peer New(int index, UdpClient transport)
    {
        var peer = new Peer(transport);
        peer.Connected += (_, _) => load.OnOpen(index);
        peer.MessageReceived += (_, come) =>
        {
            int length = Library.Read(come.Message, received);
            exchange.OnMessage(index, received.AsSpan(0, length));
        };
        peer.ConnectionFailed += (_, _) => Fail($"Nothing on {settings.Address}:{settings.Port} answers.");
        peer.Disconnected += (_, _) => Fail("The server closed the connection or let it time out.");
        return peer;
    }

    void Fail(string reason)
    {
        if (!isClosing)
        {
            throw new Failure(reason);
        }
    }
}
