using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;

/// <summary>The summaries of the types and properties of this project, as the compiler writes them beside it.</summary>
static partial class Summaries
{
    static readonly Lazy<Dictionary<string, string>> all = new(Read);

    /// <summary>That of a property.</summary>
    public static string Of(PropertyInfo property) =>
        all.Value[$"P:{property.DeclaringType!.FullName}.{property.Name}"];

    /// <summary>That of a type.</summary>
    public static string Of(Type type) => all.Value[$"T:{type.FullName}"];

    static Dictionary<string, string> Read()
    {
        string file = Path.ChangeExtension(typeof(Summaries).Assembly.Location, ".xml");
        return XDocument.Load(file)
            .Descendants("member")
            .Where(member => member.Element("summary") != null)
            .ToDictionary(
                member => (string)member.Attribute("name")!,
                member => Blanks().Replace(member.Element("summary")!.Value, " ").Trim());
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();
}
