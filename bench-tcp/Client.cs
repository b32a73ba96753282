using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

/// <summary>
/// The clients of one thread: a non-blocking connection each, messages behind a 4-byte length.
/// The thread passes over the sockets; when none has an answer it blocks in the one whose answer
/// is due first. A round trip is timed from just before Send to just after its last byte came.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    readonly Socket[] sockets = new Socket[load.Clients];
    readonly byte[][] received = new byte[load.Clients][];
    readonly int[] filled = new int[load.Clients];
    readonly byte[] frame = new byte[Server.LengthBytes + Load.BufferBytes(settings)];

    public void Run()
    {
        Connect();
        while (load.Continues())
        {
            Send();
            if (Poll()) continue;
            // Who spins lets others have its CPU: the server may be waiting for it.
            if (load.WaitMicroseconds() is var us and > 0) sockets[load.Awaited].Poll(us, SelectMode.SelectRead); else Thread.Yield();
        }
        Close();
    }

    void Connect()
    {
        var server = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        for (var client = 0; client < sockets.Length; client++)
        {
            sockets[client] = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
            {
                NoDelay = true,
                ReceiveBufferSize = Library.SocketBufferBytes,
                SendBufferSize = Library.SocketBufferBytes,
            };
            sockets[client].Connect(server);
            sockets[client].Blocking = false;
            received[client] = new byte[Server.ReceiveBytes(settings)];
            load.Connected++;
        }
        Records.SocketReceiveBufferBytes = sockets[0].ReceiveBufferSize;
        Records.SocketSendBufferBytes = sockets[0].SendBufferSize;
    }

    // One receive a socket and pass, so that no client starves the others.
    bool Poll()
    {
        var any = false;
        for (var client = 0; client < sockets.Length; client++)
        {
            var free = received[client].AsSpan(filled[client]);
            var count = sockets[client].Receive(free, SocketFlags.None, out var error);
            if (error == SocketError.WouldBlock) continue;
            if (error != SocketError.Success) throw new SocketException((int)error);
            if (count == 0) throw new Failure("The server closed the connection.");
            filled[client] += count;
            TakeFrames(client);
            any = true;
        }
        return any;
    }

    void TakeFrames(int client)
    {
        var rest = received[client].AsSpan(0, filled[client]);
        while (rest.Length >= Server.LengthBytes)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(rest);
            if (length < 0 || length > Load.BufferBytes(settings))
                throw new Failure($"What answers on {settings.Address}:{settings.Port} is no " +
                    "server of this bench.");
            if (rest.Length < Server.LengthBytes + length) break;
            OnMessage(client, rest.Slice(Server.LengthBytes, length));
            rest = rest[(Server.LengthBytes + length)..];
        }
        rest.CopyTo(received[client]);
        filled[client] = rest.Length;
    }

    void Send()
    {
        while (load.TryNext(frame.AsSpan(Server.LengthBytes), out var client) is var length and > 0)
        {
            BinaryPrimitives.WriteInt32LittleEndian(frame, length);
            if (!Server.SendAll(sockets[client], frame.AsSpan(0, Server.LengthBytes + length)))
                throw new Failure("The server closed the connection.");
        }
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        load.OnMessage(client, message);
        Send();
    }

    void Close() => Array.ForEach(sockets, socket => socket.Dispose());
}
