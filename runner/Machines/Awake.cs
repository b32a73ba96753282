using System.CommandLine;
using System.Diagnostics;
using System.Runtime.InteropServices;

/// <summary>Keeps the CPUs of this machine from sleeping: a process with a spinner of the idle scheduling class on each,
/// which gives way to whatever else wants to run.</summary>
static partial class Awake
{
    const int IdleClass = 5; // SCHED_IDLE

    /// <summary>The verb of that process.</summary>
    public static Command Verb => Flags.Verb("awake", "Keeps the CPUs of this machine from sleeping, until stdin closes (Linux).", [], _ =>
    {
        AssertLinux();
        for (var cpu = 0; cpu < Environment.ProcessorCount; cpu++)
        {
            var own = cpu;
            new Thread(() => Spin(own)) { IsBackground = true }.Start();
        }
        while (Console.In.ReadLine() != null)
        { }
        return Exit.Done;
    });

    /// <summary>Begins it; ends when disposed or when this process ends.</summary>
    public static IDisposable Begin(Hosts hosts)
    {
        if (hosts.Any)
            throw new Failure("--awake works on this machine alone.", Exit.WrongUsage);
        AssertLinux();
        string[] own = Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? [typeof(Awake).Assembly.Location] : [];
        return new Spinners(Process.Start(new ProcessStartInfo(Environment.ProcessPath!, [.. own, "awake"])
        { RedirectStandardInput = true })!);
    }

    static void AssertLinux()
    {
        if (!OperatingSystem.IsLinux())
            throw new Failure("--awake needs Linux.", Exit.WrongUsage);
    }

    static void Spin(int cpu)
    {
        var priority = 0;
        // Of this thread alone. One that may not be of the idle class must not spin.
        if (SetScheduler(0, IdleClass, ref priority) != 0)
            return;
        Pins.StayOn(cpu);
        while (true)
            Thread.SpinWait(1_000);
    }

    sealed class Spinners(Process process) : IDisposable
    {
        public void Dispose()
        {
            if (!process.HasExited)
                process.Kill();
        }
    }

    [LibraryImport("libc", EntryPoint = "sched_setscheduler")]
    private static partial int SetScheduler(int thread, int policy, ref int priority);
}
