using System.Diagnostics;
using System.Runtime.InteropServices;

/// <summary>Lets processes on this machine stand still and go on, as job control does. Should this process end in any
/// way while some stand still, a shell that waits for its end lets them go on, so that they see it and end
/// too.</summary>
static partial class Stillness
{
    static readonly bool isMac = OperatingSystem.IsMacOS();
    static readonly Lazy<Child> guard = new(StartGuard);
    static readonly HashSet<int> guarded = [];

    static int SigStop => isMac ? 17 : 19;
    static int SigCont => isMac ? 19 : 18;

    /// <summary>Whether this system knows how to.</summary>
    public static bool IsPossible => OperatingSystem.IsLinux() || isMac;

    /// <summary>Stops a process; fails, unsupported, where the system does not allow it.</summary>
    public static void Stop(Process process)
    {
        if (!IsPossible)
        {
            throw new Failure("This system has no means to let a process stand still.", Exit.Unsupported);
        }
        lock (guarded)
        {
            if (guarded.Add(process.Id))
            {
                guard.Value.Say($"{process.Id}");
            }
        }
        if (!process.HasExited && Kill(process.Id, SigStop) != 0 && !process.HasExited)
        {
            throw new Failure("This system does not let a process stand still: "
                + $"{Marshal.GetLastPInvokeErrorMessage()}.", Exit.Unsupported);
        }
    }

    /// <summary>Lets it go on.</summary>
    public static void GoOn(Process process)
    {
        if (IsPossible && !process.HasExited)
        {
            _ = Kill(process.Id, SigCont);
        }
    }

    // Its stdin closes when this process ends, even by SIGKILL. Neither Ctrl-C nor a closed terminal ends it before.
    static Child StartGuard()
    {
        const string script = """
            trap '' INT HUP TERM
            processes=
            while read -r process; do
                processes="$processes $process"
            done
            [ -z "$processes" ] || kill -CONT $processes 2>/dev/null
            """;
        return Child.Start(["sh", "-c", script]);
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int process, int signal);
}
