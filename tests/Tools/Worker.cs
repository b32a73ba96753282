using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using System.Text.Json;

/// <summary>A process of one of the suite's tools that is told again and again what to do: to start one takes many
/// times as long as what most tests have it do. The tool has its own folder, streams and exit code each time, as if it
/// were started anew; see StartupHook.</summary>
sealed class Worker : IDisposable
{
    // By the path of their tool and, behind it, their variables; who takes one has it for itself.
    static readonly ConcurrentDictionary<string, ConcurrentBag<Worker>> idle = [];

    readonly Process process;

    Worker(string path, (string Name, string Value)[] variables)
    {
        var start = new ProcessStartInfo("dotnet", [path])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
            StandardErrorEncoding = Encoding.UTF8,
        };
        start.Environment[StartupHook.Variable] = typeof(StartupHook).Assembly.Location;
        foreach (var (name, value) in variables)
        {
            start.Environment[name] = value;
        }
        StartedProcesses.Add();
        process = Process.Start(start)!;
    }

    /// <summary>What a tool is to do.</summary>
    public sealed record Order(string Folder, string[] Arguments, string Input);

    /// <summary>What came of it.</summary>
    public sealed record Answer(int ExitCode, string Output, string Error);

    /// <summary>Lets a tool do that in a folder, with a text on its stdin, to its end.</summary>
    public static Ended Run(string path, string folder, string input, params IEnumerable<string> arguments) =>
        RunWithin(Command.UsualSeconds, path, folder, input, arguments);

    /// <summary>The same with another limit, in seconds.</summary>
    public static Ended RunWithin(
        double seconds, string path, string folder, string input, params IEnumerable<string> arguments) =>
        Do(path, [], new Order(folder, [.. arguments], input), seconds);

    /// <summary>The same as Run, in a process with variables added to its environment.</summary>
    public static Ended RunIn(
        (string Name, string Value)[] variables, string path, string folder, params IEnumerable<string> arguments) =>
        Do(path, variables, new Order(folder, [.. arguments], ""), Command.UsualSeconds);

    static Ended Do(string path, (string Name, string Value)[] variables, Order order, double seconds)
    {
        string[] words = [path, .. variables.Select(variable => $"{variable}")];
        var others = idle.GetOrAdd(string.Join('\n', words), _ => []);
        if (!others.TryTake(out var worker))
        {
            worker = new Worker(path, variables);
        }
        try
        {
            var ended = worker.Obey(order, seconds);
            others.Add(worker);
            return ended;
        }
        catch
        {
            worker.Dispose();
            throw;
        }
    }

    /// <summary>Ends the workers whose tool lies in a folder that nobody needs any more.</summary>
    public static void EndAllIn(string folder)
    {
        foreach (var (words, workers) in idle)
        {
            if (!words.StartsWith(folder + Path.DirectorySeparatorChar, StringComparison.Ordinal))
            {
                continue;
            }
            while (workers.TryTake(out var worker))
            {
                worker.Dispose();
            }
        }
    }

    public void Dispose()
    {
        try
        {
            // With what it started, which may stand still.
            process.Kill(entireProcessTree: true);
        }
        catch (Exception fault) when (fault is AggregateException or System.ComponentModel.Win32Exception)
        {
            // One of them has just ended. What is told is why the worker was given up.
        }
        process.Dispose();
    }

    Ended Obey(Order order, double seconds)
    {
        var clock = Stopwatch.StartNew();
        var words = string.Join(' ', order.Arguments);
        process.StandardInput.WriteLine(JsonSerializer.Serialize(order));
        process.StandardInput.Flush();
        var output = ReadAnswer(process.StandardOutput);
        var error = ReadAnswer(process.StandardError);
        var isInTime = Task.WaitAll([output, error], TimeSpan.FromSeconds(seconds));
        Assert.True(isInTime, $"'{words}' took over {seconds} s.");
        var (written, answered) = output.Result;
        var said = error.Result.Written;
        Assert.True(answered != null, $"'{words}' has ended its process: {string.Join('\n', said)}");
        var answer = JsonSerializer.Deserialize<Answer>(answered!)!;
        string[] errors = [.. said, .. Lines(answer.Error)];
        return new(answer.ExitCode, [.. written, .. Lines(answer.Output)], errors, clock.Elapsed.TotalSeconds);
    }

    // What the tool and what it started wrote to a stream of its process, and what follows the mark behind it; null:
    // the process has ended.
    static async Task<(List<string> Written, string? Answer)> ReadAnswer(StreamReader stream)
    {
        var written = new List<string>();
        while (await stream.ReadLineAsync() is { } line)
        {
            // It may lack its last line end.
            var parts = line.Split(StartupHook.Answers);
            if (parts.Length == 1 || parts[0] != "")
            {
                written.Add(parts[0]);
            }
            if (parts.Length > 1)
            {
                return (written, parts[1]);
            }
        }
        return (written, null);
    }

    static string[] Lines(string text)
    {
        var lines = text.ReplaceLineEndings("\n").Split('\n');
        return lines[^1] == "" ? lines[..^1] : lines;
    }
}
