using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using NetworkLibrary.TCP.Base;
using NetworkLibrary.TCP.ByteMessage;
using NetworkLibrary.TCP.SSL.ByteMessage;
using NetworkLibrary.UDP;
using NetworkLibrary.UDP.Reliable;

/// <summary>The clients of one thread. The library calls back on threads of the pool: each checks the answer that it
/// brings and sends the next message of its slot. This thread connects, sends what is due otherwise (the first
/// messages, those at a rate, streams) and gives up the lost. A round trip is timed from just before the library's send
/// to its callback.</summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Tcp : ByteMessageTcpClient
    {
        protected override void HandleConnected(SocketAsyncEventArgs connected)
        {
            Socket socket = connected.ConnectSocket!;
            // Its clients have no option for it.
            socket.NoDelay = true;
            base.HandleConnected(connected);
            Records.SetSocketBuffers(socket.ReceiveBufferSize, socket.SendBufferSize);
        }
    }

    sealed class Tls(X509Certificate2 own) : SslByteMessageClient(own)
    {
        public override void Connect(string ip, int port)
        {
            base.Connect(ip, port);
            clientSocket.NoDelay = true;
            Records.SetSocketBuffers(clientSocket.ReceiveBufferSize, clientSocket.SendBufferSize);
            // It leaves the version to the system.
            if (sslStream.SslProtocol != SslProtocols.Tls13)
            {
                throw new Failure($"The connection speaks {sslStream.SslProtocol}, not Tls13.");
            }
        }
    }

    // Of a stream, beside what is on its way into the socket.
    const int MostKeptBytes = 1 << 20;
    const int AcceptMilliseconds = 100;

    // What the calling thread is about to send.
    [ThreadStatic] static byte[]? ownBuffer;

    readonly Exchange exchange = new(settings, load);
    readonly bool isUdp = settings.Delivery == "unreliable";
    readonly bool isRudp = settings.Variant == Library.Rudp;
    // Of these three the clients' own is filled.
    readonly TcpClientBase[] tcp = new TcpClientBase[load.Clients];
    readonly AsyncUdpClient[] udp = new AsyncUdpClient[load.Clients];
    readonly RudpClient[] rudp = new RudpClient[load.Clients];
    readonly int bufferBytes = Message.BufferBytes(settings);
    readonly Thread main = Thread.CurrentThread;
    // The library's TLS demands a certificate of clients, too.
    readonly X509Certificate2? own = settings.Security == "tls" ? Certificates.Own(settings) : null;
    readonly string address = Program.Resolve(settings.Address).ToString();
    volatile bool isClosing;

    /// <summary>Connects, and sends what is due until the load ends.</summary>
    public void Run()
    {
        Containment.Contain(settings, main);
        Connect();
        while (exchange.BeginPass())
        {
            Churn();
            SendDue();
            exchange.Pause();
        }
        Close();
    }

    /// <summary>Whether the library may keep more of a client's stream, by its statistics. Its UDP keeps nothing and
    /// tells nothing.</summary>
    public bool HasRoom(int client)
    {
        if (isUdp)
        {
            return true;
        }
        try
        {
            tcp[client].GetStatistics(out var statistics);
            return statistics.PendingBytes < MostKeptBytes;
        }
        catch (NullReferenceException)
        {
            // The connection has just ended.
            return false;
        }
    }

    void Connect()
    {
        for (int client = 0; client < load.Clients; client++)
        {
            Connect(client);
            load.AddConnected();
        }
        if (isRudp)
        {
            // Its server confirms a client before it listens to it, and a message that comes in between is confirmed,
            // too, but handed to nobody (RudpServer.Register): so of many runs with one client some had no greeting.
            Thread.Sleep(AcceptMilliseconds);
        }
    }

    void Connect(int client)
    {
        void Take(byte[] bytes, int offset, int count) => OnMessage(client, bytes, offset, count);
        if (isUdp)
        {
            var connection = new AsyncUdpClient { OnBytesRecieved = Take };
            udp[client] = connection;
            connection.OnError = fault => OnError(client, connection, fault);
            connection.Connect(address, settings.Port);
        }
        else if (isRudp)
        {
            rudp[client] = new RudpClient { OnReceived = Take };
            rudp[client].Connect(address, settings.Port);
        }
        else
        {
            TcpClientBase connection = NewTcp();
            tcp[client] = connection;
            connection.OnBytesReceived = Take;
            connection.OnDisconnected = () => OnGone(client, connection);
            connection.Connect(address, settings.Port);
        }
    }

    // One client may have to leave its room and join again, on a new connection. The library connects while its caller
    // waits, which the messages of the others do not wait for.
    void Churn()
    {
        byte[] message = OwnBuffer();
        if (!exchange.TryLeave(message, out int client))
        {
            return;
        }
        Send(client, message, Message.HeaderBytes);
        ConnectAgain(client, EndOf(client));
    }

    // In a method of its own, as what the task captures would else be allocated in every pass.
    void ConnectAgain(int client, Action endOfLeft) => Task.Run(() =>
    {
        try
        {
            Connect(client);
            endOfLeft();
            exchange.JoinAgain(client);
        }
        catch (Exception fault)
        {
            OnError(fault);
        }
    });

    TcpClientBase NewTcp()
    {
        if (own == null)
        {
            return Library.Tune(new Tcp(), settings);
        }
        return new Tls(own)
        {
            RemoteCertificateValidationCallback = (_, shown, _, _) => Certificates.IsTrusted(shown, settings),
        };
    }

    void SendDue()
    {
        byte[] message = OwnBuffer();
        int length = exchange.TryNext(this, message, out int client);
        while (length > 0)
        {
            Send(client, message, length);
            length = exchange.TryNext(this, message, out client);
        }
    }

    void OnMessage(int client, byte[] bytes, int offset, int count)
    {
        if (count < 0 || count > bufferBytes)
        {
            OnError(new Failure($"The library takes {count} bytes for a message."));
            return;
        }
        exchange.WaitWhileStalled(client);
        byte[] next = OwnBuffer();
        int length = exchange.OnMessage(client, bytes.AsSpan(offset, count), next, out int sender);
        if (length > 0)
        {
            Send(sender, next, length);
        }
    }

    byte[] OwnBuffer() => ownBuffer ??= new byte[bufferBytes];

    // The library copies the message. Several threads may send on a connection at once: its TCP, TLS and reliable UDP
    // queue messages under locks of their own, its UDP hands them to the socket.
    void Send(int client, byte[] message, int length)
    {
        if (isUdp)
        {
            udp[client].SendAsync(message, 0, length);
        }
        else if (isRudp)
        {
            rudp[client].Send(message, 0, length);
        }
        else
        {
            tcp[client].SendAsync(message, 0, length);
        }
    }

    // One that was left behind ends, too.
    void OnGone(int client, TcpClientBase connection)
    {
        if (connection == tcp[client] && !isClosing && !exchange.TryLose(client))
        {
            OnError(new Failure("The server closed the connection."));
        }
    }

    // As above.
    void OnError(int client, AsyncUdpClient connection, Exception fault)
    {
        if (connection == udp[client])
        {
            OnError(fault);
        }
    }

    void OnError(Exception fault)
    {
        if (!isClosing)
        {
            Program.Exit(fault);
        }
    }

    void Close()
    {
        isClosing = true;
        for (int client = 0; client < load.Clients; client++)
        {
            EndOf(client)();
        }
    }

    // What ends the connection that a client has now.
    Action EndOf(int client)
    {
        if (isUdp)
        {
            return udp[client].Dispose;
        }
        return isRudp ? rudp[client].Disconnect : tcp[client].Disconnect;
    }
}
