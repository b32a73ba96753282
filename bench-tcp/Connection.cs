using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;

/// <summary>A connection of either side. It does not wait to receive, and waits to send only while the socket is full.
/// Each message stands behind its length.</summary>
sealed class Connection : IDisposable
{
    /// <summary>Bytes of the length in front of a message.</summary>
    public const int LengthBytes = 4;

    // One receive takes at most so much, where messages are small and the profile does not say more.
    const int MostReceiveBytes = 1 << 16;

    // A full socket takes more when a third of its buffer is free: a message that is sent then need not wait, nor those
    // after it that make so much together.
    const int RoomBytes = Library.SocketBufferBytes / 4;

    // So long a send waits for room: on loopback, and on a link that may be slow.
    const int MostWaitMicroseconds = 2_000_000;
    const int FarMostWaitMicroseconds = 30_000_000;

    const int FrontBytes = 64;

    // TCP_CONGESTION of Linux.
    const int CongestionOption = 13;

    // What came to the connection at hand. One for all connections of a thread, as it is large: what a connection has
    // not used up when the next one receives, it keeps.
    [ThreadStatic] static byte[]? ownReceived;
    // A message behind its length, which stands at the end of FrontBytes: a large copy takes ten times as long to an
    // address that is not aligned as its source is.
    [ThreadStatic] static byte[]? ownFrame;

    readonly Tls? tls;
    readonly string address;
    readonly int mostMessageBytes;
    readonly int mostWaitMicroseconds;
    readonly int receiveBytes;
    // So many bytes of several messages go in one send; 0: each message has its own.
    readonly int sendBytes;
    byte[] received = [];
    int receivedCount;
    int takenCount;
    // Of a message whose rest is to come.
    byte[] kept = [];
    int keptCount;
    // Messages that wait for more; of the pool while there are any.
    byte[] held = [];
    int heldCount;
    // So many bytes may be sent before the socket must be asked again whether it has room.
    int room;
    bool hasEnded;

    /// <summary>Takes a connected socket. A server whose settings say TLS tells how, a client needs nothing to; both
    /// shake hands, which waits for the other side.</summary>
    public Connection(Socket socket, Settings settings, SslServerAuthenticationOptions? serverTls)
    {
        Socket = socket;
        socket.NoDelay = true;
        address = $"{settings.Address}:{settings.Port}";
        mostMessageBytes = Message.MostBytes(settings);
        bool isNear = IPAddress.IsLoopback(((IPEndPoint)socket.LocalEndPoint!).Address);
        mostWaitMicroseconds = isNear ? MostWaitMicroseconds : FarMostWaitMicroseconds;
        receiveBytes = ReceiveBytes(settings);
        sendBytes = settings.Profile == "tuned" ? Library.TunedSendBytes : 0;
        if (settings.Security == "none")
        {
            socket.Blocking = false;
            return;
        }
        tls = serverTls == null
            ? Tls.OfClient(socket, settings, mostWaitMicroseconds)
            : Tls.OfServer(socket, serverTls, mostWaitMicroseconds);
    }

    /// <summary>Its socket.</summary>
    public Socket Socket { get; }

    /// <summary>Whether messages lie in it that wait for more: Push sends them.</summary>
    public bool IsHolding => heldCount > 0;

    /// <summary>Whether a receive may leave something that the socket does not tell of.</summary>
    public bool IsEncrypted => tls != null;

    /// <summary>Makes a socket of this bench. The buffers of one that listens are those of what it accepts, as they
    /// must be set before the two sides agree on a window.</summary>
    public static Socket NewSocket(IPEndPoint server, Settings settings)
    {
        var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        // The buffers of a stream the system sizes to the link itself.
        if (settings.Work != Settings.Stream)
        {
            socket.ReceiveBufferSize = Library.SocketBufferBytes;
            socket.SendBufferSize = Library.SocketBufferBytes;
        }
        if (settings.Variant == Library.Cubic)
        {
            socket.SetRawSocketOption((int)SocketOptionLevel.Tcp, CongestionOption, "cubic"u8);
        }
        Records.SocketBuffers = (socket.ReceiveBufferSize, socket.SendBufferSize);
        return socket;
    }

    /// <summary>Sends bytes on a socket that does not wait; waits itself where the socket is full. Throws where the
    /// other side is gone or does not read.</summary>
    public static void SendAll(Socket socket, ReadOnlySpan<byte> bytes, int mostWaitMicroseconds)
    {
        while (bytes.Length > 0)
        {
            int sent = socket.Send(bytes, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
            {
                bytes = bytes[sent..];
            }
            else if (error != SocketError.WouldBlock || !socket.Poll(mostWaitMicroseconds, SelectMode.SelectWrite))
            {
                throw Closed;
            }
        }
    }

    /// <summary>Whether a message that is sent now need not wait.</summary>
    public bool HasRoom()
    {
        if (room > 0)
        {
            return true;
        }
        Push();
        if (!Socket.Poll(0, SelectMode.SelectWrite))
        {
            return false;
        }
        room = RoomBytes;
        return true;
    }

    /// <summary>Receives what is there; false: nothing. Throws where the other side has left.</summary>
    public bool TryReceive()
    {
        received = ownReceived ??= new byte[receiveBytes];
        kept.AsSpan(0, keptCount).CopyTo(received);
        receivedCount = keptCount;
        takenCount = 0;
        Span<byte> free = received.AsSpan(receivedCount);
        SocketError error;
        int count = tls == null
            ? Socket.Receive(free, SocketFlags.None, out error)
            : tls.Receive(free, out error);
        if (count > 0)
        {
            receivedCount += count;
            return true;
        }
        return error switch
        {
            SocketError.WouldBlock => false,
            SocketError.Success => throw Closed,
            _ => throw new Failure(new SocketException((int)error).Message),
        };
    }

    /// <summary>The next message, if all of it is there; else what there is of it is kept. Throws where it is no
    /// message of these settings, or the connection was ended.</summary>
    public bool TryTake(out ReadOnlySpan<byte> message)
    {
        if (hasEnded)
        {
            throw Closed;
        }
        ReadOnlySpan<byte> rest = received.AsSpan(takenCount, receivedCount - takenCount);
        message = default;
        if (rest.Length < LengthBytes)
        {
            Keep(rest);
            return false;
        }
        int length = BinaryPrimitives.ReadInt32LittleEndian(rest);
        if (length < 0 || length > mostMessageBytes)
        {
            throw new Failure($"What answers on {address} is no server of this bench.");
        }
        if (rest.Length < LengthBytes + length)
        {
            Keep(rest);
            return false;
        }
        message = rest.Slice(LengthBytes, length);
        takenCount += LengthBytes + length;
        return true;
    }

    /// <summary>Sends a message; in the profile tuned it holds it until there are more. Waits where the socket is full;
    /// throws where the other side is gone or does not read.</summary>
    public void Send(ReadOnlySpan<byte> message)
    {
        byte[] frame = ownFrame ??= new byte[FrontBytes + mostMessageBytes];
        Span<byte> bytes = frame.AsSpan(FrontBytes - LengthBytes, LengthBytes + message.Length);
        BinaryPrimitives.WriteInt32LittleEndian(bytes, message.Length);
        message.CopyTo(bytes[LengthBytes..]);
        room -= bytes.Length;
        if (heldCount + bytes.Length > sendBytes)
        {
            Push();
        }
        if (bytes.Length > sendBytes)
        {
            SendAtOnce(bytes);
            return;
        }
        if (heldCount == 0)
        {
            held = ArrayPool<byte>.Shared.Rent(sendBytes);
        }
        bytes.CopyTo(held.AsSpan(heldCount));
        heldCount += bytes.Length;
    }

    /// <summary>Sends what it holds.</summary>
    public void Push()
    {
        if (heldCount == 0)
        {
            return;
        }
        SendAtOnce(held.AsSpan(0, heldCount));
        ArrayPool<byte>.Shared.Return(held);
        heldCount = 0;
    }

    /// <summary>Ends the connection; whoever takes what has come from it is told so.</summary>
    public void End()
    {
        hasEnded = true;
        heldCount = 0;
        try
        {
            Socket.Shutdown(SocketShutdown.Both);
        }
        catch (SocketException)
        {
            // It has ended already.
        }
    }

    /// <summary>What it holds is not sent any more.</summary>
    public void Dispose()
    {
        heldCount = 0;
        tls?.Dispose();
        Socket.Dispose();
    }

    static Failure Closed => new("The server closed the connection.");

    // As much as a client has in flight, but at least one message; and room for what was kept, that it leaves for a
    // record of TLS or for more of a stream.
    static int ReceiveBytes(Settings settings)
    {
        int frameBytes = LengthBytes + Message.MostBytes(settings);
        long inFlight = Math.Min((long)frameBytes * settings.Parallel, MostReceiveBytes);
        int wanted = settings.Profile == "tuned" ? Library.TunedReceiveBytes : (int)inFlight;
        int recordBytes = settings.Security == "tls" ? Tls.MostRecordBytes : 0;
        int streamBytes = settings.Work == Settings.Stream ? MostReceiveBytes : 0;
        return Math.Max(frameBytes, wanted) + Math.Max(recordBytes, streamBytes);
    }

    void Keep(ReadOnlySpan<byte> rest)
    {
        if (kept.Length < rest.Length)
        {
            kept = new byte[LengthBytes + mostMessageBytes];
        }
        rest.CopyTo(kept);
        keptCount = rest.Length;
    }

    void SendAtOnce(ReadOnlySpan<byte> bytes)
    {
        if (tls == null)
        {
            SendAll(Socket, bytes, mostWaitMicroseconds);
        }
        else
        {
            tls.Send(bytes);
        }
    }
}
