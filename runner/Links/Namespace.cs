using System.Collections.Concurrent;

/// <summary>A network namespace: a thread that has it, and does there what it is told.</summary>
sealed class Namespace
{
    const int Missing = 127;

    readonly BlockingCollection<Action> work = [];

    /// <summary>A new one, with its loopback up.</summary>
    public Namespace()
    {
        new Thread(Work) { IsBackground = true }.Start();
        Path = Do(() =>
        {
            if (Libc.Unshare(Libc.NewNet) != 0)
            {
                throw new Failure($"This system gives no network namespace: {Libc.Fault}.", Exit.Unsupported);
            }
            Ip("link set lo up");
            return $"/proc/{Environment.ProcessId}/fd/{Libc.Open("/proc/thread-self/ns/net", 0)}";
        });
    }

    /// <summary>A file that is it, for as long as this process lives.</summary>
    public string Path { get; }

    /// <summary>Does something in it; what it throws is thrown here.</summary>
    public T Do<T>(Func<T> action)
    {
        var done = new TaskCompletionSource<T>();
        work.Add(() =>
        {
            try
            {
                done.SetResult(action());
            }
            catch (Exception fault)
            {
                done.SetException(fault);
            }
        });
        return done.Task.GetAwaiter().GetResult();
    }

    /// <summary>Lets iproute2 do commands, in the namespace of the thread that calls.</summary>
    public static void Ip(params string[] commands)
    {
        var (exitCode, said) = Run("ip", ["-batch", "-"], commands);
        if (exitCode == Missing)
        {
            throw new Failure("Links need the program ip (iproute2).", Exit.Unsupported);
        }
        if (exitCode != 0)
        {
            throw new Failure($"ip fails: {Text.Plain(said)}", Exit.Unsupported);
        }
    }

    /// <summary>Runs a program there, with lines on its stdin; returns its exit code and what it said.</summary>
    public static (int ExitCode, string Output) Run(string program, string[] words, params string[] lines)
    {
        try
        {
            // A child has the namespace of the thread that starts it.
            Ended ended = Child.Run([program, .. words], string.Concat(lines.Select(line => $"{line}\n")));
            return (ended.ExitCode, (ended.Output + ended.Errors).Trim());
        }
        catch (Failure)
        {
            return (Missing, $"the program {program} is not here.");
        }
    }

    void Work()
    {
        foreach (var one in work.GetConsumingEnumerable())
        {
            one();
        }
    }
}
