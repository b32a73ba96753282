using System.Reflection;
using Newtonsoft.Json;
using Newtonsoft.Json.Converters;
using Newtonsoft.Json.Serialization;

/// <summary>What charts show, for tools that draw them in another way: a JSON list, without what is null or
/// false.</summary>
static class ChartExport
{
    const int Digits = 6;

    static readonly JsonSerializerSettings settings = new()
    {
        Formatting = Formatting.Indented,
        NullValueHandling = NullValueHandling.Ignore,
        ContractResolver = new Names(),
        Converters = [new StringEnumConverter(new SnakeCaseNamingStrategy()), new FiguresConverter(Digits)],
    };

    /// <summary>Writes it; the same charts give the same bytes.</summary>
    public static void Write(IReadOnlyList<Chart> charts, TextWriter output) =>
        output.Write(JsonConvert.SerializeObject(charts, settings).ReplaceLineEndings("\n") + "\n");

    sealed class Names : DefaultContractResolver
    {
        public Names() => NamingStrategy = new SnakeCaseNamingStrategy();

        protected override JsonProperty CreateProperty(MemberInfo member, MemberSerialization memberSerialization)
        {
            var property = base.CreateProperty(member, memberSerialization);
            if (property.PropertyType == typeof(bool))
            {
                property.DefaultValueHandling = DefaultValueHandling.Ignore;
            }
            return property;
        }

        // What a record has from another stands first, as it is what all kinds of panels have.
        protected override IList<JsonProperty> CreateProperties(Type type, MemberSerialization memberSerialization) =>
            [
                .. base.CreateProperties(type, memberSerialization)
                    .OrderBy(property => property.DeclaringType == type && property.PropertyName != "kind"),
            ];
    }
}
