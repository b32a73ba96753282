// What is alike in the library's TCP, TLS and UDP, which have no base of their own.

/// <summary>A server of TCP, TLS or UDP.</summary>
interface IServer
{
    bool Start();

    bool Stop();
}

/// <summary>Either side of a connection of TCP or TLS.</summary>
interface IConnection
{
    /// <summary>Copies and sends bytes; false where the library refuses them. Any thread may call it.</summary>
    bool SendAsync(ReadOnlySpan<byte> bytes);

    bool Disconnect();
}

/// <summary>A client of TCP or TLS.</summary>
interface IClient : IConnection
{
    bool OptionNoDelay { set; }

    /// <summary>Bytes that it keeps for later sends.</summary>
    long BytesPending { get; }

    /// <summary>Bytes that are on their way into the socket.</summary>
    long BytesSending { get; }

    bool ConnectAsync();
}

/// <summary>A server or client of UDP.</summary>
interface IReceiver
{
    void ReceiveAsync();
}
