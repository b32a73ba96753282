using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

/// <summary>The server: one thread blocks until a connection or the listener has something, or in the variant spin
/// looks without pause, and answers each message at once.</summary>
static class Server
{
    const int WaitMicroseconds = 100_000;

    // By their places in the set of sockets, where the listener has the first.
    static readonly List<Connection?> connections = [null];
    // Those in which messages lie that wait for more.
    static readonly List<Connection> holding = [];
    static Service<Connection> service = null!;
    static SocketSet sockets = null!;
    static bool hasRooms;

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        service = new Service<Connection>(settings);
        hasRooms = settings.HasRooms;
        SslServerAuthenticationOptions? tls = settings.Security == "tls" ? Tls.ServerOptions(settings) : null;
        using Socket listener = Connection.NewSocket(settings.Endpoint, settings);
        listener.Bind(settings.Endpoint);
        listener.Listen();
        listener.Blocking = false;
        sockets = new SocketSet(listener);
        Records.WriteReady(settings);
        while (true)
        {
            int microseconds = Math.Min(WaitMicroseconds, service.MicrosecondsToTick);
            foreach (int place in sockets.Wait(settings.Variant == Library.Spin ? 0 : microseconds))
            {
                if (place == 0)
                {
                    Accept(listener, settings, tls);
                }
                else if (connections[place] is { } connection)
                {
                    Receive(place, connection);
                }
            }
            foreach (Service<Connection>.Member player in service.Tick())
            {
                Send(player.Connection, player.Snapshot);
            }
            Push();
        }
    }

    static void Accept(Socket listener, Settings settings, SslServerAuthenticationOptions? tls)
    {
        Socket? accepted = null;
        try
        {
            accepted = listener.Accept();
            accepted.Blocking = true;
            var connection = new Connection(accepted, settings, tls);
            int place = sockets.Add(accepted);
            if (place == connections.Count)
            {
                connections.Add(null);
            }
            connections[place] = connection;
        }
        catch (Exception fault)
            when (fault is SocketException or IOException or AuthenticationException or Failure)
        {
            // The client left or speaks no TLS, or no file can be opened for it.
            accepted?.Dispose();
        }
    }

    static void Receive(int place, Connection connection)
    {
        try
        {
            bool mayHaveMore = connection.TryReceive();
            while (mayHaveMore)
            {
                while (connection.TryTake(out ReadOnlySpan<byte> message))
                {
                    foreach (Connection receiver in service.Take(ref connection, message))
                    {
                        Send(receiver, message);
                    }
                }
                mayHaveMore = connection.IsEncrypted && connection.TryReceive();
            }
        }
        catch (Exception fault) when (fault is Failure or IOException)
        {
            // The client is gone, or sends what is no message of these settings.
            service.OnClosed(connection);
            sockets.Remove(place);
            connections[place] = null;
            connection.Dispose();
        }
    }

    // A room does not wait for one who does not read: it is put out, and its receive sees the end.
    static void Send(Connection receiver, ReadOnlySpan<byte> message)
    {
        bool wasHolding = receiver.IsHolding;
        try
        {
            if (hasRooms && !receiver.HasRoom())
            {
                throw new Failure("A client does not read.");
            }
            receiver.Send(message);
        }
        catch (Exception fault) when (fault is Failure or IOException)
        {
            Window.Now[Count.Sent]--;
            receiver.End();
        }
        if (!wasHolding && receiver.IsHolding)
        {
            holding.Add(receiver);
        }
    }

    static void Push()
    {
        foreach (Connection receiver in holding)
        {
            try
            {
                receiver.Push();
            }
            catch (Exception fault) when (fault is Failure or IOException)
            {
                receiver.End();
            }
        }
        holding.Clear();
    }
}
