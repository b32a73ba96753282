using System.Buffers;
using System.Text;
using System.Text.Json;
using Newtonsoft.Json.Linq;

/// <summary>Reads sound lines fast. What is odd in any way gives null, and is for the parser that
/// tells what is wrong with it.</summary>
static class FastParser
{
    /// <summary>A line as a record; its histograms are kept packed, see Buckets.</summary>
    public static JObject? Record(string text)
    {
        var bytes = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetMaxByteCount(text.Length));
        try
        {
            var json = new Utf8JsonReader(bytes.AsSpan(0, Encoding.UTF8.GetBytes(text, bytes)));
            var read = json.Read() && json.TokenType == JsonTokenType.StartObject ? Object(ref json) : null;
            return read == null || json.Read() ? null : read;
        }
        catch (Exception fault) when (fault is JsonException or InvalidOperationException or ArgumentException)
        {
            return null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    // Adding a name for the second time throws an ArgumentException.
    static JObject Object(ref Utf8JsonReader json)
    {
        var read = new JObject();
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            var name = json.GetString()!;
            json.Read();
            read.Add(
                string.Intern(name),
                json.TokenType == JsonTokenType.StartArray && Pairs(ref json) is { } pairs
                    ? Buckets.Packed(pairs)
                    : Value(ref json)
            );
        }
        return read;
    }

    static JToken Value(ref Utf8JsonReader json) =>
        json.TokenType switch
        {
            JsonTokenType.StartObject => Object(ref json),
            JsonTokenType.StartArray => Array(ref json),
            JsonTokenType.String => new JValue(json.GetString()),
            JsonTokenType.True => new JValue(true),
            JsonTokenType.False => new JValue(false),
            JsonTokenType.Number when json.TryGetInt64(out var whole) => new JValue(whole),
            JsonTokenType.Number => new JValue(json.GetDouble()),
            _ => JValue.CreateNull(),
        };

    static JArray Array(ref Utf8JsonReader json)
    {
        var read = new JArray();
        while (json.Read() && json.TokenType != JsonTokenType.EndArray)
            read.Add(Value(ref json));
        return read;
    }

    // A histogram's list; null, and the reader where it was, for any other.
    static Bucket[]? Pairs(ref Utf8JsonReader json)
    {
        var ahead = json;
        var pairs = new List<Bucket>();
        while (ahead.Read() && ahead.TokenType == JsonTokenType.StartArray)
        {
            if (
                !Whole(ref ahead, out var lower)
                || !Whole(ref ahead, out var count)
                || !ahead.Read()
                || ahead.TokenType != JsonTokenType.EndArray
            )
            {
                return null;
            }

            pairs.Add(new Bucket(lower, count));
        }
        if (ahead.TokenType != JsonTokenType.EndArray || pairs.Count == 0)
            return null;
        json = ahead;
        return [.. pairs];
    }

    static bool Whole(ref Utf8JsonReader json, out long number)
    {
        number = 0;
        return json.Read() && json.TokenType == JsonTokenType.Number && json.TryGetInt64(out number);
    }
}
