using System.CommandLine;

/// <summary>Keeps the CPUs of this machine from sleeping: a process with a spinner of the idle scheduling class on
/// each, which gives way to whatever else wants to run.</summary>
static class Awake
{
    // What Linux calls SCHED_IDLE.
    const int IdleClass = 5;

    /// <summary>The verb of that process.</summary>
    public static Command Verb =>
        Flags.Verb("awake", "Keeps the CPUs of this machine from sleeping, until stdin closes (Linux).", [], _ => Be());

    /// <summary>Begins it; ends when disposed or when this process ends.</summary>
    public static IDisposable Begin(Hosts hosts)
    {
        if (hosts.Any)
        {
            throw new Failure("--awake works on this machine alone.", Exit.WrongUsage);
        }
        AssertLinux();
        var program = Environment.ProcessPath!;
        var isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        string[] words = isHost ? [typeof(Awake).Assembly.Location, "awake"] : ["awake"];
        return Child.Start([program, .. words]);
    }

    static int Be()
    {
        AssertLinux();
        for (var cpu = 0; cpu < Environment.ProcessorCount; cpu++)
        {
            var own = cpu;
            new Thread(() => Spin(own)) { IsBackground = true }.Start();
        }
        while (Console.In.ReadLine() != null)
        {
            // What is said to it does not matter.
        }
        return Exit.Done;
    }

    static void AssertLinux()
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new Failure("--awake needs Linux.", Exit.WrongUsage);
        }
    }

    static void Spin(int cpu)
    {
        var priority = 0;
        // This thread alone is of that class; one that may not be so must not spin.
        if (Libc.SetScheduler(0, IdleClass, ref priority) != 0)
        {
            return;
        }
        Pins.StayOn(cpu);
        while (true)
        {
            Thread.SpinWait(1_000);
        }
    }
}
