using Microsoft.Diagnostics.Tracing.Etlx;

/// <summary>What a stack of methods says of the thread that has it.</summary>
sealed class StackKind
{
    const string NoName = "without a name";
    // Of a wait or a call into the system no more methods than these are above the one that is known.
    const int MostAbove = 4;

    // In which a thread sleeps until another wakes it, time passes or something comes to a console or pipe.
    static readonly string[] waits =
    [
        "System.Threading.Monitor.Wait",
        "System.Threading.Monitor.ObjWait",
        "System.Threading.Monitor.Enter",
        "System.Threading.Lock.",
        "System.Threading.WaitHandle.",
        "System.Threading.Thread.Sleep",
        "System.Threading.Thread.Join",
        "System.Threading.LowLevelLifoSemaphore.Wait",
        "System.Threading.LowLevelMonitor.Wait",
        "Interop+Sys.LowLevelMonitor_",
        "Interop+Sys.WaitForSocketEvents",
        "Interop+Sys.Read",
    ];

    // Which waits for events of all sockets, and does with them what takes a moment.
    const string EventLoop = "System.Net.Sockets.SocketAsyncEngine.EventLoop";

    // Calls into the system that seldom wait.
    static readonly string[] sends =
    [
        "Interop+Sys.Send",
        "Interop+Sys.Write",
        "System.Net.Sockets.SocketPal.Send",
        "System.Net.Sockets.SocketPal.SysSend",
        "System.Net.Sockets.SocketPal.TryCompleteSend",
        "System.Threading.Thread.Yield",
    ];

    static readonly string[] poolThreads =
    [
        "System.Threading.ThreadPoolWorkQueue.Dispatch",
        "System.Threading.PortableThreadPool+WorkerThread.",
    ];

    static readonly string[] pool =
    [
        "System.Threading.ThreadPool",
        "System.Threading.PortableThreadPool",
        "System.Threading.WorkStealingQueue",
        "System.Threading.LowLevelLifoSemaphore",
    ];

    // Which allocate for whoever calls them.
    static readonly string[] allocators =
    [
        "System.String.FastAllocateString",
        "System.GC.Allocate",
        "System.RuntimeType.CreateInstance",
        "System.Runtime.CompilerServices.RuntimeHelpers.",
    ];

    /// <summary>That of a stack.</summary>
    public StackKind(TraceCallStack stack)
    {
        List<Method> methods = [];
        for (TraceCallStack? at = stack; at != null; at = at.Caller)
        {
            var method = MethodAt(at.CodeAddress);
            if (!IsStub(method))
            {
                methods.Add(method);
            }
        }
        Top = methods.Count == 0 ? new Method(NoName, Method.Native) : methods[0];
        var above = methods.Take(MostAbove).ToArray();
        Waits = Top.Name == EventLoop || above.Any(method => IsOneOf(waits, method));
        Sends = above.Any(method => IsOneOf(sends, method));
        IsOfPool = methods.Any(method => IsOneOf(poolThreads, method));
        IsInPool = IsOneOf(pool, Top);
        Allocates = methods.FirstOrDefault(method => !IsOneOf(allocators, method), Top);
    }

    /// <summary>The method that runs.</summary>
    public Method Top { get; }

    /// <summary>The method that has something allocated.</summary>
    public Method Allocates { get; }

    /// <summary>True where it waits if it runs outside .NET.</summary>
    public bool Waits { get; }

    /// <summary>True where it does not wait though it runs outside .NET.</summary>
    public bool Sends { get; }

    /// <summary>True of a thread of the thread pool that has work.</summary>
    public bool IsOfPool { get; }

    /// <summary>True where what runs is the thread pool's own code.</summary>
    public bool IsInPool { get; }

    // What a compiler adds is a part of the method that calls it: to call native code, and to be stopped.
    static bool IsStub(Method method) =>
        method.Name == NoName
        || method.Name.Contains("IL_STUB_PInvoke", StringComparison.Ordinal)
        || method.Name.Contains("g____PInvoke", StringComparison.Ordinal)
        || method.Name.StartsWith("System.Threading.Thread.PollGC", StringComparison.Ordinal)
        || method.Name.StartsWith("System.Threading.Thread.<PollGC>", StringComparison.Ordinal);

    static bool IsOneOf(string[] beginnings, Method method) =>
        beginnings.Any(beginning => method.Name.StartsWith(beginning, StringComparison.Ordinal));

    static Method MethodAt(TraceCodeAddress address)
    {
        var name = address.FullMethodName;
        if (name == "")
        {
            return new(NoName, address.ModuleName);
        }
        var arguments = name.IndexOf('(');
        return new(arguments > 0 ? name[..arguments] : name, address.ModuleName);
    }
}
