/// <summary>An empty folder outside of the repository, removed when it is disposed.</summary>
sealed class Scratch : IDisposable
{
    /// <summary>The folder.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("bench-tests-").FullName;

    /// <summary>One that several tests use, removed at the end of all.</summary>
    public static Scratch OfAllTests()
    {
        var scratch = new Scratch();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => scratch.Dispose();
        return scratch;
    }

    /// <summary>A path in the folder.</summary>
    public string PathOf(params string[] parts) => Path.Combine([Folder, .. parts]);

    /// <summary>Starts a program that finds one of this folder, a script of sh, where it looks for another.</summary>
    public Command StartWithProgram(string name, string script, string file, params IEnumerable<string> args)
    {
        var program = PathOf(name);
        File.WriteAllText(program, $"#!/bin/sh\n{script}\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        var path = $"{Folder}:{Environment.GetEnvironmentVariable("PATH")}";
        return Command.StartIn(Folder, [("PATH", path)], file, args);
    }

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
