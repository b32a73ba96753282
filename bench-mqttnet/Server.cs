using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using MQTTnet.AspNetCore;
using MQTTnet.Server;

/// <summary>The server: the broker, which takes what clients publish from them and publishes the answer where they have
/// subscribed. What goes to a room is one message of the room's topic.</summary>
static class Server
{
    static Service<string> service = null!;
    static Settings settings = null!;
    static MqttServer broker = null!;

    /// <summary>Listens, and returns where no game has to tick.</summary>
    public static void Run(Settings given)
    {
        settings = given;
        service = new Service<string>(settings);
        if (settings.Variant == Library.Own)
        {
            StartOwn();
        }
        else
        {
            StartOnKestrel();
        }
        Records.WriteReady(settings);
        while (settings.Work == Settings.Game)
        {
            Delay.Sleep(service.MicrosecondsToTick);
            foreach (Service<string>.Member player in service.Tick())
            {
                byte[] snapshot = [.. player.Snapshot];
                Publish(Library.To(player.Connection), new ReadOnlySequence<byte>(snapshot)).GetAwaiter().GetResult();
            }
        }
    }

    static void StartOnKestrel()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddHostedMqttServer(options => Set(options.WithoutDefaultEndpoint()));
        builder.Services.AddMqttConnectionHandler();
        builder.WebHost.ConfigureKestrel(Listen);
        WebApplication app = builder.Build();
        app.UseMqttServer(Watch);
        app.Start();
    }

    static void Listen(KestrelServerOptions kestrel)
    {
        kestrel.Listen(settings.Endpoint, listening =>
        {
            if (settings.Security == "tls")
            {
                listening.UseHttps(TlsOptions.OfServer(settings));
            }
            listening.UseMqtt();
        });
    }

    static void StartOwn()
    {
        IPAddress address = settings.Endpoint.Address;
        bool isOld = address.AddressFamily == AddressFamily.InterNetwork;
        var options = new MqttServerOptionsBuilder();
        if (settings.Security == "tls")
        {
            options
                .WithEncryptedEndpoint()
                .WithEncryptedEndpointPort(settings.Port)
                .WithEncryptedEndpointBoundIPAddress(isOld ? address : IPAddress.None)
                .WithEncryptedEndpointBoundIPV6Address(isOld ? IPAddress.None : address)
                .WithEncryptionCertificate(Certificates.Own(settings))
                .WithEncryptionSslProtocol(SslProtocols.Tls13);
        }
        else
        {
            options
                .WithDefaultEndpoint()
                .WithDefaultEndpointPort(settings.Port)
                .WithDefaultEndpointBoundIPAddress(isOld ? address : IPAddress.None)
                .WithDefaultEndpointBoundIPV6Address(isOld ? IPAddress.None : address);
        }
        Set(options);
        Watch(new MqttServerFactory().CreateMqttServer(options.Build()));
        broker.StartAsync().GetAwaiter().GetResult();
    }

    // By default a broker keeps 250 messages for a client and drops the oldest unseen. The library reads without pause
    // from who has closed the connection within a packet, on Kestrel, until this timeout: its 100 s are cut to 5.
    static void Set(MqttServerOptionsBuilder options)
    {
        options
            .WithMaxPendingMessagesPerClient(int.MaxValue)
            .WithDefaultCommunicationTimeout(TimeSpan.FromSeconds(5));
    }

    static void Watch(MqttServer started)
    {
        broker = started;
        broker.InterceptingPublishAsync += Answer;
        broker.ClientDisconnectedAsync += left =>
        {
            service.OnClosed(left.ClientId);
            return Task.CompletedTask;
        };
    }

    static Task Answer(InterceptingPublishEventArgs come)
    {
        // What the broker itself publishes comes by here, too.
        string topic = come.ApplicationMessage.Topic;
        if (!topic.StartsWith(Library.From(""), StringComparison.Ordinal))
        {
            return Task.CompletedTask;
        }
        come.ProcessPublish = false;
        string sender = come.ClientId;
        ReadOnlySequence<byte> bytes = come.ApplicationMessage.Payload;
        return service.Take(ref sender, bytes.FirstSpan).Length > 0
            ? Publish(Library.To(topic[Library.From("").Length..]), bytes)
            : Task.CompletedTask;
    }

    static Task Publish(string topic, ReadOnlySequence<byte> bytes)
    {
        return broker.InjectApplicationMessage(
            new InjectedMqttApplicationMessage(Library.NewMessage(topic, bytes, settings)));
    }
}
