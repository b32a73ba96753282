using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using NetCoreServer;

/// <summary>The clients. The library calls back on threads of the pool: each checks the answer that it brings and sends
/// the next message. A round trip is timed from just before the library's send to OnReceived.</summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Tcp(Client owner, int index, Settings settings)
        : NetCoreServer.TcpClient(settings.Endpoint.Address, settings.Port), IClient
    {
        readonly Frames frames = new(Message.MostBytes(settings));

        protected override void OnConnecting() => Library.SetBuffers(Socket, settings);

        protected override void OnConnected() => owner.load.OnOpen(index);

        protected override void OnError(SocketError error) => owner.OnFault(new SocketException((int)error));

        protected override void OnDisconnected() => owner.OnFault(new Failure("The server closed the connection."));

        protected override void OnEmpty() => owner.TellRoom();

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            owner.OnBytes(index, frames, frames.Append(buffer, offset, size));
        }
    }

    sealed class Tls(Client owner, int index, SslContext context, Settings settings)
        : SslClient(context, settings.Endpoint.Address, settings.Port), IClient
    {
        readonly Frames frames = new(Message.MostBytes(settings));

        protected override void OnConnecting() => Library.SetBuffers(Socket, settings);

        // It is connected when it is through the handshake.
        protected override void OnHandshaked() => owner.load.OnOpen(index);

        protected override void OnError(SocketError error)
        {
            owner.OnFault(IsHandshaked
                ? new SocketException((int)error)
                : new Failure("The other side does not shake hands for TLS."));
        }

        protected override void OnDisconnected() => owner.OnFault(new Failure("The server closed the connection."));

        protected override void OnEmpty() => owner.TellRoom();

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            owner.OnBytes(index, frames, frames.Append(buffer, offset, size));
        }
    }

    sealed class Udp(Client owner, int index, Settings settings)
        : NetCoreServer.UdpClient(settings.Endpoint.Address, settings.Port), IDatagramSocket
    {
        protected override void OnConnecting() => Library.SetBuffers(Socket, settings);

        protected override void OnError(SocketError error) => owner.OnFault(new SocketException((int)error));

        protected override void OnConnected()
        {
            owner.load.OnOpen(index);
            Datagrams.Receive(this);
        }

        protected override void OnReceived(EndPoint endpoint, byte[] buffer, long offset, long size)
        {
            owner.OnMessage(index, buffer.AsSpan((int)offset, (int)size));
            Datagrams.Receive(this);
        }
    }

    // Of a stream: as much as fills a socket's own buffer again at once.
    const int MostKeptBytes = Library.SocketBufferBytes;

    // As fields, since the nested classes use them.
    readonly Load load = load;
    readonly Exchange exchange = new(settings, load);
    readonly bool isUdp = settings.Delivery == Settings.Unreliable;
    readonly IClient[] connections = new IClient[settings.Clients];
    readonly Udp[] udp = new Udp[settings.Clients];
    // The library has sent all that it kept of a connection.
    readonly object room = new();
    bool isFull;
    volatile bool isClosing;

    /// <summary>Opens all connections; callbacks say when they are there.</summary>
    public void Connect()
    {
        // With a list of certificates, though it is empty, it offers TLS 1.3 alone.
        var context = new SslContext(SslProtocols.Tls13, [], (_, shown, _, _) => IsTrusted(shown));
        for (int index = 0; index < settings.Clients; index++)
        {
            if (isUdp)
            {
                udp[index] = NewUdp(index);
                udp[index].Connect();
                continue;
            }
            connections[index] = settings.Security == "tls"
                ? Library.Tune(new Tls(this, index, context, settings), settings)
                : Library.Tune(new Tcp(this, index, settings), settings);
            connections[index].OptionNoDelay = true;
            connections[index].ConnectAsync();
        }
    }

    /// <summary>Sends a message. Several threads may send on a connection at once: the library's TCP and TLS copy the
    /// bytes under a lock of their own, its UDP hands them to the socket.</summary>
    public void Begin(Due due)
    {
        byte[] message = exchange.Write(due);
        if (isUdp)
        {
            udp[due.Index].Send(message);
        }
        else
        {
            connections[due.Index].SendAsync(Frames.Of(message));
        }
    }

    /// <summary>Whether the library may keep more of a client's stream. Its UDP keeps nothing: its send waits.
    /// </summary>
    public bool HasRoom(int index)
    {
        isFull = !isUdp && connections[index].BytesPending + connections[index].BytesSending >= MostKeptBytes;
        return !isFull;
    }

    /// <summary>Waits so long: answers come on threads of the pool. Where a stream is full it waits for room.</summary>
    public void Poll(int microseconds)
    {
        if (isFull)
        {
            isFull = false;
            lock (room)
            {
                Monitor.Wait(room, TimeSpan.FromMicroseconds(microseconds));
            }
        }
        else
        {
            Delay.Sleep(microseconds);
        }
    }

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosing = true;
        for (int index = 0; index < settings.Clients; index++)
        {
            if (isUdp)
            {
                udp[index].Disconnect();
            }
            else
            {
                connections[index].Disconnect();
            }
        }
    }

    Udp NewUdp(int index)
    {
        Udp made = Library.Tune(new Udp(this, index, settings), settings);
        // A datagram that fills the buffer would be cut once before the library grows it.
        made.OptionReceiveBufferSize = Math.Max(made.OptionReceiveBufferSize, Message.MostBytes(settings) + 1);
        // By default its sockets share ports, and a few clients get each other's answers.
        made.OptionExclusiveAddressUse = true;
        return made;
    }

    void TellRoom()
    {
        lock (room)
        {
            Monitor.Pulse(room);
        }
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
            OnFault(fault);
            return false;
        }
    }

    // A receive brings many messages, or a part of one.
    void OnBytes(int index, Frames frames, ReadOnlySpan<byte> rest)
    {
        try
        {
            while (frames.TryTake(ref rest, out ReadOnlySpan<byte> frame))
            {
                OnMessage(index, frame[Frames.LengthBytes..]);
            }
            frames.Keep(rest);
        }
        catch (InvalidDataException fault)
        {
            // The library's TLS would keep it to itself.
            OnFault(fault);
        }
    }

    void OnMessage(int index, ReadOnlySpan<byte> message)
    {
        if (!isClosing)
        {
            exchange.OnMessage(index, message);
        }
    }

    void OnFault(Exception fault)
    {
        if (!isClosing)
        {
            Program.Exit(fault);
        }
    }
}
