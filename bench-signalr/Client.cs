using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.Http.Connections.Client;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.Extensions.DependencyInjection;

/// <summary>The clients: a HubConnection each. A call is timed from just before it is made to just after its result is
/// there.</summary>
sealed class Client(Settings settings, Load load)
{
    // So many clients connect side by side, which a server's queue of connections holds.
    const int MostConnecting = 32;
    const int CloseMilliseconds = 10_000;

    readonly Hello hello = Calls.NewHello(settings);
    readonly Exchange exchange = new(settings, load);
    readonly HubConnection[] clients = new HubConnection[settings.Clients];
    volatile bool isClosed;

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

    /// <summary>Makes a call and the next ones of its slot, or sends a message.</summary>
    public void Begin(Due due)
    {
        if (settings.MakesCalls)
        {
            _ = Call(due);
        }
        else if (due.Sequence != Due.Leaving)
        {
            // A client leaves its room by the end of its connection. The library may still read the bytes when it
            // returns. Where it cannot send them the connection has ended, which Closed tells.
            _ = clients[due.Index].SendAsync(nameof(CallsHub.Say), exchange.Write(due).ToArray());
        }
    }

    /// <summary>Waits so long: answers come on threads of the pool.</summary>
    public void Poll(int microseconds) => Delay.Sleep(microseconds);

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosed = true;
        Task closed = Task.WhenAll(Array.ConvertAll(clients, client => client.DisposeAsync().AsTask()));
        // One that fails to close has ended, too.
        Task.WhenAny(closed).Wait(CloseMilliseconds);
    }

    HubConnection New(int index)
    {
        var builder = new HubConnectionBuilder();
        if (settings.Variant == Library.MessagePack)
        {
            builder.AddMessagePackProtocol();
        }
        if (settings.Variant == Library.Tcp)
        {
            builder.Services.AddSingleton<IConnectionFactory, TcpConnectionFactory>();
            builder.Services.AddSingleton<EndPoint>(settings.Endpoint);
        }
        else
        {
            string scheme = settings.Security == "tls" ? "https" : "http";
            builder.WithUrl($"{scheme}://{settings.Endpoint}{Server.Path}", Set);
        }
        HubConnection client = builder.Build();
        client.On<byte[]>(CallsHub.Hear, message => Hear(index, message));
        client.Closed += fault =>
        {
            OnClosed(fault);
            return Task.CompletedTask;
        };
        return client;
    }

    void Set(HttpConnectionOptions connection)
    {
        // One without an address: there is none between them.
        connection.Proxy = new WebProxy();
        // Both ways to the server know the certificate: negotiation, and the WebSocket.
        if (settings.Security == "tls")
        {
            connection.HttpMessageHandlerFactory = _ =>
                new SocketsHttpHandler { UseProxy = false, SslOptions = TlsOptions.OfClient(settings) };
            connection.WebSocketConfiguration = socket => socket.RemoteCertificateValidationCallback =
                TlsOptions.OfClient(settings).RemoteCertificateValidationCallback;
        }
        if (settings.Profile == "tuned")
        {
            connection.SkipNegotiation = (bool)Library.Tuned!["SkipNegotiation"];
            connection.Transports = HttpTransportType.WebSockets;
        }
    }

    async Task Connect(int index)
    {
        try
        {
            await clients[index].StartAsync();
            load.OnOpen(index);
        }
        catch (Exception fault)
        {
            if (!isClosed)
            {
                Program.Exit(Told(fault.GetBaseException()));
            }
        }
    }

    Exception Told(Exception reason)
    {
        string place = $"{settings.Address}:{settings.Port}";
        return reason switch
        {
            Failure => reason,
            SocketException => new Failure($"Nothing listens on {place}: {reason.Message}"),
            _ => new Failure($"Nothing on {place} answers as a server of this bench: {reason.Message}"),
        };
    }

    // A connection may end without a word; else the library or the server says why.
    void OnClosed(Exception? fault)
    {
        bool isSilent = fault is null or WebSocketException or IOException or SocketException;
        if (!isClosed)
        {
            Program.Exit(new Failure(isSilent ? "The server closed the connection." : fault!.Message));
        }
    }

    void Hear(int index, byte[] message)
    {
        if (!isClosed)
        {
            exchange.OnMessage(index, message);
        }
    }

    // Makes a slot's calls one after another. All works share this one asynchronous method, since another one around
    // each call would allocate.
    async Task Call(Due due)
    {
        HubConnection client = clients[due.Index];
        while (due.Sequence > 0)
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(due);
                        isRight = Calls.IsRight(due, await client.InvokeAsync<int>("Sum", a, b));
                        break;
                    case Calls.GetUser:
                        isRight = Calls.IsRight(await client.InvokeAsync<User?>("GetUser", Calls.User.Id));
                        break;
                    default:
                        var call = new HelloRequest(hello);
                        HelloReply reply = await client.InvokeAsync<HelloReply>("SayHello", call);
                        isRight = Calls.IsRight(reply.Response, hello);
                        break;
                }
                due = load.EndCall(due, isRight);
            }
            catch (Exception fault)
            {
                if (!isClosed)
                {
                    load.FailCall(due, fault.GetType().Name, fault);
                }
                return;
            }
        }
    }
}
