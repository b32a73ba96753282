/// <summary>A method as tables name it, or a function of native code.</summary>
/// <param name="Name">With its type and without its arguments; not escaped.</param>
/// <param name="File">The assembly or the native library that it is in, without its ending.</param>
readonly record struct Method(string Name, string File)
{
    /// <summary>The file of what runs outside .NET and has no name.</summary>
    public const string Native = "native";

    /// <summary>True of what only measures, which is the assembly of the bench.</summary>
    public bool IsHarness => File.StartsWith("bench-", StringComparison.Ordinal);

    /// <summary>The file, and whether that is the harness.</summary>
    public string Owner => IsHarness ? $"harness ({File})" : File;
}
