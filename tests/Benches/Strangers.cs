using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

/// <summary>Those that send a server what no client does: a flood of datagrams and of connections.</summary>
static class Strangers
{
    const int Datagrams = 10_000;
    const int DatagramSockets = 20;
    const int MostDatagramBytes = 1500;
    const int Connections = 200;
    const int SlowReaders = 4;
    const int SlowBytes = 4 << 20;
    const int FrameBytes = 36;

    /// <summary>How TLS begins: the first record of a handshake says that more comes than does.</summary>
    public static readonly byte[] TlsOpening = [22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3];

    static readonly byte[][] openings =
    [
        [],
        [.. "hello "u8],
        [.. "hello poke"u8],
        [.. "hello mark"u8],
        [.. "hello client "u8],
        [.. "hello client v2 "u8],
        [.. "hello server "u8],
        [.. "answer 1000000\n"u8],
        [.. "../../../../tmp/x\0"u8],
        [.. TlsOpening],
        [0xff, 0xff, 0xff, 0x7f],
        [0xff, 0xff, 0xff, 0xff],
    ];

    /// <summary>Sends all of it to a port of loopback.</summary>
    public static void Meet(string port, bool withEmptyDatagram)
    {
        var target = new IPEndPoint(IPAddress.Loopback, int.Parse(port));
        if (withEmptyDatagram)
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            socket.SendTo([], target);
        }
        SendDatagrams(target);
        Connect(target);
    }

    static void SendDatagrams(IPEndPoint target)
    {
        var random = new Random(1);
        var sockets = new Socket[DatagramSockets];
        for (var socket = 0; socket < sockets.Length; socket++)
        {
            sockets[socket] = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        }
        for (var datagram = 0; datagram < Datagrams; datagram++)
        {
            var garbage = Garbage(random, random.Next(1, MostDatagramBytes + 1));
            sockets[datagram % sockets.Length].SendTo(garbage, target);
        }
        Array.ForEach(sockets, socket => socket.Dispose());
    }

    // None where the server does not listen for connections.
    static void Connect(IPEndPoint target)
    {
        var random = new Random(2);
        List<Socket> sockets = [];
        try
        {
            for (var connection = 0; connection < Connections; connection++)
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                sockets.Add(socket);
                socket.ReceiveBufferSize = 4096;
                socket.Connect(target);
                socket.Blocking = false;
                var bytes = connection < SlowReaders ? Frames() : Garbage(random, 10 * MostDatagramBytes);
                socket.Send(bytes, SocketFlags.None, out _);
            }
            Thread.Sleep(500); // what they hold the server up with is still there
        }
        catch (SocketException fault) when (fault.SocketErrorCode == SocketError.ConnectionRefused)
        {
            return;
        }
        finally
        {
            sockets.ForEach(socket => socket.Dispose());
        }
    }

    static byte[] Garbage(Random random, int bytes)
    {
        var garbage = new byte[bytes];
        random.NextBytes(garbage);
        var opening = openings[random.Next(openings.Length)];
        opening.AsSpan(0, Math.Min(opening.Length, bytes)).CopyTo(garbage);
        return garbage;
    }

    // Of a client whose answers nobody reads.
    static byte[] Frames()
    {
        var frames = new byte[SlowBytes / FrameBytes * FrameBytes];
        for (var at = 0; at < frames.Length; at += FrameBytes)
        {
            BinaryPrimitives.WriteInt32LittleEndian(frames.AsSpan(at), FrameBytes - sizeof(int));
        }
        return frames;
    }
}
