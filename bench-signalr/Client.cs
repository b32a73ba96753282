using System.Diagnostics;
using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.Http.Connections.Client;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.Extensions.DependencyInjection;

/// <summary>The clients: a HubConnection each. A call is timed from just before it is made to just after its result is
/// there.</summary>
sealed class Client(Settings settings, Load load)
{
    readonly HubConnection[] clients = new HubConnection[load.Clients];
    readonly Chat? chat = settings.Work == Settings.Broadcast ? new Chat(settings, load) : null;
    readonly int messageBytes = Message.BufferBytes(settings);
    volatile bool isClosing;

    // What the calling thread sends next.
    [ThreadStatic] static byte[]? ownNext;

    /// <summary>Connects, and begins the calls that are due until the load ends.</summary>
    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.BeginPass())
        {
            if (chat != null)
            {
                SayDue(chat);
            }
            else
            {
                CallDue();
            }
            load.Pause();
        }
        isClosing = true;
        Task.WaitAll(Array.ConvertAll(clients, client => client.DisposeAsync().AsTask()));
    }

    void CallDue()
    {
        while (load.TryBegin(out int slot))
        {
            _ = Call(slot);
        }
    }

    void SayDue(Chat chat)
    {
        chat.Joining.BeginPass();
        byte[] next = ownNext ??= new byte[messageBytes];
        if (chat.Joining.TryLeave(next, out int leaver))
        {
            Say(leaver, next, Message.HeaderBytes);
            _ = ConnectAgain(chat, leaver);
        }
        int length = chat.TryNext(next, out int client);
        while (length > 0)
        {
            Say(client, next, length);
            length = chat.TryNext(next, out client);
        }
    }

    // The library may still read the bytes when this returns.
    void Say(int client, byte[] next, int length) => _ = Say(clients[client], next.AsSpan(0, length).ToArray());

    async Task Say(HubConnection connection, byte[] message)
    {
        try
        {
            await connection.SendAsync("Say", message);
        }
        catch (Exception fault)
        {
            OnGone(connection, fault);
        }
    }

    async Task ConnectAgain(Chat chat, int client)
    {
        HubConnection left = clients[client];
        try
        {
            await Connect(client);
            await left.DisposeAsync();
            chat.Joining.JoinAgain(client);
        }
        catch (Exception fault)
        {
            Program.Exit(new Failure(fault.Message));
        }
    }

    // That of before is gone where a client has left.
    void OnGone(HubConnection connection, Exception? fault)
    {
        int client = Array.IndexOf(clients, connection);
        if (!isClosing && client >= 0 && chat?.Joining.TryLose(client) != true)
        {
            Program.Exit(new Failure(fault?.Message ?? "The server closed the connection."));
        }
    }

    void OnHeard(int client, byte[] message)
    {
        try
        {
            chat!.Joining.WaitWhileStalled(client);
            byte[] next = ownNext ??= new byte[messageBytes];
            int length = chat.OnMessage(client, message, next, out int sender);
            if (length > 0)
            {
                Say(sender, next, length);
            }
        }
        catch (Exception fault)
        {
            // The library would keep it to itself.
            Program.Exit(fault);
        }
    }

    async Task Connect(int client)
    {
        HubConnection connection = New();
        connection.Closed += fault =>
        {
            OnGone(connection, fault);
            return Task.CompletedTask;
        };
        connection.On<byte[]>("Hear", message => OnHeard(client, message));
        await connection.StartAsync();
        clients[client] = connection;
    }

    async Task Connect()
    {
        for (int client = 0; client < clients.Length; client++)
        {
            await Connect(client);
            load.AddConnected();
        }
        long calledAt = Stopwatch.GetTimestamp();
        var call = new HelloRequest(Calls.FirstHello);
        HelloReply reply = await clients[0].InvokeAsync<HelloReply>("SayHello", call);
        Greeting.TakeReply(reply.Response.Name, calledAt, settings);
    }

    HubConnection New()
    {
        var builder = new HubConnectionBuilder();
        IPAddress address = Program.Resolve(settings.Address);
        if (settings.Variant == "messagepack")
        {
            builder.AddMessagePackProtocol();
        }
        if (settings.Variant != "tcp")
        {
            string scheme = settings.Security == "tls" ? "https" : "http";
            return builder.WithUrl($"{scheme}://{address}:{settings.Port}/calls", Set).Build();
        }
        builder.Services.AddSingleton<IConnectionFactory, TcpConnectionFactory>();
        builder.Services.AddSingleton<EndPoint>(new IPEndPoint(address, settings.Port));
        return builder.Build();
    }

    void Set(HttpConnectionOptions connection)
    {
        // Both ways to the server know the certificate: negotiation, and the WebSocket.
        if (settings.Security == "tls")
        {
            connection.HttpMessageHandlerFactory = _ =>
                new SocketsHttpHandler { SslOptions = TlsOptions.OfClient(settings) };
            connection.WebSocketConfiguration = socket => socket.RemoteCertificateValidationCallback =
                TlsOptions.OfClient(settings).RemoteCertificateValidationCallback;
        }
        if (settings.Profile == "tuned")
        {
            connection.SkipNegotiation = true;
            connection.Transports = HttpTransportType.WebSockets;
        }
    }

    // Makes a slot's calls one after another. All works share this one asynchronous method, since another one around
    // each call would allocate.
    async Task Call(int slot)
    {
        HubConnection client = clients[load.ClientOf(slot)];
        bool continues;
        do
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(load, slot);
                        isRight = Calls.IsRight(load, slot, await client.InvokeAsync<int>("Sum", a, b));
                        break;
                    case Calls.GetUser:
                        isRight = Calls.IsRight(await client.InvokeAsync<User?>("GetUser", Calls.User.Id));
                        break;
                    default:
                        var call = new HelloRequest(Calls.Hello);
                        HelloReply reply = await client.InvokeAsync<HelloReply>("SayHello", call);
                        isRight = Calls.IsRight(reply.Response);
                        break;
                }
                continues = load.End(slot, isRight);
            }
            catch (Exception fault)
            {
                continues = load.Fail(slot, fault.GetType().Name);
            }
        }
        while (continues);
    }
}
