using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

/// <summary>The clients: a HubConnection each.</summary>
sealed class Client(Settings settings, Load load)
{
    // In place of the WebSockets of the whole package.
    sealed class Tcp : IConnectionFactory
    {
        static readonly SocketConnectionContextFactory contexts = new(new(), NullLogger.Instance);

        public async ValueTask<ConnectionContext> ConnectAsync(EndPoint server, CancellationToken cancelled)
        {
            var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await socket.ConnectAsync(server, cancelled);
            return contexts.Create(socket);
        }
    }

    readonly HubConnection[] clients = new HubConnection[settings.OwnClients];
    volatile bool closing;

    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.Continues())
            while (load.TryNext(out var lane)) _ = Call(lane);
        closing = true;
        Task.WaitAll(Array.ConvertAll(clients, client => client.DisposeAsync().AsTask()));
    }

    async Task Connect()
    {
        for (var client = 0; client < clients.Length; client++)
        {
            clients[client] = New();
            clients[client].Closed += fault =>
            {
                if (!closing) Program.Exit(new Failure(fault?.Message ?? "The server closed the connection."));
                return Task.CompletedTask;
            };
            await clients[client].StartAsync();
            load.Connected++;
        }
        var calledAt = Stopwatch.GetTimestamp();
        var hello = await clients[0].InvokeAsync<HelloReply>("SayHello", new HelloRequest(Load.First));
        Load.OnFirst(hello.Response.Name, calledAt);
    }

    HubConnection New()
    {
        var builder = new HubConnectionBuilder();
#if FULL
        if (settings.Variant == "messagepack") builder.AddMessagePackProtocol();
        if (settings.Variant != "tcp")
            return builder.WithUrl($"{(settings.Security == "tls" ? "https" : "http")}://{Program.Resolve(settings.Address)}:{settings.Port}/calls", connection =>
            {
                // Both ways to the server know the certificate: negotiation, and the WebSocket.
                if (settings.Security == "tls")
                {
                    connection.HttpMessageHandlerFactory = _ => new SocketsHttpHandler { SslOptions = Tls.OfClient(settings) };
                    connection.WebSocketConfiguration = socket => socket.RemoteCertificateValidationCallback = Tls.OfClient(settings).RemoteCertificateValidationCallback;
                }
                if (settings.Profile != "tuned") return;
                connection.SkipNegotiation = true;
                connection.Transports = Microsoft.AspNetCore.Http.Connections.HttpTransportType.WebSockets;
            }).Build();
#endif
        builder.Services.AddSingleton<IConnectionFactory, Tcp>();
        builder.Services.AddSingleton<EndPoint>(new IPEndPoint(Program.Resolve(settings.Address), settings.Port));
        return builder.Build();
    }

    async Task Call(int lane)
    {
        var (client, again) = (clients[load.ClientOf(lane)], true);
        while (again)
            try
            {
                if (settings.Work == "sum")
                {
                    var (a, b) = load.Terms(lane);
                    again = load.OnSum(lane, await client.InvokeAsync<int>("Sum", a, b));
                }
                else if (settings.Work == "get-user") again = load.OnUser(lane, await client.InvokeAsync<User?>("GetUser", Load.User.Id));
                else again = load.OnHello(lane, (await client.InvokeAsync<HelloReply>("SayHello", new HelloRequest(Load.Hello))).Response);
            }
            catch (Exception fault)
            {
                again = load.OnFailure(lane, fault.GetType().Name);
            }
    }
}
