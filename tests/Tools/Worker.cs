using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using System.Text.Json;

/// <summary>A process of one of the suite's tools that is told again and again what to do: to start one takes many
/// times as long as what most tests have it do. The tool has its own folder, streams and exit code each time, as if it
/// were started anew; see StartupHook.</summary>
sealed class Worker : IDisposable
{
    // By the path of their tool; who takes one has it for itself.
    static readonly ConcurrentDictionary<string, ConcurrentBag<Worker>> idle = [];

    readonly Process process;

    Worker(string path)
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
        process = Process.Start(start)!;
    }

    /// <summary>What a tool is to do.</summary>
    public sealed record Order(string Folder, string[] Arguments, string Input);

    /// <summary>What came of it.</summary>
    public sealed record Answer(int ExitCode, string Output, string Error);

    /// <summary>Lets a tool do that in a folder, with lines on its stdin, to its end.</summary>
    public static Ended Run(string path, string folder, string[] input, params IEnumerable<string> arguments) =>
        RunWithin(Command.UsualSeconds, path, folder, input, arguments);

    /// <summary>The same of what may take so long.</summary>
    public static Ended RunWithin(
        double seconds, string path, string folder, string[] input, params IEnumerable<string> arguments)
    {
        var others = idle.GetOrAdd(path, _ => []);
        if (!others.TryTake(out var worker))
        {
            worker = new Worker(path);
        }
        try
        {
            var ended = worker.Obey(new Order(folder, [.. arguments], string.Join("\r\n", input)), seconds);
            others.Add(worker);
            return ended;
        }
        catch
        {
            worker.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        // With what it started, which may stand still.
        process.Kill(entireProcessTree: true);
        process.Dispose();
    }

    Ended Obey(Order order, double seconds)
    {
        var clock = Stopwatch.StartNew();
        var words = string.Join(' ', order.Arguments);
        process.StandardInput.WriteLine(JsonSerializer.Serialize(order));
        process.StandardInput.Flush();
        var output = Task.Run(() => ReadAnswer(process.StandardOutput));
        var error = Task.Run(() => ReadAnswer(process.StandardError));
        var isInTime = Task.WaitAll([output, error], TimeSpan.FromSeconds(seconds));
        Assert.True(isInTime, $"'{words}' took over {seconds} s.");
        var (written, answered) = output.Result;
        Assert.True(answered != null, $"'{words}' has ended the process that it was in.");
        var answer = JsonSerializer.Deserialize<Answer>(answered!)!;
        string[] said = [.. error.Result.Written, .. Lines(answer.Error)];
        return new(answer.ExitCode, [.. written, .. Lines(answer.Output)], said, clock.Elapsed.TotalSeconds);
    }

    // What the tool and what it started wrote to a stream of its process, and what follows the mark behind it; null:
    // the process has ended.
    static (List<string> Written, string? Answer) ReadAnswer(StreamReader stream)
    {
        var written = new List<string>();
        while (stream.ReadLine() is { } line)
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
