using System.Reflection;
using Newtonsoft.Json.Linq;
using Newtonsoft.Json.Serialization;

/// <summary>The record format, as the types in Kinds declare it.</summary>
static class Contract
{
    /// <summary>Version of the record format.</summary>
    public const int Version = 11;

    /// <summary>A field of a record or of a part of records.</summary>
    /// <param name="Name">As JSON has it.</param>
    /// <param name="Type">As the documents call it; a type with ? may be null.</param>
    /// <param name="Part">The table of a field that is a part of its own; else null.</param>
    /// <param name="Values">The only ones of a string; none: any.</param>
    /// <param name="Merges">How it merges; null: it does not.</param>
    /// <param name="Property">That declares it.</param>
    public sealed record Field(
        string Name,
        string Type,
        string? Part,
        string[] Values,
        MergesAttribute? Merges,
        PropertyInfo Property)
    {
        /// <summary>True where it may be null.</summary>
        public bool Nullable => Type.EndsWith('?');

        /// <summary>Its type without the mark that it may be null.</summary>
        public string Kind => Type.TrimEnd('?');
    }

    /// <summary>The types of the records, by their names.</summary>
    public static readonly Dictionary<string, Type> Kinds = new()
    {
        ["ready"] = typeof(ReadyRecord),
        ["slice"] = typeof(SliceRecord),
        ["closed"] = typeof(ClosedRecord),
        ["launch"] = typeof(LaunchRecord),
        ["error"] = typeof(ErrorRecord),
        ["info"] = typeof(InfoRecord),
        ["machine"] = typeof(MachineRecord),
    };

    /// <summary>The types of the parts of records, by the names of their fields.</summary>
    public static readonly Dictionary<string, Type> Parts = new()
    {
        ["outcomes"] = typeof(OutcomesPart),
        ["outside"] = typeof(OutsidePart),
        ["rounds"] = typeof(RoundsPart),
        ["link"] = typeof(LinkPart),
        ["trouble"] = typeof(TroublePart),
        ["settings"] = typeof(LaunchSettings),
    };

    /// <summary>The delivery modes, in the order of the documents.</summary>
    public static readonly string[] Deliveries = Setting.Named("delivery").Words;

    static readonly SnakeCaseNamingStrategy naming = new();
    static readonly NullabilityInfoContext nullability = new();
    static readonly Dictionary<string, Field[]> tables = Kinds
        .Concat(Parts)
        .ToDictionary(table => table.Key, table => FieldsOf(table.Value));
    static readonly Dictionary<string, Dictionary<string, Field>> byName = tables
        .ToDictionary(table => table.Key, table => table.Value.ToDictionary(field => field.Name));

    /// <summary>The fields of a record or of a part of records.</summary>
    public static IReadOnlyList<Field> FieldsOf(string table) => tables[table];

    /// <summary>A field by the names of its record or part, and its own; null: there is none.</summary>
    public static Field? FieldOf(string table, string name) => byName[table].GetValueOrDefault(name);

    /// <summary>Says of a record of another version that it is one; null of those of this version, and of what tells no
    /// version.</summary>
    public static string? OtherVersion(JObject record)
    {
        return record["v"] is { Type: JTokenType.Integer } v and not JValue { Value: (long)Version }
            ? $"v is {v}, not {Version}: read it with the commit of the suite that wrote it."
            : null;
    }

    /// <summary>What is wrong with the fields of a record; empty when nothing is.</summary>
    public static IEnumerable<string> Faults(JObject record)
    {
        if (record["v"] is not { Type: JTokenType.Integer })
        {
            return ["v is missing or no int."];
        }
        if (OtherVersion(record) is { } other)
        {
            return [other];
        }
        if (record["record"] is not { Type: JTokenType.String } name)
        {
            return ["record is missing or no string."];
        }
        return Kinds.ContainsKey((string)name!)
            ? Faults(record, (string)name!, "")
            : [$"'{name}' is no kind of record (see docs/records.md)."];
    }

    static IEnumerable<string> Faults(JObject given, string table, string path)
    {
        foreach (JProperty property in given.Properties())
        {
            if (!byName[table].ContainsKey(property.Name))
            {
                yield return $"{path}{property.Name} is unknown.";
            }
        }
        foreach (Field field in tables[table])
        {
            foreach (string fault in Faults(given[field.Name], field, path + field.Name))
            {
                yield return fault;
            }
        }
    }

    static IEnumerable<string> Faults(JToken? value, Field field, string name)
    {
        if (value == null)
        {
            return [$"{name} is missing."];
        }
        if (value.Type == JTokenType.Null && field.Nullable)
        {
            return [];
        }
        if (!Fits(value, field))
        {
            return [$"{name} is no {field.Kind}{(field.Nullable ? " or null" : "")}."];
        }
        if (field.Values.Length > 0 && !field.Values.Contains((string)value!))
        {
            return [$"{name} is '{value}', not {string.Join(" or ", field.Values)}."];
        }
        return field.Part == null ? [] : Faults((JObject)value, field.Part, name + ".");
    }

    static bool Fits(JToken value, Field field) => field.Kind switch
    {
        "int" => IsInt(value, field.Property.PropertyType),
        "number" => value is JValue { Value: long }
            || value is JValue { Value: double number } && double.IsFinite(number),
        "string" => value.Type == JTokenType.String,
        "bool" => value.Type == JTokenType.Boolean,
        "list" => value is JArray list && list.All(entry => IsEntry(entry, field.Property.PropertyType)),
        _ => value is JObject part && (field.Part != null || part.PropertyValues().All(entry => IsFact(entry, field))),
    };

    static bool IsInt(JToken value, Type type)
    {
        if (value is not JValue { Value: long number })
        {
            return false;
        }
        return (Nullable.GetUnderlyingType(type) ?? type) == typeof(long)
            || number is >= int.MinValue and <= int.MaxValue;
    }

    static bool IsEntry(JToken entry, Type list)
    {
        if (list == typeof(string[]))
        {
            return entry.Type == JTokenType.String;
        }
        if (list == typeof(long[]))
        {
            return entry is JValue { Value: long };
        }
        return entry is JArray { Count: 2 } pair && pair.All(number => number is JValue { Value: long });
    }

    // Of an object whose names are anybody's.
    static bool IsFact(JToken value, Field field)
    {
        Type type = field.Property.PropertyType;
        if (type == typeof(Dictionary<string, long>))
        {
            return value is JValue { Value: long };
        }
        if (type == typeof(Dictionary<string, string>))
        {
            return value.Type == JTokenType.String;
        }
        return value is JValue { Value: not null };
    }

    // Those of the types that it derives from come first.
    static Field[] FieldsOf(Type type)
    {
        var lineage = new List<Type>();
        for (Type? one = type; one != null && one != typeof(object); one = one.BaseType)
        {
            lineage.Insert(0, one);
        }
        const BindingFlags Own = BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        return [.. lineage.SelectMany(one => one.GetProperties(Own)).Select(FieldOf)];
    }

    static Field FieldOf(PropertyInfo property)
    {
        string name = naming.GetPropertyName(property.Name, hasSpecifiedName: false);
        bool isNullable = Nullable.GetUnderlyingType(property.PropertyType) != null
            || nullability.Create(property).ReadState == NullabilityState.Nullable;
        return new Field(
            name,
            KindOf(property.PropertyType) + (isNullable ? "?" : ""),
            Parts.ContainsValue(property.PropertyType) ? name : null,
            property.GetCustomAttribute<OneOfAttribute>()?.Values ?? [],
            property.GetCustomAttribute<MergesAttribute>(),
            property);
    }

    static string KindOf(Type type)
    {
        Type bare = Nullable.GetUnderlyingType(type) ?? type;
        if (bare == typeof(long) || bare == typeof(int))
        {
            return "int";
        }
        if (bare == typeof(double))
        {
            return "number";
        }
        if (bare == typeof(string))
        {
            return "string";
        }
        if (bare == typeof(bool))
        {
            return "bool";
        }
        return bare.IsArray || bare == typeof(IReadOnlyList<Bucket>) ? "list" : "object";
    }
}
