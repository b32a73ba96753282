using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

/// <summary>The echo server: one thread passes over its non-blocking connections and answers each message at once; when none has
/// any it blocks in Select over all of them and the listener.</summary>
static class Server
{
    const int SelectUs = 100_000, SelectAllocates = 80; // its list of descriptors, from so many sockets on: so a short spin first
    static readonly long spinTicks = Stopwatch.Frequency / 20_000;

    static readonly List<Connection> connections = [];
    static readonly List<Socket> waiting = [];
    static Socket listener = null!;
    static Settings settings = null!;
    static byte[] answer = [];
    static long idleSince, tickAt;
    static volatile bool stopping;

    public static void Run(Settings settings)
    {
        Start(settings);
        Records.WriteReady(settings);
        while (!stopping)
        {
            Load.Tick(settings.TickHz, ref tickAt);
            if (Poll()) idleSince = 0; else Wait();
        }
        listener.Dispose();
        connections.ForEach(connection => connection.Dispose());
    }

    static void Start(Settings settings)
    {
        (Server.settings, answer) = (settings, new byte[Connection.LengthBytes + Load.BufferBytes(settings)]);
        if (settings.Security == "tls") Connection.MakeCertificate();
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        listener = Connection.NewSocket(address, settings);
        listener.Bind(address);
        listener.Listen();
    }

    // One receive a connection and pass, so that no client starves the others.
    static bool Poll()
    {
        var any = false;
        for (var i = connections.Count - 1; i >= 0; i--)
            try
            {
                if (!connections[i].TryReceive()) continue;
                any = true;
                while (connections[i].TryTake(out var message)) OnMessage(connections[i], message);
                connections[i].Push();
            }
            catch (Exception fault) when (fault is Failure or IOException) // the client is gone or sends what is no message of these settings
            {
                connections[i].Dispose();
                connections.RemoveAt(i);
            }
        return any;
    }

    static void OnMessage(Connection connection, ReadOnlySpan<byte> message)
    {
        var echo = Load.Echo(message);
        echo.CopyTo(answer.AsSpan(Connection.LengthBytes));
        for (var left = echo.IsEmpty ? 0 : Records.Answers; left > 0; left--) connection.Send(answer, echo.Length);
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
        // None is to be had where the client left or speaks no TLS, or no file can be opened for it.
        try { while (listener.Poll(0, SelectMode.SelectRead)) connections.Add(new(listener.Accept(), settings, isServer: true)); }
        catch (Exception fault) when (fault is SocketException or IOException or AuthenticationException) { }
    }

    public static void Stop() => stopping = true;
}

/// <summary>A connection of either side, which does not wait to receive; messages stand behind their length, TLS in whole records.</summary>
sealed class Connection : NetworkStream
{
    public const int LengthBytes = 4;
    const string Closed = "The server closed the connection.";
    const int MostReceiveBytes = 1 << 16, HeaderBytes = 5, MostRecordBytes = HeaderBytes + 16_384 + 256;
    const int HandshakeWaitUs = 2_000_000, MostHandshakeWaitUs = 8_000_000; // of a server, which others wait for meanwhile, and of a client
    const int WaitUs = 2_000_000, FarWaitUs = 30_000_000; // of loopback, and of a link that may be slow
    const int RoomBytes = Library.SocketBufferBytes / 4, CongestionOption = 13; // a socket takes more when a third of its buffer is free; Linux' TCP_CONGESTION
    static SslServerAuthenticationOptions ofServer = new();
    [ThreadStatic] static byte[]? threadBuffer; // what came to the connection at hand

    readonly int mostBytes, mostWaitUs, handshakeWaitUs, receiveBytes, sendBytes; // sendBytes: of messages in one call; 0: each has its own
    readonly SslStream? tls;
    readonly byte[] records;
    byte[] received = [], kept = [], sending = []; // kept: of a message whose rest is to come; sending: of the pool while there is something
    int taken, filled, keptBytes, sendingBytes, room, from, to, end; // room: that a send has, in bytes; of the records: what is there, and where the one at hand ends

    /// <summary>Shakes hands, if the settings say so, which waits for the other side.</summary>
    public Connection(Socket socket, Settings settings, bool isServer) : base(socket, ownsSocket: true)
    {
        (mostBytes, handshakeWaitUs) = (Load.BufferBytes(settings), isServer ? HandshakeWaitUs : MostHandshakeWaitUs);
        mostWaitUs = IPAddress.IsLoopback(((IPEndPoint)socket.LocalEndPoint!).Address) ? WaitUs : FarWaitUs;
        records = new byte[settings.Security == "tls" ? MostRecordBytes : 0];
        // What one receive takes is the lanes of a client, but at least a message; beside what was kept, a record or more of a stream.
        var (frame, isTuned) = (LengthBytes + mostBytes, settings.Profile == "tuned");
        receiveBytes = Math.Max(frame, isTuned ? Library.ReceiveBytes : (int)Math.Min((long)frame * settings.Parallel, MostReceiveBytes)) + Math.Max(records.Length, settings.Work == "stream" ? MostReceiveBytes : 0);
        sendBytes = isTuned ? Library.SendBytes : 0;
        (socket.NoDelay, socket.Blocking) = (true, false);
        if (settings.Security == "none") return;
        tls = new(this);
        // The byte comes behind the server's tickets: whoever reads one of those waits for the record after it.
        if (isServer) { tls.AuthenticateAsServer(ofServer); tls.WriteByte(0); return; }
        tls.AuthenticateAsClient(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost", EnabledSslProtocols = SslProtocols.Tls13,
            RemoteCertificateValidationCallback = (_, certificate, _, _) => Sha256(certificate!) == settings.CertificateSha256 ? true
                : throw new Failure("The server's certificate is not the one whose SHA-256 was given."),
        });
        tls.ReadByte();
    }

    /// <summary>A socket of this bench; a listener's buffers are those of what it accepts, before their window is agreed.</summary>
    public static Socket NewSocket(IPEndPoint server, Settings settings)
    {
        var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        // Those of a stream the system sizes to the link itself.
        if (settings.Work != "stream") socket.ReceiveBufferSize = socket.SendBufferSize = Library.SocketBufferBytes;
        if (settings.Variant == Library.Cubic) socket.SetRawSocketOption((int)SocketOptionLevel.Tcp, CongestionOption, "cubic"u8);
        Records.SocketBufferBytes = (socket.ReceiveBufferSize, socket.SendBufferSize);
        return socket;
    }

    /// <summary>True where a message that is sent now need not wait.</summary>
    public bool HasRoom => room > 0 || Push() && Socket.Poll(0, SelectMode.SelectWrite) && (room = RoomBytes) > 0;

    /// <summary>Receives what is there; false: nothing. The other side's leaving throws.</summary>
    public bool TryReceive()
    {
        received = threadBuffer ??= new byte[receiveBytes];
        kept.AsSpan(0, keptBytes).CopyTo(received);
        (taken, filled) = (0, keptBytes);
        var (free, error) = (received.AsMemory(filled), SocketError.Success);
        var count = tls == null ? Socket.Receive(free.Span, SocketFlags.None, out error) : HasRecord(0, out error) ? tls.Read(free.Span) : 0;
        filled += count;
        if (count == 0 && error != SocketError.WouldBlock) throw new Failure(error == SocketError.Success ? Closed : new SocketException((int)error).Message);
        return count > 0;
    }

    /// <summary>The next message, if it is there as a whole, else what there is of it is kept; what is none of these settings throws.</summary>
    public bool TryTake(out ReadOnlySpan<byte> message)
    {
        message = received.AsSpan(taken, filled - taken);
        var length = message.Length < LengthBytes ? 0 : BinaryPrimitives.ReadInt32LittleEndian(message);
        if (length < 0 || length > mostBytes) throw new Failure($"What answers on {Socket.RemoteEndPoint} is no server of this bench.");
        if (message.Length >= LengthBytes + length)
        {
            message = message.Slice(LengthBytes, length);
            taken += LengthBytes + length;
            return true;
        }
        if (kept.Length < message.Length) kept = new byte[LengthBytes + mostBytes];
        message.CopyTo(kept);
        keptBytes = message.Length;
        return false;
    }

    /// <summary>Sends a frame whose message is so long, or lays it to others; true: it is the first of these. Waits for room; throws where the other side is gone or does not read.</summary>
    public bool Send(byte[] frame, int length)
    {
        BinaryPrimitives.WriteInt32LittleEndian(frame, length);
        room -= length += LengthBytes;
        if (sendingBytes + length > sendBytes) Push();
        if (length > sendBytes) { Put(frame, length); return false; }
        if (sendingBytes == 0) sending = ArrayPool<byte>.Shared.Rent(sendBytes);
        frame.AsSpan(0, length).CopyTo(sending.AsSpan(sendingBytes));
        return (sendingBytes += length) == length;
    }

    /// <summary>Sends what was laid together; always true.</summary>
    public bool Push()
    {
        if (sendingBytes == 0) return true;
        Put(sending, sendingBytes);
        ArrayPool<byte>.Shared.Return(sending);
        return (sendingBytes = 0) == 0;
    }

    /// <summary>Makes the server's certificate, whose hash its record tells.</summary>
    public static void MakeCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var made = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256).CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        // Windows takes no key that is in memory alone.
        var certificate = X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
        (ofServer, Records.CertificateSha256) = (new() { ServerCertificate = certificate, EnabledSslProtocols = SslProtocols.Tls13 }, Sha256(certificate));
    }

    void Put(byte[] bytes, int count) { if (tls == null) Write(bytes.AsSpan(0, count)); else tls.Write(bytes, 0, count); }
    static string Sha256(X509Certificate certificate) => certificate.GetCertHashString(HashAlgorithmName.SHA256).ToLowerInvariant();

    // True when the next record is there as a whole; waits so long for it.
    bool HasRecord(int waitUs, out SocketError error)
    {
        error = SocketError.Success;
        while (to - from < HeaderBytes || to < (end = from + HeaderBytes + BinaryPrimitives.ReadUInt16BigEndian(records.AsSpan(from + HeaderBytes - 2))))
        {
            records.AsSpan(from, to - from).CopyTo(records);
            (from, to, end) = (0, to - from, 0);
            var count = Socket.Receive(records.AsSpan(to), SocketFlags.None, out error);
            if (error == SocketError.WouldBlock && waitUs > 0 && Socket.Poll(waitUs, SelectMode.SelectRead)) continue;
            if (count == 0) return false; // closed, if there is no error
            to += count;
        }
        return true;
    }

    // What TLS reads: of one record at a time, so that it holds none back.
    public override int Read(Span<byte> into)
    {
        if (from == end && !HasRecord(handshakeWaitUs, out var error))
            throw new IOException(error == SocketError.Success ? Closed : "The other side does not shake hands for TLS.");
        var count = Math.Min(into.Length, end - from);
        records.AsSpan(from, count).CopyTo(into);
        from += count;
        return count;
    }

    public override void Write(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[Socket.Send(bytes, SocketFlags.None, out var error)..];
            if (error != SocketError.Success && !(error == SocketError.WouldBlock && Socket.Poll(mostWaitUs, SelectMode.SelectWrite))) throw new Failure(Closed);
        }
    }
}
