using Newtonsoft.Json.Linq;

/// <summary>What a process left: its exit code and the lines of both streams.</summary>
sealed record Ended(int ExitCode, string[] Out, string[] Error, double Seconds)
{
    /// <summary>All of stdout as records.</summary>
    public JObject[] Records => [.. Out.Select(Record.Parse)];

    /// <summary>For the message of a failing test: the code and the end of each stream.</summary>
    public override string ToString() =>
        $"exit code {ExitCode} after {Seconds:0.0} s\nstdout:\n{EndOf(Out)}\nstderr:\n{EndOf(Error)}";

    /// <summary>Asserts the exit code.</summary>
    public Ended WithCode(int expected)
    {
        Assert.True(ExitCode == expected, $"Expected exit code {expected}, got {this}");
        return this;
    }

    /// <summary>The same without what is said of builds first.</summary>
    public Ended AfterBuilds() => this with { Out = [.. Out.SkipWhile(line => line.StartsWith("building "))] };

    /// <summary>Asserts that people are told one sentence, and no stack trace.</summary>
    public string Sentence()
    {
        Assert.True(Error.Length == 1, $"Expected one line on stderr, got {this}");
        AssertNoStackTrace();
        return Error[0];
    }

    /// <summary>Asserts that nothing on stderr is a stack trace.</summary>
    public void AssertNoStackTrace() =>
        Assert.DoesNotContain(Error, line => line.Contains("   at ") || line.Contains("Unhandled exception"));

    /// <summary>Asserts wrong usage: exit 2, one sentence and no record.</summary>
    public string WrongUsage()
    {
        WithCode(2);
        Assert.True(Out.Length == 0, $"Expected nothing on stdout, got {this}");
        return Sentence();
    }

    /// <summary>Asserts a failure: the exit code, one sentence and an error record on stdout.</summary>
    public JObject Failure(int exitCode = 1)
    {
        WithCode(exitCode);
        Sentence();
        var error = Record.Single(Records, "error");
        Assert.Equal(exitCode, (int)error["exit_code"]!);
        return error;
    }

    static string EndOf(string[] lines) => string.Join('\n', lines.TakeLast(8).Select(Shortened));

    static string Shortened(string line) => line.Length > 300 ? line[..300] + "…" : line;
}
