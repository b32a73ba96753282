using System.Net;
using System.Net.Sockets;

/// <summary>The clients of one thread: a non-blocking connection each, messages behind a 4-byte length. The thread passes over the
/// sockets; when none has an answer it blocks in the one whose answer is due first, or of a stream that is to send next. A round
/// trip is timed from just before Send to just after its last byte came.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly Connection[] connections = new Connection[load.Clients];
    readonly byte[] frame = Connection.Frame(settings);

    public void Run()
    {
        Connect();
        while (load.Continues())
        {
            Send();
            if (Poll()) continue;
            // Who spins lets others have its CPU: the server may be waiting for it.
            if (load.WaitMicroseconds() is not (var us and > 0)) Thread.Yield();
            else connections[load.Awaited].Socket.Poll(us, load.IsFull ? SelectMode.SelectWrite : SelectMode.SelectRead);
        }
        Array.ForEach(connections, connection => connection.Dispose());
    }

    void Connect()
    {
        var server = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        for (var client = 0; client < connections.Length; client++)
        {
            var socket = Connection.NewSocket(server, settings);
            socket.Connect(server);
            connections[client] = new(socket, settings, isServer: false);
            load.Connected++;
        }
    }

    // One receive a socket and pass, so that no client starves the others.
    bool Poll()
    {
        var any = false;
        for (var client = 0; client < connections.Length; client++)
        {
            if (!connections[client].TryReceive()) continue;
            while (connections[client].TryTake(out var message)) OnMessage(client, message);
            any = true;
        }
        return any;
    }

    /// <summary>Whether a client's socket takes more of a stream.</summary>
    public bool HasRoom(int client) => connections[client].HasRoom;

    void Send()
    {
        while (load.TryNext(this, frame.AsSpan(Connection.LengthBytes), out var client) is var length and > 0)
            connections[client].Send(frame, length);
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        load.OnMessage(client, message);
        Send();
    }
}
