using System.Net;
using System.Net.Sockets;

/// <summary>
/// The clients of one thread: a connected, non-blocking socket each. The thread passes over the
/// sockets; when none has an answer it blocks in the one whose answer is due first. A round trip
/// is timed from just before Send to just after Receive.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    readonly Socket[] sockets = new Socket[load.Clients];
    readonly byte[] buffer = new byte[Load.BufferBytes(settings)];

    public void Run()
    {
        Connect();
        while (load.Continues())
        {
            Send();
            if (!Poll()) sockets[load.Awaited].Poll(load.WaitMicroseconds(), SelectMode.SelectRead);
        }
        Close();
    }

    void Connect()
    {
        var server = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        for (var client = 0; client < sockets.Length; client++)
        {
            var socket = new Socket(server.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
            {
                Blocking = false,
                ReceiveBufferSize = Library.SocketBufferBytes,
                SendBufferSize = Library.SocketBufferBytes,
            };
            socket.Connect(server);
            sockets[client] = socket;
        }
        Stats.SocketReceiveBufferBytes = sockets[0].ReceiveBufferSize;
        Stats.SocketSendBufferBytes = sockets[0].SendBufferSize;
    }

    // One receive a socket and pass, so that none starves the others; with ticks, all that came.
    bool Poll()
    {
        var any = false;
        for (var client = 0; client < sockets.Length; client++)
            while (Receive(client))
            {
                any = true;
                if (settings.TickHz == 0) break;
            }
        return any;
    }

    bool Receive(int client)
    {
        var length = sockets[client].Receive(buffer, SocketFlags.None, out var error);
        if (error == SocketError.WouldBlock) return false;
        if (error != SocketError.Success)
            throw new Failure($"The server on {settings.Address}:{settings.Port} does not listen: " +
                $"{new SocketException((int)error).Message}.");
        OnMessage(client, buffer.AsSpan(0, length));
        return true;
    }

    // What the system refuses to send is lost like any datagram, and counted as such.
    void Send()
    {
        while (load.TryNext(buffer, out var client) is var length and > 0)
            sockets[client].Send(buffer.AsSpan(0, length), SocketFlags.None, out _);
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        load.OnMessage(client, message);
        Send();
    }

    void Close() => Array.ForEach(sockets, socket => socket.Dispose());
}
