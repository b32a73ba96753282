using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans;
using Orleans.Configuration;
using Orleans.Connections.Security;
using Orleans.Hosting;

/// <summary>The clients: a cluster client each. A call is timed from just before it is made to just after its result is
/// there.</summary>
sealed class Client(Settings settings, Load load)
{
    // So many clients connect side by side, as each builds a host.
    const int MostConnecting = 8;
    const int CloseMilliseconds = 10_000;

    readonly Hello hello = Calls.NewHello(settings);
    readonly Exchange exchange = new(settings, load);
    readonly IHost[] hosts = new IHost[settings.Clients];
    readonly ICalls[] callees = new ICalls[settings.Clients];
    readonly IRoom[] rooms = new IRoom[settings.Clients];
    readonly IMember[] members = new IMember[settings.Clients];
    // The library holds these weakly.
    readonly Ear[] ears = new Ear[settings.Clients];
    readonly ConcurrentBag<Task> leaving = [];
    volatile bool isClosed;

    /// <summary>Opens all connections.</summary>
    public void Connect()
    {
        // The library would try again and again where nothing listens.
        using (var probe = new Socket(settings.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp))
        {
            try
            {
                probe.Connect(settings.Endpoint);
            }
            catch (SocketException fault)
            {
                throw new Failure($"Nothing listens on {settings.Address}:{settings.Port}: {fault.Message}");
            }
        }
        _ = Parallel.ForAsync(0, hosts.Length, new ParallelOptions { MaxDegreeOfParallelism = MostConnecting },
            async (index, _) => await Connect(index));
    }

    /// <summary>Makes a call and the next ones of its slot, or sends a message.</summary>
    public void Begin(Due due)
    {
        if (settings.MakesCalls)
        {
            _ = Call(due);
            return;
        }
        // The library may still read the bytes when it returns.
        byte[] message = exchange.Write(due).ToArray();
        bool isMoving = due.Sequence == Due.Leaving || !load.IsConnected(due.Index);
        Task said = Say(due.Index, message, isMoving ? members[due.Index] : null);
        if (due.Sequence == Due.Leaving)
        {
            leaving.Add(said);
        }
    }

    /// <summary>Waits so long: answers come on threads of the pool.</summary>
    public void Poll(int microseconds) => Delay.Sleep(microseconds);

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosed = true;
        // One that fails to leave or to stop has ended, too.
        Task.WhenAny(Task.WhenAll(leaving)).Wait(CloseMilliseconds);
        Task stopped = Task.WhenAll(hosts.Where(host => host != null).Select(host => host.StopAsync()));
        Task.WhenAny(stopped).Wait(CloseMilliseconds);
        Array.ForEach(hosts, host => host?.Dispose());
    }

    async Task Connect(int index)
    {
        try
        {
            IHost host = New(index);
            hosts[index] = host;
            await host.StartAsync();
            var client = host.Services.GetRequiredService<IClusterClient>();
            int number = settings.FirstClient + index;
            callees[index] = client.GetGrain<ICalls>(number);
            rooms[index] = client.GetGrain<IRoom>(settings.RoomOf(index));
            ears[index] = new Ear(message => Hear(index, message));
            members[index] = client.CreateObjectReference<IMember>(ears[index]);
            load.OnOpen(index);
        }
        catch (Exception fault)
        {
            if (!isClosed)
            {
                Program.Exit(NoServer(fault.GetBaseException().Message));
            }
        }
    }

    Failure NoServer(string reason) =>
        new($"Nothing on {settings.Address}:{settings.Port} answers as a server of this bench: {reason}");

    IHost New(int index)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.UseOrleansClient(client => Set(client, index));
        return builder.Build();
    }

    void Set(IClientBuilder client, int index)
    {
        client.UseStaticClustering(settings.Endpoint);
        client.Configure<ClusterOptions>(cluster =>
        {
            cluster.ClusterId = Server.Cluster;
            cluster.ServiceId = Server.Cluster;
        });
        client.AddClusterConnectionLostHandler((_, _) => OnLost(index));
        if (settings.Security == "tls")
        {
            client.UseTls(tls =>
            {
                tls.SslProtocols = SslProtocols.Tls13;
                tls.ClientCertificateMode = RemoteCertificateMode.NoCertificate;
                tls.RemoteCertificateValidation = (shown, _, _) => IsTrusted(shown);
            });
        }
    }

    // The library keeps to itself what is thrown here, and tries again.
    bool IsTrusted(X509Certificate shown)
    {
        try
        {
            return Certificates.IsTrusted(shown, settings);
        }
        catch (Failure fault)
        {
            Program.Exit(fault);
            return false;
        }
    }

    void OnLost(int index)
    {
        if (!isClosed)
        {
            const string Reason = "The server closed the connection.";
            Program.Exit(load.IsConnected(index) ? new Failure(Reason) : NoServer(Reason));
        }
    }

    async Task Say(int index, byte[] message, IMember? member)
    {
        try
        {
            await rooms[index].Say(message, member);
        }
        catch (Exception fault)
        {
            if (!isClosed)
            {
                Program.Exit(new Failure(fault.Message));
            }
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
        ICalls callee = callees[due.Index];
        while (due.Sequence > 0)
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(due);
                        isRight = Calls.IsRight(due, await callee.Sum(a, b));
                        break;
                    case Calls.GetUser:
                        isRight = Calls.IsRight(await callee.GetUser(Calls.User.Id));
                        break;
                    default:
                        HelloReply reply = await callee.SayHello(new HelloRequest(hello));
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

    // What a room tells one client.
    sealed class Ear(Action<byte[]> hear) : IMember
    {
        public Task Hear(byte[] message)
        {
            hear(message);
            return Task.CompletedTask;
        }
    }
}
