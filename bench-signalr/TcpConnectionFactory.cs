using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;

/// <summary>Connects clients over plain TCP, in place of the WebSockets of the whole package.</summary>
sealed class TcpConnectionFactory : IConnectionFactory
{
    static readonly SocketConnectionContextFactory contexts =
        new(new SocketConnectionFactoryOptions(), NullLogger.Instance);

    public async ValueTask<ConnectionContext> ConnectAsync(EndPoint server, CancellationToken cancelled)
    {
        var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(server, cancelled);
        return contexts.Create(socket);
    }
}
