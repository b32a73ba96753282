using Newtonsoft.Json;

/// <summary>Writes figures in as many significant digits as are worth reading, and null for what is none.</summary>
sealed class FiguresConverter(int digits) : JsonConverter
{
    public override bool CanRead => false;

    public override bool CanConvert(Type objectType) =>
        objectType == typeof(double) || objectType == typeof(double?);

    public override object ReadJson(
        JsonReader reader,
        Type objectType,
        object? existingValue,
        JsonSerializer serializer
    ) => throw new NotSupportedException();

    public override void WriteJson(JsonWriter writer, object? value, JsonSerializer serializer)
    {
        var isKnown = value is double figure && double.IsFinite(figure);
        writer.WriteRawValue(isKnown ? ((double)value!).ToString($"G{digits}") : "null");
    }
}
