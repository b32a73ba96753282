using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

/// <summary>
/// The echo server: one thread passes over its non-blocking connections and answers each message
/// at once; when none has any it blocks in Select over all of them and the listener.
/// </summary>
static class Server
{
    public const int LengthBytes = 4;
    const int MostReceiveBytes = 1 << 16, SelectUs = 100_000, MostSendWaitUs = 2_000_000;
    // Select allocates its list of descriptors from this many sockets on, so a short spin first.
    const int SelectAllocates = 80;
    static readonly long spinTicks = Stopwatch.Frequency / 20_000;

    sealed class Connection(Socket socket, int receiveBytes)
    {
        public readonly Socket Socket = socket;
        public readonly byte[] Received = new byte[receiveBytes];
        public int Filled;
    }

    static readonly List<Connection> connections = [];
    static readonly List<Socket> waiting = [];
    static Socket listener = null!;
    static Settings settings = null!;
    static byte[] answer = [];
    static long idleSince;
    static volatile bool stopping;

    public static void Run(Settings settings)
    {
        Start(settings);
        Records.WriteReady(settings);
        var ticker = new Ticker(settings.TickHz);
        while (!stopping)
        {
            ticker.Wait();
            if (Poll()) idleSince = 0; else Wait();
        }
        listener.Dispose();
        connections.ForEach(connection => connection.Socket.Dispose());
    }

    /// <summary>Bytes that one receive takes: the lanes of a client, but at least a message.</summary>
    public static int ReceiveBytes(Settings settings)
    {
        var frame = LengthBytes + Load.BufferBytes(settings);
        return Math.Max(frame, (int)Math.Min((long)frame * settings.Parallel, MostReceiveBytes));
    }

    /// <summary>Sends it all, waiting for room where the buffer is full; false: no connection, or
    /// the other side does not read.</summary>
    public static bool SendAll(Socket socket, ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[socket.Send(bytes, SocketFlags.None, out var error)..];
            if (error == SocketError.Success) continue;
            if (error != SocketError.WouldBlock || !socket.Poll(MostSendWaitUs, SelectMode.SelectWrite))
                return false;
        }
        return true;
    }

    static void Start(Settings settings)
    {
        Server.settings = settings;
        answer = new byte[LengthBytes + Load.BufferBytes(settings)];
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            // Set here, so that accepted connections inherit them before their window is agreed.
            ReceiveBufferSize = Library.SocketBufferBytes,
            SendBufferSize = Library.SocketBufferBytes,
        };
        listener.Bind(address);
        listener.Listen();
        Records.SocketReceiveBufferBytes = listener.ReceiveBufferSize;
        Records.SocketSendBufferBytes = listener.SendBufferSize;
    }

    // One receive a connection and pass, so that no client starves the others.
    static bool Poll()
    {
        var any = false;
        for (var i = connections.Count - 1; i >= 0; i--)
        {
            var connection = connections[i];
            var free = connection.Received.AsSpan(connection.Filled);
            var count = connection.Socket.Receive(free, SocketFlags.None, out var error);
            if (error == SocketError.WouldBlock) continue;
            any = true;
            if (error != SocketError.Success || count == 0 || !Take(connection, count)) Close(i);
        }
        return any;
    }

    // False when the client is gone or sends what is no message of these settings.
    static bool Take(Connection connection, int count)
    {
        connection.Filled += count;
        var rest = connection.Received.AsSpan(0, connection.Filled);
        while (rest.Length >= LengthBytes)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(rest);
            if (length < 0 || length > Load.BufferBytes(settings)) return false;
            if (rest.Length < LengthBytes + length) break;
            if (!OnMessage(connection.Socket, rest.Slice(LengthBytes, length))) return false;
            rest = rest[(LengthBytes + length)..];
        }
        rest.CopyTo(connection.Received);
        connection.Filled = rest.Length;
        return true;
    }

    static bool OnMessage(Socket socket, ReadOnlySpan<byte> message)
    {
        var echo = Records.Echo(message);
        BinaryPrimitives.WriteInt32LittleEndian(answer, echo.Length);
        echo.CopyTo(answer.AsSpan(LengthBytes));
        for (var left = Records.Answers; left > 0; left--)
            if (!SendAll(socket, answer.AsSpan(0, LengthBytes + echo.Length))) return false;
        return true;
    }

    static void Wait()
    {
        var now = Stopwatch.GetTimestamp();
        if (idleSince == 0) idleSince = now;
        if (connections.Count >= SelectAllocates && now - idleSince < spinTicks) return;
        waiting.Clear();
        foreach (var connection in connections) waiting.Add(connection.Socket);
        waiting.Add(listener);
        Socket.Select(waiting, null, null, SelectUs);
        while (listener.Poll(0, SelectMode.SelectRead) && Accept()) ;
    }

    // False when there is none to accept: the client left, or no file can be opened for it.
    static bool Accept()
    {
        try
        {
            var socket = listener.Accept();
            socket.NoDelay = true;
            socket.Blocking = false;
            connections.Add(new(socket, ReceiveBytes(settings)));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    static void Close(int index)
    {
        connections[index].Socket.Dispose();
        connections[index] = connections[^1];
        connections.RemoveAt(connections.Count - 1);
    }

    public static void Stop() => stopping = true;
}
