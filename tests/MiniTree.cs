/// <summary>A copy of the suite with one bench that can be had and two that cannot be measured: one whose
/// package no registry has, and one whose server fails.</summary>
public sealed class MiniTree : IDisposable
{
    const string Model = "bench-udp"; // needs no package that a registry may lack

    readonly Scratch scratch = new();

    public MiniTree()
    {
        foreach (var folder in new[] { "scripts", "report", Model }) Repo.Copy(folder, PathOf(folder));
        File.Copy(Repo.PathOf("CONTRACT.md"), PathOf("CONTRACT.md"));
        Repo.Copy(Model, PathOf("bench-zzz"));
        Change("bench-zzz", $"{Model}.csproj", "\"Newtonsoft.Json\" Version=\"13.0.4\"",
            "\"No.Such.Package.Of.Bench.Tests\" Version=\"1.0.0\"");
        File.Move(PathOf("bench-zzz", $"{Model}.csproj"), PathOf("bench-zzz", "bench-zzz.csproj"));
        Repo.Copy(Model, PathOf("bench-yyy"));
        Change("bench-yyy", "Library.cs", "\"udp\"", "\"yyy\"");
        Change("bench-yyy", "Server.cs", "        Start(settings);\n", "        if (settings.Port > 0) throw new Failure(\"It is broken.\");\n");
        File.Move(PathOf("bench-yyy", $"{Model}.csproj"), PathOf("bench-yyy", "bench-yyy.csproj"));
    }

    /// <summary>A path in the copy.</summary>
    public string PathOf(params string[] parts) => scratch.PathOf(parts);

    /// <summary>Runs scripts/run-all.sh to its end.</summary>
    internal Ended RunAll(params IEnumerable<string> args)
    {
        using var command = StartAll(args);
        return command.Wait(120);
    }

    /// <summary>Starts scripts/run-all.sh so that Ctrl-C reaches it.</summary>
    internal Command StartAll(params IEnumerable<string> args) =>
        Command.StartGroup("bash", [PathOf("scripts", "run-all.sh"), .. args]);

    public void Dispose() => scratch.Dispose();

    void Change(string folder, string file, string from, string to)
    {
        var text = File.ReadAllText(PathOf(folder, file));
        Assert.Contains(from, text);
        File.WriteAllText(PathOf(folder, file), text.Replace(from, to));
    }
}
