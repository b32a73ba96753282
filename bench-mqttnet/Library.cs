using System.Buffers;
using System.Reflection;
using MQTTnet;
using MQTTnet.Protocol;
using MQTTnet.Server;

/// <summary>MQTTnet: a broker and clients of MQTT over TCP, the broker on Kestrel or on its own sockets.</summary>
static class Library
{
    /// <summary>Its name, as folders and records have it.</summary>
    public const string Name = "mqttnet";
    /// <summary>The library's main assembly.</summary>
    public static readonly Assembly Assembly = typeof(MqttServer).Assembly;
    /// <summary>Its version, as loaded.</summary>
    public static readonly string Version = Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
        .InformationalVersion.Split('+')[0];

    /// <summary>The values of --work that it supports; the first is the default.</summary>
    public static readonly string[] Works = ["echo", "broadcast", "game"];
    /// <summary>The values of --delivery that it supports; the first is the default: quality of service 1, and 0.
    /// </summary>
    public static readonly string[] Deliveries = ["reliable-ordered", Settings.Unreliable];
    /// <summary>The values of --security that it supports; the first is the default.</summary>
    public static readonly string[] Securities = ["none", "tls"];

    /// <summary>The variant whose broker has sockets of its own, in place of Kestrel.</summary>
    public const string Own = "own-server";

    /// <summary>The values of --variant that it supports, each with its serializer; the first is the default.</summary>
    public static readonly Dictionary<string, string> Variants = new() { ["default"] = "bytes", [Own] = "bytes" };

    /// <summary>How its sides wait for what comes: "blocks" in the system, or "polls" without pause.</summary>
    public static string Waits(Settings settings) => "blocks";

    /// <summary>What a reader of the figures must know; null: nothing.</summary>
    public const string? Note = "The broker looks for each message at the subscriptions of all clients. Unreliable "
        + "messages go over TCP, too: of quality of service 0, they are not acknowledged.";

    /// <summary>The knobs of the profile tuned and their values; null: there is nothing to turn.</summary>
    public static Dictionary<string, object>? Tuned => null;

    /// <summary>The period with which the library itself acts, in seconds; null: none.</summary>
    public static double? TickSeconds(Settings settings) => null;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => Exchange.Limit(settings);

    /// <summary>The quality of service of a delivery.</summary>
    public static MqttQualityOfServiceLevel Quality(Settings settings)
    {
        return settings.Delivery == Settings.Unreliable
            ? MqttQualityOfServiceLevel.AtMostOnce
            : MqttQualityOfServiceLevel.AtLeastOnce;
    }

    /// <summary>Where clients publish; what answers it is published where To says.</summary>
    public static string From(string who) => $"from/{who}";

    /// <summary>What a client or the clients of a room subscribe to.</summary>
    public static string To(string who) => $"to/{who}";

    /// <summary>A message of a topic, with bytes that nobody changes any more.</summary>
    public static MqttApplicationMessage NewMessage(string topic, ReadOnlySequence<byte> bytes, Settings settings)
    {
        return new MqttApplicationMessage
        {
            Topic = topic,
            Payload = bytes,
            QualityOfServiceLevel = Quality(settings),
        };
    }
}
