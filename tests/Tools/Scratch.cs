/// <summary>An empty folder outside of the repository, removed at the end of a test.</summary>
sealed class Scratch : IDisposable
{
    /// <summary>The folder.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("bench-tests-").FullName;

    /// <summary>A path in the folder.</summary>
    public string PathOf(params string[] parts) => Path.Combine([Folder, .. parts]);

    /// <summary>Starts a program that finds one of this folder, a script of sh, where it looks for another.</summary>
    public Command StartWithProgram(string name, string script, string file, params IEnumerable<string> args)
    {
        File.WriteAllText(PathOf(name), $"#!/bin/sh\n{script}\n");
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(PathOf(name), UnixFileMode.UserRead | UnixFileMode.UserExecute);
        return Command.StartIn(Folder, [("PATH", $"{Folder}:{Environment.GetEnvironmentVariable("PATH")}")], file, args);
    }

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
