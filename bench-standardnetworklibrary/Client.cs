using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using NetworkLibrary.TCP.Base;
using NetworkLibrary.TCP.ByteMessage;
using NetworkLibrary.TCP.SSL.ByteMessage;
using NetworkLibrary.UDP;
using NetworkLibrary.UDP.Reliable;

/// <summary>The clients of one thread. The library calls back on pool threads: those check the answers and send what is
/// next; this thread connects, paces, sends streams and gives up the lost. Each takes the lock while it touches the load.
/// A round trip is timed from just before the library's send to its callback.</summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Tcp : ByteMessageTcpClient
    {
        protected override void HandleConnected(SocketAsyncEventArgs connected)
        {
            connected.ConnectSocket!.NoDelay = true; // for which its clients have no option
            base.HandleConnected(connected);
            Records.SocketBufferBytes = (connected.ConnectSocket.ReceiveBufferSize, connected.ConnectSocket.SendBufferSize);
        }
    }

    sealed class Tls(X509Certificate2 own) : SslByteMessageClient(own)
    {
        public override void Connect(string ip, int port)
        {
            base.Connect(ip, port);
            clientSocket.NoDelay = true;
            Records.SocketBufferBytes = (clientSocket.ReceiveBufferSize, clientSocket.SendBufferSize);
            // It leaves the version to the system.
            if (sslStream.SslProtocol != SslProtocols.Tls13) throw new Failure($"The connection speaks {sslStream.SslProtocol}, not Tls13.");
        }
    }

    const int MostKeptBytes = 1 << 20; // of a stream, beside what is on its way into the socket
    const int MostInPass = 1 << 14; // so that marks are seen while millions of lanes begin

    [ThreadStatic] static byte[]? threadBuffer;

    readonly bool isUdp = settings.Delivery == "unreliable", isRudp = settings.Variant == Library.Rudp;
    readonly TcpClientBase[] tcp = new TcpClientBase[load.Clients];
    readonly AsyncUdpClient[] udp = new AsyncUdpClient[load.Clients];
    readonly RudpClient[] rudp = new RudpClient[load.Clients];
    readonly int bufferBytes = Load.BufferBytes(settings);
    readonly Thread main = Thread.CurrentThread;
    readonly Lock touching = new();
    volatile bool closing;

    public void Run()
    {
        Library.Contain(settings, main);
        Connect();
        while (Poll(out var dueSoon))
            if ((settings.Rate > 0 || load.Streams) && dueSoon) Thread.Yield(); else Thread.Sleep(1);
        Close();
    }

    void Connect()
    {
        var address = Program.Resolve(settings.Address).ToString();
        using var certificate = settings.Security == "tls" ? Library.MakeCertificate() : null;
        for (var client = 0; client < load.Clients; client++)
        {
            var number = client;
            void Take(byte[] bytes, int offset, int count) => OnMessage(number, bytes, offset, count);
            if (isUdp) (udp[client] = new AsyncUdpClient { OnBytesRecieved = Take, OnError = OnError }).Connect(address, settings.Port);
            else if (isRudp) (rudp[client] = new RudpClient { OnReceived = Take }).Connect(address, settings.Port);
            else
            {
                TcpClientBase connection = certificate == null ? new Tcp() : new Tls(certificate) { RemoteCertificateValidationCallback = IsPinned };
                (connection.OnBytesReceived, connection.OnDisconnected) = (Take, () => OnError(new Failure("The server closed the connection.")));
                (tcp[client] = Library.Tune(connection, settings)).Connect(address, settings.Port);
            }
            lock (touching) load.Connected++;
        }
    }

    bool IsPinned(object _, X509Certificate? certificate, X509Chain? chain, System.Net.Security.SslPolicyErrors errors) =>
        Library.Sha256(certificate!) == settings.CertificateSha256 ? true
            : throw new Failure("The server's certificate is not the one whose SHA-256 was given.");

    bool Poll(out bool dueSoon)
    {
        bool continues;
        lock (touching) continues = load.Continues();
        Send();
        lock (touching) dueSoon = load.WaitMicroseconds() == 0;
        return continues;
    }

    /// <summary>Whether the library may keep more of a client's stream, by its statistics. Its UDP keeps nothing and tells nothing.</summary>
    public bool HasRoom(int client)
    {
        if (isUdp) return true;
        try
        {
            tcp[client].GetStatistics(out var statistics);
            return statistics.PendingBytes < MostKeptBytes;
        }
        catch (NullReferenceException) { return false; } // the connection has just ended
    }

    void Send()
    {
        var message = threadBuffer ??= new byte[bufferBytes];
        for (var more = MostInPass; more > 0; more--)
        {
            int client, length;
            lock (touching) length = load.TryNext(this, message, out client);
            if (length == 0) return;
            Send(client, message, length);
        }
    }

    // The lock is held while a message is made, not while the library sends it. It copies the message.
    void Send(int client, byte[] message, int length)
    {
        if (isUdp) udp[client].SendAsync(message, 0, length);
        else if (isRudp) rudp[client].Send(message, 0, length);
        else tcp[client].SendAsync(message, 0, length);
    }

    // Answered is one at a time, so that one lane is free. A stream is the other thread's, so that it keeps its order.
    void OnMessage(int client, byte[] bytes, int offset, int count)
    {
        if (count < 0 || count > bufferBytes) OnError(new Failure($"The library takes {count} bytes for a message."));
        var next = threadBuffer ??= new byte[bufferBytes];
        int sender = 0, length = 0;
        lock (touching)
        {
            load.OnMessage(client, bytes.AsSpan(offset, count));
            if (!load.Streams) length = load.TryNext(this, next, out sender);
        }
        if (length > 0) Send(sender, next, length);
    }

    void OnError(Exception fault) { if (!closing) Program.Exit(fault); }

    void Close()
    {
        closing = true;
        for (var client = 0; client < load.Clients; client++)
            if (isUdp) udp[client].Dispose(); else if (isRudp) rudp[client].Disconnect(); else tcp[client].Disconnect();
    }
}
