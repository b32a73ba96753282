using Nerdbank.MessagePack;
using PolyType;
using StreamJsonRpc;

/// <summary>How messages are written.</summary>
static class Formatters
{
    // Of all connections: it builds its converters once.
    static readonly MessagePackSerializer tunedSerializer = NerdbankMessagePackFormatter.DefaultSerializer with
    {
        PerfOverSchemaStability = (bool)Library.Tuned!["PerfOverSchemaStability"],
    };

    /// <summary>That of a variant: each connection has one of its own.</summary>
    public static IJsonRpcMessageFormatter New(Settings settings) => settings.Variant switch
    {
        "system-text-json" => new SystemTextJsonFormatter(),
        "messagepack" => new MessagePackFormatter(),
        "nerdbank-messagepack" or "tcp" => NewNerdbank(settings),
        _ => new JsonMessageFormatter(),
    };

    static NerdbankMessagePackFormatter NewNerdbank(Settings settings)
    {
        if (settings.Profile == "default")
        {
            return new NerdbankMessagePackFormatter { TypeShapeProvider = Shapes.GeneratedTypeShapeProvider };
        }
        return new NerdbankMessagePackFormatter
        {
            TypeShapeProvider = Shapes.GeneratedTypeShapeProvider,
            UserDataSerializer = tunedSerializer,
        };
    }
}

/// <summary>What Nerdbank.MessagePack must know of arguments and results.</summary>
[GenerateShapeFor<int>]
[GenerateShapeFor<long>]
[GenerateShapeFor<User>]
[GenerateShapeFor<HelloRequest>]
[GenerateShapeFor<HelloReply>]
sealed partial class Shapes;
