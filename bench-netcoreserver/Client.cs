using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using NetCoreServer;

/// <summary>The clients of one thread. The library calls back on threads of the pool: each checks the answer that it
/// brings and sends the next message of its slot. This thread connects, sends what is due otherwise (the first
/// messages, those at a rate, streams) and gives up the lost. A round trip is timed from just before the library's send
/// to OnReceived.</summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Tcp(Client owner, int client, IPAddress address, int port)
        : NetCoreServer.TcpClient(address, port), IClient
    {
        readonly Frames frames = new(owner.bufferBytes);

        protected override void OnConnecting() => Library.SetBuffers(Socket, owner.settings);

        protected override void OnConnected() => owner.OnThere(client);

        protected override void OnError(SocketError error) => owner.OnFault(client, new SocketException((int)error));

        protected override void OnDisconnected() => owner.OnGone(client, this);

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            owner.OnBytes(client, frames, frames.Append(buffer, offset, size));
        }
    }

    sealed class Tls(Client owner, int client, SslContext context, IPAddress address, int port)
        : SslClient(context, address, port), IClient
    {
        readonly Frames frames = new(owner.bufferBytes);

        protected override void OnConnecting() => Library.SetBuffers(Socket, owner.settings);

        // It is connected when it is through the handshake.
        protected override void OnHandshaked() => owner.OnThere(client);

        protected override void OnError(SocketError error)
        {
            owner.OnFault(client, IsHandshaked
                ? new SocketException((int)error)
                : new Failure("The other side does not shake hands for TLS."));
        }

        protected override void OnDisconnected() => owner.OnGone(client, this);

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            owner.OnBytes(client, frames, frames.Append(buffer, offset, size));
        }
    }

    sealed class Udp(Client owner, int client, IPAddress address, int port)
        : NetCoreServer.UdpClient(address, port), IDatagramSocket
    {
        protected override void OnConnecting() => Library.SetBuffers(Socket, owner.settings);

        protected override void OnError(SocketError error) => owner.OnFault(client, new SocketException((int)error));

        protected override void OnConnected()
        {
            owner.OnThere(client);
            Datagrams.Receive(this);
        }

        protected override void OnReceived(EndPoint endpoint, byte[] buffer, long offset, long size)
        {
            owner.OnMessage(client, buffer.AsSpan((int)offset, (int)size));
            Datagrams.Receive(this);
        }
    }

    // Of a stream: as much as fills a socket's own buffer again at once.
    const int MostKeptBytes = Library.SocketBufferBytes;

    // What the calling thread is about to send: a length and a message.
    [ThreadStatic] static byte[]? ownFrame;

    // As fields, since the nested classes use them.
    readonly Settings settings = settings;
    readonly Load load = load;
    readonly Exchange exchange = new(settings, load);
    readonly bool isUdp = settings.Delivery == "unreliable";
    readonly IClient[] connections = new IClient[load.Clients];
    readonly Udp[] udp = new Udp[load.Clients];
    readonly int bufferBytes = Message.BufferBytes(settings);
    readonly IPAddress address = Program.Resolve(settings.Address);
    // Clients that have left their room, and connect again.
    readonly bool[] hasLeft = new bool[load.Clients];
    SslContext? context;
    volatile bool isClosing;

    /// <summary>Connects, and sends what is due until the load ends.</summary>
    public void Run()
    {
        Connect();
        while (exchange.BeginPass())
        {
            Churn();
            SendDue();
            exchange.Pause();
        }
        Close();
    }

    /// <summary>Whether the library may keep more of a client's stream. Its UDP keeps nothing: its send waits.
    /// </summary>
    public bool HasRoom(int client)
    {
        return isUdp || connections[client].BytesPending + connections[client].BytesSending < MostKeptBytes;
    }

    void Connect()
    {
        // With a list of certificates, though it is empty, it offers TLS 1.3 alone.
        context = new SslContext(SslProtocols.Tls13, [], (_, shown, _, _) => IsTrusted(shown));
        for (int client = 0; client < load.Clients; client++)
        {
            Connect(client);
        }
        while (load.Connected < load.Clients)
        {
            Thread.Sleep(1);
        }
    }

    void Connect(int client)
    {
        if (isUdp)
        {
            udp[client] = NewUdp(client);
            udp[client].Connect();
            return;
        }
        connections[client] = settings.Security == "tls"
            ? Library.Tune(new Tls(this, client, context!, address, settings.Port), settings)
            : Library.Tune(new Tcp(this, client, address, settings.Port), settings);
        connections[client].OptionNoDelay = true;
        connections[client].ConnectAsync();
    }

    // One client may have to leave its room and join again, on a new connection.
    void Churn()
    {
        byte[] frame = OwnFrame();
        if (!exchange.TryLeave(frame.AsSpan(Frames.LengthBytes), out int client))
        {
            return;
        }
        Send(client, frame, Message.HeaderBytes);
        hasLeft[client] = true;
        if (isUdp)
        {
            udp[client].Disconnect();
        }
        else
        {
            connections[client].Disconnect();
        }
        Connect(client);
    }

    void OnThere(int client)
    {
        if (hasLeft[client])
        {
            hasLeft[client] = false;
            exchange.JoinAgain(client);
        }
        else
        {
            load.AddConnected();
        }
    }

    Udp NewUdp(int client)
    {
        Udp made = Library.Tune(new Udp(this, client, address, settings.Port), settings);
        // A datagram that fills the buffer would be cut once before the library grows it.
        made.OptionReceiveBufferSize = Math.Max(made.OptionReceiveBufferSize, bufferBytes + 1);
        // By default its sockets share ports, and a few clients get each other's answers.
        made.OptionExclusiveAddressUse = true;
        return made;
    }

    // The library would keep to itself what is thrown here.
    bool IsTrusted(X509Certificate? shown)
    {
        try
        {
            return Certificates.IsTrusted(shown, settings);
        }
        catch (Failure fault)
        {
            OnFault(0, fault);
            return false;
        }
    }

    void SendDue()
    {
        byte[] frame = OwnFrame();
        int length = exchange.TryNext(this, frame.AsSpan(Frames.LengthBytes), out int client);
        while (length > 0)
        {
            Send(client, frame, length);
            length = exchange.TryNext(this, frame.AsSpan(Frames.LengthBytes), out client);
        }
    }

    // A receive brings many messages, or a part of one.
    void OnBytes(int client, Frames frames, ReadOnlySpan<byte> rest)
    {
        try
        {
            while (frames.TryTake(ref rest, out ReadOnlySpan<byte> frame))
            {
                OnMessage(client, frame[Frames.LengthBytes..]);
            }
        }
        catch (InvalidDataException fault)
        {
            // The library's TLS would keep it to itself.
            OnFault(client, fault);
        }
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        exchange.WaitWhileStalled(client);
        byte[] frame = OwnFrame();
        int length = exchange.OnMessage(client, message, frame.AsSpan(Frames.LengthBytes), out int sender);
        if (length > 0)
        {
            Send(sender, frame, length);
        }
    }

    byte[] OwnFrame() => ownFrame ??= new byte[Frames.LengthBytes + bufferBytes];

    // Sends the message behind the frame's length. Several threads may send on a connection at once: the library's TCP
    // and TLS copy the bytes under a lock of their own, its UDP hands them to the socket.
    void Send(int client, byte[] frame, int length)
    {
        if (isUdp)
        {
            udp[client].Send(frame.AsSpan(Frames.LengthBytes, length));
            return;
        }
        BinaryPrimitives.WriteInt32LittleEndian(frame, length);
        connections[client].SendAsync(frame.AsSpan(0, Frames.LengthBytes + length));
    }

    // That of before is gone where a client has left.
    void OnGone(int client, IClient connection)
    {
        if (connection == connections[client] && !hasLeft[client])
        {
            OnFault(client, new SocketException((int)SocketError.ConnectionReset));
        }
    }

    void OnFault(int client, Exception fault)
    {
        if (!isClosing && !exchange.TryLose(client))
        {
            Program.Exit(fault);
        }
    }

    void Close()
    {
        isClosing = true;
        for (int client = 0; client < load.Clients; client++)
        {
            if (isUdp)
            {
                udp[client].Disconnect();
            }
            else
            {
                connections[client].Disconnect();
            }
        }
    }
}
