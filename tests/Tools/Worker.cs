using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using System.Text.Json;

/// <summary>A process of one of the suite's tools that is told again and again what to do: to start one takes many
/// times as long as what most tests have it do. The tool has its own folder, streams and exit code each time, as if it
/// were started anew; see StartupHook.</summary>
sealed class Worker : IDisposable
{
    const double AnswerSeconds = 120;

    // By the path of their tool; who takes one has it for itself.
    static readonly ConcurrentDictionary<string, ConcurrentBag<Worker>> idle = [];

    readonly Process process;

    Worker(string path)
    {
        var start = new ProcessStartInfo("dotnet", [path])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            StandardOutputEncoding = Encoding.UTF8,
        };
        start.Environment[StartupHook.Variable] = typeof(StartupHook).Assembly.Location;
        process = Process.Start(start)!;
    }

    /// <summary>What a tool is to do.</summary>
    public sealed record Order(string Folder, string[] Arguments, string Input);

    /// <summary>What came of it.</summary>
    public sealed record Answer(int ExitCode, string Output, string Error);

    /// <summary>Lets a tool do that in a folder, with lines on its stdin, to its end.</summary>
    public static Ended Run(string path, string folder, string[] input, params IEnumerable<string> arguments)
    {
        var others = idle.GetOrAdd(path, _ => []);
        if (!others.TryTake(out var worker))
        {
            worker = new Worker(path);
        }
        try
        {
            var ended = worker.Obey(new Order(folder, [.. arguments], string.Join("\r\n", input)));
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
        process.Kill();
        process.Dispose();
    }

    Ended Obey(Order order)
    {
        var clock = Stopwatch.StartNew();
        process.StandardInput.WriteLine(JsonSerializer.Serialize(order));
        process.StandardInput.Flush();
        var written = new List<string>();
        while (true)
        {
            // What the tool wrote itself may lack its last line end.
            var parts = NextLine(order).Split(StartupHook.Answers);
            if (parts.Length == 1 || parts[0] != "")
            {
                written.Add(parts[0]);
            }
            if (parts.Length > 1)
            {
                var answer = JsonSerializer.Deserialize<Answer>(parts[1])!;
                string[] output = [.. written, .. Lines(answer.Output)];
                return new(answer.ExitCode, output, Lines(answer.Error), clock.Elapsed.TotalSeconds);
            }
        }
    }

    string NextLine(Order order)
    {
        var words = string.Join(' ', order.Arguments);
        var line = process.StandardOutput.ReadLineAsync();
        Assert.True(line.Wait(TimeSpan.FromSeconds(AnswerSeconds)), $"'{words}' took over {AnswerSeconds} s.");
        Assert.True(line.Result != null, $"'{words}' has ended the process that it was in.");
        return line.Result!;
    }

    static string[] Lines(string text)
    {
        var lines = text.ReplaceLineEndings("\n").Split('\n');
        return lines[^1] == "" ? lines[..^1] : lines;
    }
}
