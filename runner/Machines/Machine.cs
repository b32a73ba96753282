using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

/// <summary>Facts of the machine record: what a figure's reader must know of where it came from. Facts come
/// from Linux' /proc and /sys; other systems tell fewer. No host name, user name or path.</summary>
static partial class Machine
{
    const string Cpus = "/sys/devices/system/cpu/";
    const string Core = "/proc/sys/net/core/";
    const string Tcp = "/proc/sys/net/ipv4/tcp_";

    /// <summary>The facts, by their field names in docs/records.md.</summary>
    public static object Facts(string suite)
    {
        var commit = Git(suite, "rev-parse", "--show-prefix", "HEAD")?.Split('\n');
        // With a prefix the suite lies in another repository, whose commit says nothing of it.
        var isRepository = commit is { Length: 2 } && commit[0] == "";
        return new
        {
            CpuModel = CpuModel(),
            CpuCount = CpuCount(),
            Cores = Siblings() is { Length: > 0 } siblings ? siblings.Distinct().Count() : (int?)null,
            Smt = Read(Cpus + "smt/active") is { } active ? active == "1" : (bool?)null,
            Hypervisor = Hypervisor(),
            MemoryBytes = 1024 * Long(Find("/proc/meminfo", @"^MemTotal:\s*(\d+) kB$")),
            Os = RuntimeInformation.OSDescription,
            Kernel = Read("/proc/sys/kernel/osrelease") ?? Environment.OSVersion.Version.ToString(),
            Architecture = RuntimeInformation.ProcessArchitecture.ToString(),
            ClockSource = Read("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            StopwatchHz = Stopwatch.Frequency,
            CpuGovernor = Read(Cpus + "cpu0/cpufreq/scaling_governor"),
            CgroupCpuQuota = ControlGroup.CpuQuota(),
            RmemDefaultBytes = Long(Read(Core + "rmem_default")),
            RmemMaxBytes = Long(Read(Core + "rmem_max")),
            WmemMaxBytes = Long(Read(Core + "wmem_max")),
            TcpCongestionControl = Read(Tcp + "congestion_control"),
            TcpRmemBytes = Read(Tcp + "rmem")?.Replace('\t', ' '),
            TcpWmemBytes = Read(Tcp + "wmem")?.Replace('\t', ' '),
            LoopbackMtuBytes = Long(Read("/sys/class/net/lo/mtu")),
            OpenFilesLimit = OpenFilesLimit(),
            DotnetVersion = Environment.Version.ToString(),
            Rid = RuntimeInformation.RuntimeIdentifier,
            DotnetEnvironment = DotnetEnvironment(new ProcessStartInfo().Environment),
            SuiteCommit = isRepository ? commit![1] : null,
            SuiteDirty = isRepository ? IsDirty(suite) : (bool?)null,
        };
    }

    /// <summary>This machine in the name of a results folder, such as epyc-2cpu: its CPU, and how many.</summary>
    public static string Name() => $"{ShortOf(CpuModel())}-{CpuCount()}cpu";

    /// <summary>What tells a model of CPUs from others, in the words of a folder's name: AMD EPYC 7763 64-Core
    /// Processor is epyc-7763; null: none is known.</summary>
    public static string ShortOf(string? model)
    {
        string architecture = RuntimeInformation.ProcessArchitecture.ToString();
        string own = NoModel().Replace(BehindModel().Replace(model ?? "", ""), " ");
        string[] names = [own, model ?? "", architecture];
        return names
            .Select(name => NoWord().Replace(name.ToLowerInvariant(), "-").Trim('-'))
            .First(name => name != "");
    }

    static bool IsDirty(string suite) =>
        Git(suite, "status", "--porcelain", "--", ".", ":(exclude)results") != "";

    static string? CpuModel() => Find("/proc/cpuinfo", @"^model name\s*:\s*(.+)$");

    // Not Environment.ProcessorCount, which is what this process may use.
    static int CpuCount() =>
        Siblings() is { Length: > 0 } cpus ? cpus.Length : Environment.ProcessorCount;

    // For each CPU that is online, the CPUs of its core.
    static string[] Siblings()
    {
        if (!Directory.Exists(Cpus))
        {
            return [];
        }
        return
        [
            .. Directory.GetDirectories(Cpus)
                .Where(cpu => CpuFolder().IsMatch(cpu))
                .Select(cpu => Read(cpu + "/topology/thread_siblings_list"))
                .OfType<string>(),
        ];
    }

    static string? Hypervisor()
    {
        var named = Run("systemd-detect-virt", "--vm");
        if (named is not (null or "" or "none"))
        {
            return named;
        }
        if (Read("/sys/hypervisor/type") is { } type)
        {
            return type;
        }
        if (Find("/proc/cpuinfo", @"^flags\s*:.*\b(hypervisor)\b") == null)
        {
            return null;
        }
        return Read("/sys/class/dmi/id/sys_vendor") ?? "unknown";
    }

    /// <summary>Those variables of an environment that change .NET's runtime, without paths.</summary>
    public static SortedDictionary<string, string> DotnetEnvironment(IDictionary<string, string?> environment)
    {
        var found = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in environment.Where(variable => ChangesRuntime().IsMatch(variable.Key)))
        {
            found[name] = value.AsSpan().ContainsAny("/\\") ? "(a path)" : Text.Plain(value ?? "");
        }
        return found;
    }

    /// <summary>How many files a process that is started here may open: the soft limit, which .NET has raised to the
    /// hard one, as in every bench.</summary>
    public static long? OpenFilesLimit() => Long(Find("/proc/self/limits", @"^Max open files\s+(\d+)"));

    /// <summary>A number; null where the text is none.</summary>
    public static long? Long(string? digits) => long.TryParse(digits, out var number) ? number : null;

    /// <summary>What the group of a pattern holds where it first matches in a small file of the system's; ^ and $ stand
    /// for the ends of a line. Null where nothing matches.</summary>
    public static string? Find(string path, string pattern)
    {
        var match = Regex.Match(Read(path) ?? "", pattern, RegexOptions.Multiline);
        return match.Success ? match.Groups[1].Value.Trim() : null;
    }

    /// <summary>A small file of the system's; null where it cannot be read.</summary>
    public static string? Read(string path)
    {
        try
        {
            return File.ReadAllText(path).Trim();
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    static string? Git(string folder, params string[] arguments) =>
        Run("git", ["-C", folder, .. arguments]);

    // Output of a program; null where it is missing or fails.
    static string? Run(string program, params string[] arguments)
    {
        try
        {
            Ended ended = Child.Run([program, .. arguments]);
            return ended.ExitCode == 0 ? ended.Output.TrimEnd() : null;
        }
        catch (Failure)
        {
            return null;
        }
    }

    [GeneratedRegex("[^a-z0-9]+")]
    private static partial Regex NoWord();

    // Makers, marks, generations, and what any CPU is called.
    [GeneratedRegex(@"\((R|TM|C)\)|(?<![\w-])(AMD|Intel|\d+th Gen|[\w-]+-Cores?|CPU|Processor|PRO)(?![\w-])",
        RegexOptions.IgnoreCase)]
    private static partial Regex NoModel();

    // Its clock, and the graphics beside it.
    [GeneratedRegex(" *(@| with ).*$", RegexOptions.IgnoreCase)]
    private static partial Regex BehindModel();

    [GeneratedRegex(@"/cpu\d+$")]
    private static partial Regex CpuFolder();

    // Those of the SDK's tools and its host do not.
    [GeneratedRegex("^DOTNET_(gc|tc_|tiered|readytorun|osr|jit|enable|system_|thread|hillclimbing|processor_count|"
        + "eventpipe|maxvectort|prefer|legacy|startup_hooks)", RegexOptions.IgnoreCase)]
    private static partial Regex ChangesRuntime();
}
