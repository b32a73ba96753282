using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Configuration;
using Orleans.Connections.Security;
using Orleans.Hosting;

/// <summary>One silo, whose gateway clients connect to.</summary>
static class Server
{
    /// <summary>The name of the cluster and of the service, which both sides tell each other.</summary>
    public const string Cluster = "bench";

    /// <summary>The clients that are in rooms.</summary>
    public static Service<IMember> Rooms { get; private set; } = null!;

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        Rooms = new Service<IMember>(settings);
        // A silo takes a gateway's port that is in use without a word, and then serves nobody.
        using (var probe = new Socket(settings.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp))
        {
            probe.Bind(settings.Endpoint);
        }
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.UseOrleans(silo => Set(silo, settings));
        builder.Build().Start();
        Records.WriteReady(settings);
    }

    static void Set(ISiloBuilder silo, Settings settings)
    {
        int siloPort = FreePort(settings.Endpoint.Address);
        silo.UseDevelopmentClustering(new IPEndPoint(settings.Endpoint.Address, siloPort));
        silo.Configure<ClusterOptions>(cluster =>
        {
            cluster.ClusterId = Cluster;
            cluster.ServiceId = Cluster;
        });
        silo.Configure<EndpointOptions>(endpoints =>
        {
            endpoints.AdvertisedIPAddress = settings.Endpoint.Address;
            endpoints.SiloPort = siloPort;
            endpoints.GatewayPort = settings.Endpoint.Port;
            endpoints.GatewayListeningEndpoint = settings.Endpoint;
        });
        if (settings.Security == "tls")
        {
            silo.UseTls(Certificates.Own(settings), tls =>
            {
                tls.SslProtocols = SslProtocols.Tls13;
                // Clients show none.
                tls.RemoteCertificateMode = RemoteCertificateMode.NoCertificate;
            });
        }
    }

    // That where other silos would connect.
    static int FreePort(IPAddress address)
    {
        using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(address, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
