using System.Text.Json;
using System.Text.Json.Serialization;

/// <summary>Writes and reads JSON without reflection, by code that the compiler generates.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(int))]
[JsonSerializable(typeof(User))]
[JsonSerializable(typeof(HelloRequest))]
[JsonSerializable(typeof(HelloReply))]
sealed partial class Json : JsonSerializerContext;
