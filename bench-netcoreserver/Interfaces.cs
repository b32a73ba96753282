// What is alike in the library's TCP, TLS and UDP, which have no base of their own.

/// <summary>A server of TCP, TLS or UDP.</summary>
interface IServer
{
    /// <summary>Listens; false where it does already.</summary>
    bool Start();

    /// <summary>Closes all connections, and listens no more.</summary>
    bool Stop();

    /// <summary>Sends bytes to all connections; UDP has none.</summary>
    bool Multicast(ReadOnlySpan<byte> bytes);
}

/// <summary>Either side of a connection of TCP or TLS.</summary>
interface IConnection
{
    /// <summary>Copies and sends bytes; false where the library refuses them. Any thread may call it.</summary>
    bool SendAsync(ReadOnlySpan<byte> bytes);

    /// <summary>Closes the connection.</summary>
    bool Disconnect();
}

/// <summary>A client of TCP or TLS.</summary>
interface IClient : IConnection
{
    /// <summary>Whether Nagle's algorithm is off.</summary>
    bool OptionNoDelay { set; }

    /// <summary>Bytes that it keeps for later sends.</summary>
    long BytesPending { get; }

    /// <summary>Bytes that are on their way into the socket.</summary>
    long BytesSending { get; }

    /// <summary>Begins to connect; a callback says when that is done.</summary>
    bool ConnectAsync();
}

/// <summary>A server or client of UDP.</summary>
interface IDatagramSocket
{
    /// <summary>Asks for the next datagram, which a callback brings.</summary>
    void ReceiveAsync();
}
