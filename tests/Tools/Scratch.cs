/// <summary>An empty folder outside of the repository, removed at the end of a test.</summary>
sealed class Scratch : IDisposable
{
    /// <summary>The folder.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("bench-tests-").FullName;

    /// <summary>A path in the folder.</summary>
    public string PathOf(params string[] parts) => Path.Combine([Folder, .. parts]);

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
