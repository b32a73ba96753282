using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using NetworkLibrary.TCP.Base;
using NetworkLibrary.TCP.ByteMessage;
using NetworkLibrary.TCP.SSL.ByteMessage;
using NetworkLibrary.UDP;
using NetworkLibrary.UDP.Reliable;

/// <summary>The clients. The library calls back on threads of the pool: each checks the answer that it brings and sends
/// the next message. A round trip is timed from just before the library's send to its callback.</summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Tcp(Client owner, int index) : ByteMessageTcpClient
    {
        protected override void HandleConnected(SocketAsyncEventArgs connected)
        {
            base.HandleConnected(connected);
            owner.SetSocket(index, connected.ConnectSocket!);
        }
    }

    sealed class Tls(Client owner, int index, X509Certificate2 own) : SslByteMessageClient(own)
    {
        public override void Connect(string ip, int port)
        {
            base.Connect(ip, port);
            owner.SetSocket(index, clientSocket);
            // It leaves the version to the system.
            if (sslStream.SslProtocol != SslProtocols.Tls13)
            {
                throw new Failure($"The connection speaks {sslStream.SslProtocol}, not Tls13.");
            }
        }
    }

    // Of a stream, beside what is on its way into the socket.
    const int MostKeptBytes = 1 << 20;
    // From when a socket takes more until the library has handed it more of what it keeps, which lasts longer.
    const int HandOnMicroseconds = 50;
    // Of reliable UDP, whose server confirms a client before it listens to it: a message that comes in between is
    // confirmed, too, but handed to nobody (RudpServer.Register).
    const int SettleMilliseconds = 100;

    readonly Exchange exchange = new(settings, load);
    readonly bool isUdp = settings.Delivery == Settings.Unreliable;
    readonly bool isRudp = settings.Variant == Library.Rudp;
    readonly int mostBytes = Message.MostBytes(settings);
    readonly string address = settings.Endpoint.Address.ToString();
    // The library's TLS demands a certificate of clients, too.
    readonly X509Certificate2? own = settings.Security == "tls" ? Certificates.Own(settings) : null;
    // Of these three the clients' own is filled.
    readonly TcpClientBase[] tcp = new TcpClientBase[settings.Clients];
    readonly AsyncUdpClient[] udp = new AsyncUdpClient[settings.Clients];
    readonly RudpClient[] rudp = new RudpClient[settings.Clients];
    // Of TCP and TLS.
    readonly Socket[] sockets = new Socket[settings.Clients];
    // Of the client that had no room for more of its stream when last asked.
    Socket? full;
    volatile bool isClosing;

    /// <summary>Opens all connections one after the other, on a thread of the pool: the library's TLS connects while
    /// its caller waits.</summary>
    public void Connect()
    {
        Containment.Contain(settings);
        _ = Task.Run(Open);
    }

    /// <summary>Sends a message, which the library copies. Several threads may send on a connection at once: its TCP,
    /// TLS and reliable UDP queue messages under locks of their own, its UDP hands them to the socket.</summary>
    public void Begin(Due due)
    {
        byte[] message = exchange.Write(due);
        if (isUdp)
        {
            udp[due.Index].SendAsync(message, 0, message.Length);
        }
        else if (isRudp)
        {
            rudp[due.Index].Send(message, 0, message.Length);
        }
        else
        {
            tcp[due.Index].SendAsync(message, 0, message.Length);
        }
    }

    /// <summary>Whether the library may keep more of a client's stream, by its statistics. Its UDP keeps nothing and
    /// tells nothing.</summary>
    public bool HasRoom(int index)
    {
        full = null;
        if (isUdp)
        {
            return true;
        }
        try
        {
            tcp[index].GetStatistics(out var statistics);
            full = statistics.PendingBytes < MostKeptBytes ? null : sockets[index];
            return full == null;
        }
        catch (NullReferenceException)
        {
            // The connection has just ended.
            return false;
        }
    }

    /// <summary>Waits so long: answers come on threads of the pool. The library does not tell when a full stream has
    /// room, so there it waits until the socket takes more of what the library keeps.</summary>
    public void Poll(int microseconds)
    {
        if (full is { } socket)
        {
            full = null;
            socket.Poll(microseconds, SelectMode.SelectWrite);
            microseconds = Math.Min(microseconds, HandOnMicroseconds);
        }
        Delay.Sleep(microseconds);
    }

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosing = true;
        if (isRudp)
        {
            // Its farewell might overtake what was sent before.
            Thread.Sleep(SettleMilliseconds);
        }
        for (int index = 0; index < settings.Clients; index++)
        {
            udp[index]?.Dispose();
            rudp[index]?.Disconnect();
            tcp[index]?.Disconnect();
        }
    }

    async Task Open()
    {
        try
        {
            for (int index = 0; index < settings.Clients; index++)
            {
                await Open(index);
            }
        }
        catch (Exception fault)
        {
            OnFault(fault);
        }
    }

    async Task Open(int index)
    {
        void Take(byte[] bytes, int offset, int count) => OnMessage(index, bytes, offset, count);
        if (isRudp)
        {
            rudp[index] = new RudpClient { OnReceived = Take };
            await rudp[index].ConnectAsync(address, settings.Port);
            _ = Settle(index);
            return;
        }
        if (isUdp)
        {
            udp[index] = new AsyncUdpClient { OnBytesRecieved = Take, OnError = OnFault };
            udp[index].Connect(address, settings.Port);
        }
        else
        {
            tcp[index] = NewTcp(index);
            tcp[index].OnBytesReceived = Take;
            tcp[index].OnDisconnected = () => OnFault(new Failure("The server closed the connection."));
            tcp[index].Connect(address, settings.Port);
        }
        load.OnOpen(index);
    }

    async Task Settle(int index)
    {
        await Task.Delay(SettleMilliseconds);
        load.OnOpen(index);
    }

    TcpClientBase NewTcp(int index)
    {
        if (own == null)
        {
            return Library.Tune(new Tcp(this, index), settings);
        }
        return new Tls(this, index, own)
        {
            RemoteCertificateValidationCallback = (_, shown, _, _) => Certificates.IsTrusted(shown, settings),
        };
    }

    // Its clients have no option for Nagle's algorithm.
    void SetSocket(int index, Socket socket)
    {
        socket.NoDelay = true;
        sockets[index] = socket;
        Records.SocketBuffers = (socket.ReceiveBufferSize, socket.SendBufferSize);
    }

    void OnMessage(int index, byte[] bytes, int offset, int count)
    {
        if (count < 0 || count > mostBytes)
        {
            OnFault(new Failure($"The library takes {count} bytes for a message."));
        }
        else if (!isClosing)
        {
            exchange.OnMessage(index, bytes.AsSpan(offset, count));
        }
    }

    void OnFault(Exception fault)
    {
        if (isClosing)
        {
            return;
        }
        Exception cause = fault.GetBaseException();
        Program.Exit(cause switch
        {
            SocketException or TimeoutException =>
                new Failure($"Nothing listens on {settings.Address}:{settings.Port}: {cause.Message}"),
            AuthenticationException or IOException => new Failure("The other side does not shake hands for TLS."),
            _ => cause,
        });
    }
}
