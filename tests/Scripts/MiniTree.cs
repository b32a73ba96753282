using Newtonsoft.Json.Linq;

/// <summary>A copy of the suite with one bench that can be had and two that cannot be measured: one whose
/// package no registry has, and one whose server fails when it is led. What can be built is built once for all tests of
/// a class.</summary>
public sealed class MiniTree : IDisposable
{
    /// <summary>How many runs a small sweep has.</summary>
    public const int Runs = 4;

    /// <summary>The flags of a small sweep: so many runs of about a second.</summary>
    public static readonly string[] FewRuns =
    [
        "--libraries", "udp",
        "--interleaved", "no",
        "--delivery", "unreliable",
        "--clients", "1,2",
        "--parallel", "1",
        "--payload-bytes", "32",
        "--warmup-seconds", "0",
        "--seconds", "0.2",
        "--repeats", "2",
    ];

    const string Model = Bench.Model;
    const string Broken = "        if (Environment.CommandLine.Contains(\"--until-stdin-closes\"))\n"
        + "            throw new Failure(\"It is broken.\");\n";
    const string FirstOfServer = "        Socket socket = Library.NewSocket(settings);\n";
    const double RunSeconds = 300;

    // What takes seconds to build is the same in each tree: it is built in the first, and copied into the others.
    static readonly Lazy<Scratch> broken = new(BuildBroken);

    readonly Scratch scratch = new();
    readonly Lazy<string> finished;

    public MiniTree()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests press Ctrl-C with setsid.");
        foreach (var folder in new[] { "scripts", "records", "report", "runner", Model })
            Repo.Copy(folder, PathOf(folder));
        foreach (var folder in new[] { "records", "report", "runner", Model })
        {
            var built = Path.Combine(folder, "bin", "Release");
            if (Directory.Exists(Repo.PathOf(built)))
                Repo.Copy(built, PathOf(built));
        }
        Repo.Copy(Model, PathOf("bench-zzz"));
        Change(
            PathOf("bench-zzz", $"{Model}.csproj"),
            "\"Newtonsoft.Json\" Version=\"13.0.4\"",
            "\"No.Such.Package.Of.Bench.Tests\" Version=\"1.0.0\"");
        File.Move(PathOf("bench-zzz", $"{Model}.csproj"), PathOf("bench-zzz", "bench-zzz.csproj"));
        Repo.Copy(broken.Value.Folder, PathOf("bench-yyy")); // an absolute path stays one
        Repo.Copy(broken.Value.PathOf("bin", "Release"), PathOf("bench-yyy", "bin", "Release"));
        finished = new(() =>
        {
            RunAll(Runner.Bash, ["--out", PathOf("finished"), .. FewRuns]).WithCode(0);
            return PathOf("finished");
        });
        StubBuilds(PathOf("path"));
        StubBuilds(PathOf("warm"), WarmTools.ShellLines);
    }

    /// <summary>The one whose server fails when it is led, built alone in an empty folder. By hand it measures.
    /// </summary>
    public static string PathOfBroken => broken.Value.PathOf("bin", "Release", "bench-yyy.dll");

    /// <summary>The results of a small sweep that nothing has interrupted.</summary>
    public string Finished => finished.Value;

    /// <summary>The PATH by which `dotnet` builds only what is not built, and has workers do what they can.</summary>
    internal (string, string) PathVariable => PathWith(PathOf("warm"));

    /// <summary>A path in the copy.</summary>
    public string PathOf(params string[] parts) => scratch.PathOf(parts);

    /// <summary>A copy of the finished sweep that a test may change.</summary>
    public string CopyOfFinished(string name)
    {
        Directory.CreateDirectory(PathOf(name));
        File.Copy(Path.Combine(Finished, "raw.jsonl"), PathOf(name, "raw.jsonl"));
        return PathOf(name);
    }

    /// <summary>Runs a runner to its end.</summary>
    internal Ended RunAll(string script, params IEnumerable<string> args) => RunAllIn(scratch.Folder, script, args);

    /// <summary>Runs a runner to its end, called from another folder.</summary>
    internal Ended RunAllIn(string folder, string script, params IEnumerable<string> args)
    {
        using var command = StartGroup(folder, PathVariable, Runner.Words(PathOf("scripts", script)), args);
        return command.Wait(RunSeconds);
    }

    /// <summary>Runs a runner to its end where `dotnet` is the one in this folder.</summary>
    internal Ended RunAllWith(string dotnet, string script, params IEnumerable<string> args)
    {
        var words = Runner.Words(PathOf("scripts", script));
        using var command = StartGroup(scratch.Folder, PathWith(dotnet), words, args);
        return command.Wait(RunSeconds);
    }

    /// <summary>Starts a runner so that Ctrl-C reaches it and all that it calls: no worker does that.</summary>
    internal Command StartAll(string script, params IEnumerable<string> args)
    {
        var words = Runner.Words(PathOf("scripts", script));
        return StartGroup(scratch.Folder, PathWith(PathOf("path")), words, args);
    }

    /// <summary>The same in a terminal, in which "\x03" may be typed.</summary>
    internal Command StartInTerminal(string script, params IEnumerable<string> args)
    {
        var words = Runner.Words(PathOf("scripts", script)).Concat(args);
        var line = string.Join(' ', words.Select(word => $"'{word}'"));
        string[] inTerminal = ["script", "-qefc", $"exec {line}", "/dev/null"];
        return Command.StartIn(
            scratch.Folder,
            [PathWith(PathOf("path")), ("SHELL", "/bin/sh")],
            "setsid",
            ["env", "--default-signal=INT", .. inTerminal]);
    }

    /// <summary>Runs the report that was built here.</summary>
    internal Ended Report(params IEnumerable<string> args) =>
        Worker.Run(PathOf("report", "bin", "Release", "report.dll"), scratch.Folder, "", args);

    /// <summary>The command lines of the processes of benches that run in this copy.</summary>
    public string[] RunningBenches()
    {
        var processes = Directory.GetDirectories("/proc").Where(path => char.IsDigit(Path.GetFileName(path)[0]));
        var here = processes.Where(path => FolderOf(path) == scratch.Folder);
        var lines = here.Select(path => TryRead(() => File.ReadAllText(Path.Combine(path, "cmdline"))));
        var benches = lines.OfType<string>().Where(line => line.Contains("/bench-"));
        return [.. benches.Select(line => line.Replace('\0', ' '))];
    }

    public void Dispose()
    {
        Worker.EndAllIn(scratch.Folder);
        scratch.Dispose();
    }

    /// <summary>True of the clients' slice that is measured.</summary>
    internal static bool IsClientWindow(JObject record) =>
        (string?)record["phase"] == "window" && (string?)record["side"] == "client";

    /// <summary>Makes a folder with a `dotnet` that builds only what is not built, as .NET's takes seconds to find that
    /// out. More lines say what else it does itself.</summary>
    public static void StubBuilds(string folder, string lines = "") => Stub(folder, $"""
        if [ "$1" = build ] && [ -f "$2/bin/Release/$2.dll" ]; then exit 0; fi
        {lines}
        exec '{Runner.Find("dotnet")}' "$@"
        """);

    /// <summary>Makes a folder with a `dotnet`, or another program, that does something else. Where PowerShell is a
    /// .NET tool, `dotnet` still runs it.</summary>
    public static void Stub(string folder, string script, string program = "dotnet")
    {
        var path = Path.Combine(Directory.CreateDirectory(folder).FullName, program);
        var shell = $"case $1 in */pwsh.dll) exec '{Runner.Find("dotnet")}' \"$@\" ;; esac";
        File.WriteAllText(path, $"#!/bin/sh\n{shell}\n{script}\n");
        if (OperatingSystem.IsLinux())
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
    }

    static Command StartGroup(string folder, (string, string) path, string[] words, IEnumerable<string> args) =>
        Command.StartIn(folder, [path], "setsid", ["env", "--default-signal=INT", .. words, .. args]);

    static (string, string) PathWith(string folder) =>
        ("PATH", $"{folder}:{Environment.GetEnvironmentVariable("PATH")}");

    // The folder that a process runs in.
    static string? FolderOf(string process) =>
        TryRead(() => new FileInfo(Path.Combine(process, "cwd")).LinkTarget);

    static string? TryRead(Func<string?> read)
    {
        try
        {
            return read();
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            return null; // it has just ended
        }
    }

    static Scratch BuildBroken()
    {
        var built = Scratch.OfAllTests();
        Repo.Copy(Model, built.Folder);
        Change(built.PathOf("Library.cs"), "\"udp\"", "\"yyy\"");
        Change(built.PathOf("Server.cs"), FirstOfServer, Broken + FirstOfServer);
        File.Move(built.PathOf($"{Model}.csproj"), built.PathOf("bench-yyy.csproj"));
        // As whoever copies a bench does, which IsolationTests is about.
        using var build = Command.StartIn(built.Folder, [], "dotnet", "build", "-c", "Release", "--nologo");
        build.Wait(RunSeconds).WithCode(0);
        return built;
    }

    static void Change(string file, string from, string to)
    {
        var text = File.ReadAllText(file);
        Assert.Contains(from, text);
        File.WriteAllText(file, text.Replace(from, to));
    }
}
