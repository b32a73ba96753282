using System.Diagnostics;
using System.Runtime.InteropServices;

/// <summary>A process that a test started: its lines are gathered, and it does not outlive the test.</summary>
sealed class Command : IDisposable
{
    const double StreamSeconds = 30;
    const int Interrupt = 2;
    const int Terminate = 15;
    const int Continue = 18;

    /// <summary>How long a test waits for what comes within a second or two on an idle machine: as many tests run at
    /// once, and others use the machine too, it may take many times as long.</summary>
    public const double UsualSeconds = 120;

    /// <summary>SIGSTOP.</summary>
    public const int Suspend = 19;

    readonly Process process;
    readonly Stopwatch clock = Stopwatch.StartNew();
    readonly Said output = new();
    readonly Said error = new();
    readonly Thread[] readers;

    Command(ProcessStartInfo start)
    {
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        // Else the nodes of a build would outlive the test.
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        ShortLived.Begin(start);
        StartedProcesses.Add();
        process = Process.Start(start)!;
        readers = [Read(process.StandardOutput, output), Read(process.StandardError, error)];
    }

    /// <summary>Starts a program.</summary>
    public static Command Start(string file, params IEnumerable<string> args) => new(new(file, args));

    /// <summary>Starts a program in a folder, with variables added to its environment.</summary>
    public static Command StartIn(
        string folder, (string Name, string Value)[] variables, string file, params IEnumerable<string> args)
    {
        var start = new ProcessStartInfo(file, args) { WorkingDirectory = folder };
        foreach (var (name, value) in variables)
            start.Environment[name] = value;
        return new(start);
    }

    /// <summary>Starts a program as the leader of a process group that heeds Ctrl-C and the end of its terminal, as a
    /// shell does with what is typed; one in the background may have inherited deafness to it.</summary>
    public static Command StartGroup(string file, params IEnumerable<string> args) =>
        Start("setsid", ["env", "--default-signal=INT,HUP", file, .. args]);

    public int Id => process.Id;
    public bool HasExited => process.HasExited;

    /// <summary>The lines on stdout so far.</summary>
    public string[] Lines => output.Taken;

    /// <summary>Waits for a line on stdout and returns it the moment that it comes.</summary>
    public string LineWith(string text, double seconds = UsualSeconds) => LineOf(output, text, seconds);

    /// <summary>Waits for a line on stderr and returns it the moment that it comes.</summary>
    public string SaidWith(string text, double seconds = UsualSeconds) => LineOf(error, text, seconds);

    /// <summary>Waits for so many lines on stdout, and returns the one behind them the moment that it comes.</summary>
    public string LineBehind(int count)
    {
        lock (output)
        {
            while (output.Lines.Count <= count)
            {
                Assert.True(output.IsToldMore(UsualSeconds), $"No line behind {count}: {Result()}");
            }
            return output.Lines[count];
        }
    }

    /// <summary>Waits for the end.</summary>
    public Ended Wait(double seconds = UsualSeconds)
    {
        if (!process.WaitForExit(TimeSpan.FromSeconds(seconds)))
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
            Assert.Fail($"Did not end within {seconds} s: {Result()}");
        }
        var areRead = Array.TrueForAll(readers, reader => reader.Join(TimeSpan.FromSeconds(StreamSeconds)));
        Assert.True(areRead, "A process that it started still holds its streams.");
        return Result();
    }

    /// <summary>Ctrl-C at the terminal: the signal goes to the whole group.</summary>
    public void PressCtrlC() => Assert.Equal(0, Kill(-Id, Interrupt));

    /// <summary>SIGTERM to the process alone.</summary>
    public void Stop() => Assert.Equal(0, Kill(Id, Terminate));

    /// <summary>SIGSTOP to the process: returns when all of its threads stand still.</summary>
    public void Freeze()
    {
        Assert.Equal(0, Kill(Id, Suspend));
        Until(() => Array.TrueForAll(
            Directory.GetDirectories($"/proc/{Id}/task"),
            thread => File.ReadAllText($"{thread}/stat").Contains(") T ")));
    }

    /// <summary>SIGCONT to the process: it goes on.</summary>
    public void Thaw() => Assert.Equal(0, Kill(Id, Continue));

    /// <summary>SIGKILL to the process alone, not to those that it started.</summary>
    public void Kill() => process.Kill();

    /// <summary>A signal to another process, which may be gone.</summary>
    public static void Send(int process, int signal) => _ = Kill(process, signal);

    /// <summary>SIGSTOP to another process, and SIGCONT after some time.</summary>
    public static void Pause(int process, double seconds)
    {
        Assert.Equal(0, Kill(process, Suspend));
        Thread.Sleep(TimeSpan.FromSeconds(seconds));
        Assert.Equal(0, Kill(process, Continue));
    }

    /// <summary>Writes a line to its stdin, which stays open.</summary>
    public void Type(string line) => Press(line + "\n");

    /// <summary>Writes keys to its stdin, which stays open.</summary>
    public void Press(string keys)
    {
        process.StandardInput.Write(keys);
        process.StandardInput.Flush();
    }

    /// <summary>Writes all of its stdin.</summary>
    public void Write(string input)
    {
        process.StandardInput.Write(input);
        CloseInput();
    }

    /// <summary>Closes its stdin.</summary>
    public void CloseInput() => process.StandardInput.Close();

    /// <summary>Waits until something holds; fails when it does not in time.</summary>
    public static void Until(Func<bool> holds, double seconds = UsualSeconds)
    {
        var clock = Stopwatch.StartNew();
        while (!holds())
        {
            Assert.True(clock.Elapsed.TotalSeconds < seconds, $"Waited in vain for {seconds} s.");
            Thread.Sleep(20);
        }
    }

    public void Dispose()
    {
        if (!process.HasExited)
            process.Kill(entireProcessTree: true);
        process.Dispose();
    }

    Ended Result()
    {
        var exitCode = process.HasExited ? process.ExitCode : -1;
        return new(exitCode, output.Taken, error.Taken, clock.Elapsed.TotalSeconds);
    }

    string LineOf(Said said, string text, double seconds)
    {
        lock (said)
        {
            while (!said.Lines.Any(line => line.Contains(text)))
            {
                Assert.True(said.IsToldMore(seconds), $"No line with '{text}': {Result()}");
            }
            return said.Lines.First(line => line.Contains(text));
        }
    }

    static Thread Read(StreamReader stream, Said said)
    {
        var reader = new Thread(() => said.Gather(stream)) { IsBackground = true };
        reader.Start();
        return reader;
    }

    [DllImport("libc", EntryPoint = "kill")]
    static extern int Kill(int process, int signal);

    // What came on a stream; whoever reads the lines holds its lock.
    sealed class Said
    {
        bool isOver;

        public List<string> Lines { get; } = [];

        public string[] Taken
        {
            get
            {
                lock (this)
                    return [.. Lines];
            }
        }

        // Waits until something comes; false: nothing does in time, or ever, as the stream is over.
        public bool IsToldMore(double seconds) => !isOver && Monitor.Wait(this, TimeSpan.FromSeconds(seconds));

        public void Gather(StreamReader stream)
        {
            while (stream.ReadLine() is { } line)
            {
                lock (this)
                {
                    Lines.Add(line);
                    Monitor.PulseAll(this);
                }
            }
            lock (this)
            {
                isOver = true;
                Monitor.PulseAll(this);
            }
        }
    }
}
