/// <summary>A method as tables name it, or a function of native code.</summary>
/// <param name="Name">With its type and without its arguments; not escaped.</param>
/// <param name="File">The assembly or the native library that it is in, without its ending.</param>
/// <param name="IsNative">True of the native code that it calls, which has no name.</param>
readonly record struct Method(string Name, string File, bool IsNative = false)
{
    /// <summary>The file of what runs outside .NET and has no name.</summary>
    public const string Native = "native";

    /// <summary>True of what only measures, which is the assembly of the bench.</summary>
    public bool IsHarness => IsOfBench && !IsNative;

    /// <summary>The file, and whether that is the harness.</summary>
    public string Owner
    {
        get
        {
            var owner = IsOfBench ? $"harness ({File})" : File;
            return IsNative ? $"{Native}, called by {owner}" : owner;
        }
    }

    bool IsOfBench => File.StartsWith("bench-", StringComparison.Ordinal);
}
