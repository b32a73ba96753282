using System.Net;
using System.Net.Sockets;

/// <summary>The clients of one thread: a non-blocking connection each, messages behind a 4-byte length. The thread passes over the
/// sockets; when none has an answer it blocks in the one whose answer is due first, or of a stream that is to send next. A round
/// trip is timed from just before Send to just after its last byte came.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly Connection[] connections = new Connection[load.Clients];
    readonly List<Connection> begun = []; // those in which messages lie that wait for more
    readonly byte[] frame = new byte[Connection.LengthBytes + Load.BufferBytes(settings)];
    int next; // the connection whose turn it is

    public void Run()
    {
        Connect();
        while (load.Continues())
        {
            for (var more = Library.MostInPass; more > 0 && SendNext(); more--) ;
            Push();
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
        for (var client = 0; client < connections.Length; client++, load.Connected++)
        {
            var socket = Connection.NewSocket(server, settings);
            socket.Connect(server);
            connections[client] = new(socket, settings, isServer: false);
        }
    }

    // One receive a socket and pass, so that no client starves the others; where millions are in flight a pass ends before all had one, as marks are seen between passes.
    bool Poll()
    {
        var (taken, more) = (0, Library.MostInPass);
        for (var polled = 0; polled < connections.Length && taken < Library.MostInPass; polled++, next = (next + 1) % connections.Length)
        {
            if (!connections[next].TryReceive()) continue;
            for (taken++; connections[next].TryTake(out var message); taken++)
            {
                load.OnMessage(next, message);
                while (SendNext() && begun.Count == 0 && more-- > 0) ; // an answer frees one lane: where it waits, what else is due does too
            }
            Push();
        }
        return taken > 0;
    }

    /// <summary>Whether a client's socket takes more of a stream.</summary>
    public bool HasRoom(int client) => connections[client].HasRoom;

    bool SendNext()
    {
        var length = load.TryNext(this, frame.AsSpan(Connection.LengthBytes), out var client);
        if (length > 0 && connections[client].Send(frame, length)) begun.Add(connections[client]);
        if (begun.Count == Library.MostBegun) Push();
        return length > 0;
    }

    void Push() { begun.ForEach(connection => connection.Push()); begun.Clear(); }
}
