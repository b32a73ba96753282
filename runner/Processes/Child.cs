using System.ComponentModel;
using System.Diagnostics;

/// <summary>A process that this one started. Its stdin is open until it is told its end by closing it: so it sees, too,
/// when this process ends, by whatever means.</summary>
sealed class Child : IDisposable
{
    Child(Process process) => Process = process;

    /// <summary>What the system tells of it.</summary>
    public Process Process { get; }

    /// <summary>Its stdout, where that is read here.</summary>
    public TextReader Output => Process.StandardOutput;

    /// <summary>Its stderr, where that is read here.</summary>
    public TextReader Errors => Process.StandardError;

    /// <summary>Its exit code once it has ended.</summary>
    public int ExitCode => Process.ExitCode;

    /// <summary>Starts a program; fails in a sentence where it cannot be started.</summary>
    /// <param name="command">The program, then its words.</param>
    /// <param name="readsOutput">Whether its stdout is read here; else it goes where this process's does.</param>
    /// <param name="readsErrors">Whether its stderr is read here; else likewise.</param>
    /// <param name="folder">That it starts in; empty: where this process is.</param>
    /// <param name="variables">That are set in its environment, beside this process's own.</param>
    public static Child Start(
        string[] command,
        bool readsOutput = false,
        bool readsErrors = false,
        string folder = "",
        Dictionary<string, string>? variables = null)
    {
        var start = new ProcessStartInfo(command[0], command[1..])
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = readsOutput,
            RedirectStandardError = readsErrors,
        };
        foreach (var (name, value) in variables ?? [])
        {
            start.Environment[name] = value;
        }
        try
        {
            return new Child(Process.Start(start)!);
        }
        catch (Win32Exception fault)
        {
            throw new Failure($"'{command[0]}' cannot be started: {fault.Message}");
        }
    }

    /// <summary>Runs a program to its end; the input is all of its stdin.</summary>
    public static Ended Run(string[] command, string input = "", bool readsErrors = true, string folder = "")
    {
        Child child = Start(command, readsOutput: true, readsErrors, folder);
        using Process process = child.Process;
        // Both while it is told its input, as no pipe holds much.
        Task<string> output = child.Output.ReadToEndAsync();
        Task<string> errors = readsErrors ? child.Errors.ReadToEndAsync() : Task.FromResult("");
        child.Write(input);
        child.CloseInput();
        child.Wait();
        return new Ended(child.ExitCode, output.Result, errors.Result);
    }

    /// <summary>Writes a line to its stdin; false: it has ended or been closed.</summary>
    public bool Say(string line) => Write(line + "\n");

    /// <summary>Closes its stdin.</summary>
    public void CloseInput() => Try(Process.StandardInput.Close);

    /// <summary>Waits for its end.</summary>
    public void Wait() => Process.WaitForExit();

    /// <summary>Waits for its end; false: it did not end in time.</summary>
    public bool EndsWithin(double seconds) => Process.WaitForExit(TimeSpan.FromSeconds(seconds));

    /// <summary>Ends it and all that it started, at once; this does nothing to one that has ended.</summary>
    public void Dispose()
    {
        try
        {
            if (!Process.HasExited)
            {
                Process.Kill(entireProcessTree: true);
            }
        }
        catch (Exception fault) when (fault is Win32Exception or AggregateException { InnerException: Win32Exception })
        {
            // Where this system lets nobody signal it, it ends by itself.
            CloseInput();
        }
    }

    bool Write(string text) => Try(() => Process.StandardInput.Write(text));

    // False where it has just ended, or its stdin was closed: whoever waits for its end hears of that.
    static bool Try(Action write)
    {
        try
        {
            write();
            return true;
        }
        catch (Exception fault) when (fault is IOException or InvalidOperationException)
        {
            return false;
        }
    }
}
