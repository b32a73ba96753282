using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

/// <summary>TLS on a socket that does not wait. SslStream waits for the rest of a record that it has begun to read: so
/// it reads only records that are there as a whole.</summary>
sealed class Tls : IDisposable
{
    /// <summary>The most that a record takes: its header, its content, and what encrypting adds.</summary>
    public const int MostRecordBytes = RecordStream.HeaderBytes + 16_384 + 256;

    // So long either side waits for the other in a handshake: a server, which all its clients wait for meanwhile, and a
    // client.
    const int ServerHandshakeMicroseconds = 2_000_000;
    const int ClientHandshakeMicroseconds = 8_000_000;

    readonly RecordStream records;
    readonly SslStream stream;

    Tls(Socket socket, int handshakeMicroseconds, int mostWaitMicroseconds)
    {
        records = new RecordStream(socket, handshakeMicroseconds, mostWaitMicroseconds);
        // Only now, as a NetworkStream is not made of a socket that does not wait.
        socket.Blocking = false;
        stream = new SslStream(records);
    }

    /// <summary>How a server with these settings shakes hands, for all its connections.</summary>
    public static SslServerAuthenticationOptions ServerOptions(Settings settings) => new()
    {
        ServerCertificate = Certificates.Own(settings),
        EnabledSslProtocols = SslProtocols.Tls13,
    };

    /// <summary>Shakes hands with a client that has connected.</summary>
    public static Tls OfServer(Socket socket, SslServerAuthenticationOptions options, int mostWaitMicroseconds)
    {
        var tls = new Tls(socket, ServerHandshakeMicroseconds, mostWaitMicroseconds);
        tls.stream.AuthenticateAsServer(options);
        // Behind its tickets the server sends a byte: whoever reads a ticket waits for the record after it.
        tls.stream.WriteByte(0);
        return tls;
    }

    /// <summary>Shakes hands with the server.</summary>
    public static Tls OfClient(Socket socket, Settings settings, int mostWaitMicroseconds)
    {
        var tls = new Tls(socket, ClientHandshakeMicroseconds, mostWaitMicroseconds);
        tls.stream.AuthenticateAsClient(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            EnabledSslProtocols = SslProtocols.Tls13,
            RemoteCertificateValidationCallback = (_, shown, _, _) => Certificates.IsTrusted(shown, settings),
        });
        // The byte behind the server's tickets.
        tls.stream.ReadByte();
        return tls;
    }

    /// <summary>Receives what the next record holds, and returns how much that is. 0: without an error the other side
    /// has left, and with WouldBlock there is no whole record yet.</summary>
    public int Receive(Span<byte> into, out SocketError error)
    {
        return records.TryFill(waitMicroseconds: 0, out error) ? stream.Read(into) : 0;
    }

    /// <summary>Sends bytes; waits where the socket is full.</summary>
    public void Send(ReadOnlySpan<byte> bytes) => stream.Write(bytes);

    public void Dispose() => stream.Dispose();
}
