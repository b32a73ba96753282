using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using NetCoreServer;

/// <summary>The clients of one thread. The library calls back on pool threads: those check the answers and send what is
/// next; this thread connects, paces and gives up the lost. Each takes the load's lock while it touches the load. A round
/// trip is timed from just before the library's send to OnReceived.</summary>
sealed class Client(Settings settings, Load load)
{
    sealed class Tcp(Client owner, int client, IPAddress address, int port) : NetCoreServer.TcpClient(address, port), IClient
    {
        readonly Frames frames = new(owner.bufferBytes);
        protected override void OnConnecting() => Server.Configure(Socket, owner.streams);
        protected override void OnConnected() => owner.OnConnected();
        protected override void OnError(SocketError error) => owner.OnFault(new SocketException((int)error));
        protected override void OnDisconnected() => owner.OnFault(new SocketException((int)SocketError.ConnectionReset));
        protected override void OnReceived(byte[] buffer, long offset, long size) => owner.OnReceived(client, frames, frames.Append(buffer, offset, size));
    }

    // Connected when it is through the handshake.
    sealed class Tls(Client owner, int client, SslContext context, IPAddress address, int port) : SslClient(context, address, port), IClient
    {
        readonly Frames frames = new(owner.bufferBytes);
        protected override void OnConnecting() => Server.Configure(Socket, owner.streams);
        protected override void OnHandshaked() => owner.OnConnected();
        protected override void OnError(SocketError error) => owner.OnFault(IsHandshaked ? new SocketException((int)error) : new Failure("The other side does not shake hands for TLS."));
        protected override void OnDisconnected() => owner.OnFault(new SocketException((int)SocketError.ConnectionReset));
        protected override void OnReceived(byte[] buffer, long offset, long size) => owner.OnReceived(client, frames, frames.Append(buffer, offset, size));
    }

    sealed class Udp(Client owner, int client, IPAddress address, int port) : NetCoreServer.UdpClient(address, port), IReceiver
    {
        protected override void OnConnecting() => Server.Configure(Socket);
        protected override void OnError(SocketError error) => owner.OnFault(new SocketException((int)error));
        protected override void OnConnected() { owner.OnConnected(); Server.Receive(this); }

        protected override void OnReceived(EndPoint endpoint, byte[] buffer, long offset, long size)
        {
            owner.OnMessage(client, buffer.AsSpan((int)offset, (int)size));
            owner.Send();
            Server.Receive(this);
        }
    }

    const int MostKeptBytes = Library.SocketBufferBytes; // of a stream: as much as fills a socket's own buffer again at once
    const int MostInPass = 1 << 14; // so that marks are seen while millions of lanes begin

    [ThreadStatic] static byte[]? threadBuffer;

    readonly IClient[] tcp = new IClient[settings.Delivery == "unreliable" ? 0 : load.Clients];
    readonly Udp[] udp = new Udp[settings.Delivery == "unreliable" ? load.Clients : 0];
    readonly int bufferBytes = Load.BufferBytes(settings);
    readonly bool streams = load.Streams;
    volatile bool closing;

    public void Run()
    {
        Connect();
        while (Poll())
        {
            Send();
            if ((settings.Rate > 0 || load.Streams) && IsDueSoon()) Thread.Yield(); else Thread.Sleep(1);
        }
        closing = true;
        foreach (var client in tcp) client.Disconnect();
        foreach (var client in udp) client.Disconnect();
    }

    void Connect()
    {
        var address = Program.Resolve(settings.Address);
        for (var client = 0; client < udp.Length; client++)
        {
            udp[client] = Library.Tune(new Udp(this, client, address, settings.Port), settings);
            udp[client].OptionReceiveBufferSize = Math.Max(udp[client].OptionReceiveBufferSize, bufferBytes + 1);
            // By default its sockets share ports, and a few clients get each other's answers.
            udp[client].OptionExclusiveAddressUse = true;
            udp[client].Connect();
        }
        // With a list of certificates, though it is empty, it offers TLS 1.3 alone.
        var context = new SslContext(SslProtocols.Tls13, [], (_, certificate, _, _) => Server.Sha256(certificate!) == settings.CertificateSha256
            || OnFault(new Failure("The server's certificate is not the one whose SHA-256 was given.")));
        for (var client = 0; client < tcp.Length; client++)
        {
            tcp[client] = settings.Security == "tls" ? Library.Tune(new Tls(this, client, context, address, settings.Port), settings)
                : Library.Tune(new Tcp(this, client, address, settings.Port), settings);
            tcp[client].OptionNoDelay = true;
            tcp[client].ConnectAsync();
        }
        while (load.Connected < load.Clients) Thread.Sleep(1);
    }

    /// <summary>Whether the library may keep more of a client's stream. Its UDP keeps nothing: its send waits.</summary>
    public bool HasRoom(int client) => udp.Length > 0 || tcp[client].BytesPending + tcp[client].BytesSending < MostKeptBytes;

    // The lock is held while a message is made, not while the library sends it.
    void Send()
    {
        var frame = threadBuffer ??= new byte[Frames.LengthBytes + bufferBytes];
        for (var more = MostInPass; more > 0; more--)
        {
            int client, length;
            lock (load) length = load.TryNext(this, frame.AsSpan(Frames.LengthBytes), out client);
            if (length == 0) return;
            BinaryPrimitives.WriteInt32LittleEndian(frame, length);
            if (udp.Length > 0) udp[client].Send(frame.AsSpan(Frames.LengthBytes, length));
            else tcp[client].SendAsync(frame.AsSpan(0, Frames.LengthBytes + length));
        }
    }

    bool Poll() { lock (load) return load.Continues(); }
    bool IsDueSoon() { lock (load) return load.WaitMicroseconds() == 0; }
    void OnConnected() { lock (load) load.Connected++; }
    void OnMessage(int client, ReadOnlySpan<byte> message) { lock (load) load.OnMessage(client, message); }
    bool OnFault(Exception fault) { if (!closing) Program.Exit(fault); return false; }

    void OnReceived(int client, Frames frames, ReadOnlySpan<byte> rest)
    {
        try { while (frames.TryTake(ref rest, out var frame)) OnMessage(client, frame[Frames.LengthBytes..]); }
        catch (InvalidDataException fault) { OnFault(fault); } // which its TLS would keep to itself
        Send();
    }
}
