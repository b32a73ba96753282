using System.Buffers;
using System.Net.Sockets;
using System.Security.Authentication;
using MQTTnet;

/// <summary>The clients: a client of the library's each, which calls back on threads of the pool. A round trip is timed
/// from just before the message is published to just after its answer is handed over.</summary>
sealed class Client(Settings settings, Load load)
{
    // So many clients connect side by side, which a server's queue of connections holds.
    const int MostConnecting = 32;
    const int CloseMilliseconds = 5_000;
    const string Closed = "The server closed the connection.";

    readonly Exchange exchange = new(settings, load);
    readonly string own = $"{Guid.NewGuid():N}";
    readonly IMqttClient[] clients = new IMqttClient[settings.Clients];
    volatile bool isClosing;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        for (int index = 0; index < clients.Length; index++)
        {
            clients[index] = New(index);
        }
        _ = Parallel.ForAsync(0, clients.Length, new ParallelOptions { MaxDegreeOfParallelism = MostConnecting },
            async (index, _) => await Connect(index));
    }

    /// <summary>Publishes a message; in a room for all of it, but for the one by which a client joins.</summary>
    public void Begin(Due due)
    {
        bool isForRoom = settings.Work == Settings.Broadcast && load.IsConnected(due.Index);
        string topic = Library.From(isForRoom ? RoomOf(due.Index) : NameOf(due.Index));
        // The library may still read the bytes when it returns.
        var bytes = new ReadOnlySequence<byte>([.. exchange.Write(due)]);
        _ = clients[due.Index].PublishAsync(Library.NewMessage(topic, bytes, settings));
    }

    /// <summary>Waits so long: answers come on threads of the pool.</summary>
    public void Poll(int microseconds) => Delay.Sleep(microseconds);

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosing = true;
        Task.WaitAll(Array.ConvertAll(clients, client => client.DisconnectAsync()), CloseMilliseconds);
        Array.ForEach(clients, client => client.Dispose());
    }

    // A second client of the same name would end the first one's connection.
    string NameOf(int index) => $"{own}-{settings.FirstClient + index}";

    string RoomOf(int index) => $"room-{settings.RoomOf(index)}";

    IMqttClient New(int index)
    {
        IMqttClient client = new MqttClientFactory().CreateMqttClient();
        client.ApplicationMessageReceivedAsync += come =>
        {
            if (!isClosing)
            {
                exchange.OnMessage(index, come.ApplicationMessage.Payload.FirstSpan);
            }
            return Task.CompletedTask;
        };
        client.DisconnectedAsync += left =>
        {
            if (!isClosing && left.ClientWasConnected)
            {
                Program.Exit(new Failure(Closed));
            }
            return Task.CompletedTask;
        };
        return client;
    }

    async Task Connect(int index)
    {
        MqttClientOptionsBuilder options = new MqttClientOptionsBuilder()
            .WithEndPoint(settings.Endpoint)
            .WithClientId(NameOf(index))
            .WithNoKeepAlive();
        if (settings.Security == "tls")
        {
            options.WithTlsOptions(new MqttClientTlsOptions
            {
                UseTls = true,
                TargetHost = "localhost",
                SslProtocol = SslProtocols.Tls13,
                CertificateValidationHandler = shown => Certificates.IsTrusted(shown.Certificate, settings),
            });
        }
        try
        {
            await clients[index].ConnectAsync(options.Build());
            await clients[index].SubscribeAsync(Library.To(NameOf(index)), Library.Quality(settings));
            await clients[index].SubscribeAsync(Library.To(RoomOf(index)), Library.Quality(settings));
        }
        catch (Exception fault)
        {
            Program.Exit(Told(fault.GetBaseException()));
        }
        load.OnOpen(index);
    }

    Exception Told(Exception reason)
    {
        string place = $"{settings.Address}:{settings.Port}";
        return reason switch
        {
            Failure => reason,
            SocketException { SocketErrorCode: SocketError.ConnectionReset } => new Failure(Closed),
            SocketException => new Failure($"Nothing listens on {place}: {reason.Message}"),
            _ => new Failure($"Nothing on {place} answers as a server of this bench: {reason.Message}"),
        };
    }
}
