using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Newtonsoft.Json.Linq;

/// <summary>Runs the benches as a user would, by hand and led by the runner, from what scripts/test.sh has built.
/// </summary>
static class Bench
{
    /// <summary>The one on which is tried what only files decide that every bench has alike, which CopiesTests holds.
    /// It needs no package that a registry may lack.</summary>
    public const string Model = "bench-udp";

    /// <summary>The error of a run that was stopped too early to have measured anything.</summary>
    public const string NoWindow = "The run was stopped before its window began.";

    /// <summary>Flags of a run that is over quickly.</summary>
    public static readonly string[] Short =
        ["--clients", "2", "--parallel", "2", "--warmup-seconds", "0", "--seconds", "0.3"];

    // One process of each that is built answers all that tests ask it, and ends with them. All are started at once, as
    // each takes a while.
    static readonly Dictionary<string, Command> informants = Repo.AllBenches
        .Where(IsBuilt)
        .ToDictionary(bench => bench, bench => Start(bench, "info", "--until-stdin-closes"));

    // By the flags that were asked for.
    static readonly ConcurrentDictionary<(string Bench, string Flags), Lazy<JObject>> answers = [];

    /// <summary>Every bench of messages; one that is not built, or can do nothing here, is skipped, never passed.
    /// </summary>
    public static IEnumerable<TheoryDataRow<string>> All => RowsOf(Repo.Benches);

    /// <summary>Every bench, those of calls too.</summary>
    public static IEnumerable<TheoryDataRow<string>> AllAndOfCalls => RowsOf(Repo.AllBenches);

    /// <summary>Every bench with each delivery mode that it has.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> WithDeliveries =>
        Pairs(DeliveriesOf);

    /// <summary>Every bench with each delivery mode in which nothing may be lost.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> WithReliableDeliveries =>
        Pairs(bench => DeliveriesOf(bench).Where(delivery => delivery != "unreliable"));

    /// <summary>Flags of clients by hand that end quickly.</summary>
    public static readonly string[] ByHand = ["--clients", "2", "--parallel", "2", "--seconds", "1"];

    // Below the ports that the system gives to clients, and not the same ones in two processes.
    static int lastPort = Random.Shared.Next(10_000, 30_000);

    public static bool IsBuilt(string bench) => File.Exists(PathOf(bench));
    /// <summary>What a bench says of itself.</summary>
    public static JObject InfoOf(string bench) => Record.Parse(informants[bench].LineBehind(0));

    /// <summary>What it says of itself with these flags.</summary>
    public static JObject InfoOf(string bench, string flags) =>
        answers.GetOrAdd((bench, flags), _ => new(() => Ask(informants[bench], flags))).Value;

    /// <summary>Why a bench cannot do what these flags ask for; null: it can.</summary>
    public static string? RefusalOf(string bench, string flags) => (string?)InfoOf(bench, flags)["refusal"];

    /// <summary>The delivery modes of a bench in its first variant.</summary>
    public static string[] DeliveriesOf(string bench) =>
    [
        .. ListOf(bench, "deliveries").Where(delivery => RefusalOf(bench, $"--delivery {delivery}") == null),
    ];

    /// <summary>The first delivery mode that a bench has in a variant.</summary>
    public static string DeliveryOf(string bench, string variant) => ListOf(bench, "deliveries")
        .First(delivery => RefusalOf(bench, $"--variant {variant} --delivery {delivery}") == null);

    /// <summary>True of one whose connections can be encrypted, in a mode at least.</summary>
    public static bool HasTls(string bench) => ListOf(bench, "securities").Contains("tls");

    /// <summary>True of one whose profile tuned has a knob.</summary>
    public static bool HasKnobs(string bench) => InfoOf(bench)["tuning"]!.Type == JTokenType.Object;

    /// <summary>The name of a bench's library.</summary>
    public static string LibraryOf(string bench) => bench["bench-".Length..];

    /// <summary>Runs a bench to its end.</summary>
    public static Ended Run(string bench, params IEnumerable<string> args)
    {
        using var command = Start(bench, args);
        return command.Wait();
    }

    /// <summary>Asks the model for its help or info, which end without ending its process. A refusal does.</summary>
    public static Ended AskModel(params IEnumerable<string> args) =>
        Worker.Run(PathOf(Model), Path.GetTempPath(), "", args);

    public static Command Start(string bench, params IEnumerable<string> args) =>
        Command.Start("dotnet", [PathOf(bench), .. args]);

    /// <summary>Lets the runner lead a run of a bench to its end.</summary>
    public static Ended Lead(string bench, params IEnumerable<string> args) =>
        Tool.Lead(["run", LibraryOf(bench), .. args]);

    public static Command StartLed(string bench, params IEnumerable<string> args) =>
        Command.Start("dotnet", LedWords(bench, args));

    /// <summary>The same, of a run that heeds Ctrl-C.</summary>
    public static Command StartLedGroup(string bench, params IEnumerable<string> args) =>
        Command.StartGroup("dotnet", LedWords(bench, args));

    /// <summary>Starts a run that heeds Ctrl-C and waits until it is in its window.</summary>
    public static Command StartMeasuring(string bench, string outFile, params IEnumerable<string> args)
    {
        // At a rate, so that it leaves CPU time to other tests.
        var run = StartLedGroup(
            bench,
            ["--clients", "2", "--rate", "200", "--warmup-seconds", "0", "--seconds", "20", "--out", outFile, .. args]);
        UntilItSends(run, outFile);
        return run;
    }

    /// <summary>Waits until clients of a run that has no warm-up and sends at 200 messages a second are in the window
    /// of the launch of this number, on a busy machine too. No record says that it is open: but its server wakes at
    /// least once a message, while before it wakes for its library's own timers alone.</summary>
    public static void UntilItSends(Command run, string outFile, int launch = 1)
    {
        const int Messages = 100;
        // From the first message until the window is open and something came back in it.
        const int OpeningMs = 1_000;
        JObject[] Ready(string side) => Record.All(Record.In(outFile), side, "ready");
        Command.Until(() => run.HasExited || Ready("client").Length == launch);
        if (run.HasExited)
            return;
        var server = (int)Ready("server")[launch - 1]["process_id"]!;
        var wakesBefore = WakesOf(server);
        Command.Until(() => run.HasExited || WakesOf(server) > wakesBefore + Messages);
        Thread.Sleep(OpeningMs);
    }

    /// <summary>Starts a run, ends it in its window and returns how it ended and its processes by verb. Once more
    /// where it was ended so early, on a busy machine, that there was no window to speak of.</summary>
    public static (Ended Ended, Dictionary<string, int> Children) EndInWindow(
        string bench, string outFile, Action<Command> end, params IEnumerable<string> args)
    {
        const int MostTries = 3;
        for (var attempt = 1; ; attempt++)
        {
            File.Delete(outFile);
            using var run = StartMeasuring(bench, outFile, args);
            var children = ChildrenOf(run.Id);
            Assert.Equal(["client", "server"], children.Keys.Order());
            // The machine was too busy for the tries before, so each waits half a second longer.
            Thread.Sleep(500 * (attempt - 1));
            end(run);
            var ended = run.Wait();
            if (attempt == MostTries || !Record.In(outFile).Any(IsTooEarly))
                return (ended, children);
        }
    }

    /// <summary>Starts a server and returns it with its port when it listens.</summary>
    public static (Command Server, string Port) StartServer(string bench, params IEnumerable<string> args)
    {
        var port = FreePort();
        var server = Start(bench, ["server", "--port", port, .. args]);
        server.LineWith("\"ready\"");
        return (server, port);
    }

    /// <summary>A port of loopback that is free in UDP and TCP, and that no other test is given.</summary>
    public static string FreePort()
    {
        while (true)
        {
            var port = Interlocked.Increment(ref lastPort);
            using var udp = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            using var tcp = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                udp.Bind(new IPEndPoint(IPAddress.Loopback, port));
                tcp.Bind(udp.LocalEndPoint!);
                return $"{port}";
            }
            catch (SocketException)
            {
                // Taken: the next one.
            }
        }
    }

    /// <summary>The processes that a run started, by their verb.</summary>
    public static Dictionary<string, int> ChildrenOf(int run) =>
        StartedBy(run).ToDictionary(process => WordsOf(process).First(word => word is "server" or "client"));

    /// <summary>The processes that another has started and that are not gone.</summary>
    public static int[] StartedBy(int process)
    {
        var numbers = Directory.GetDirectories("/proc")
            .Select(path => Path.GetFileName(path)!)
            .Where(name => name.All(char.IsDigit));
        return [.. numbers.Where(number => ParentOf(number) == process).Select(int.Parse)];
    }

    /// <summary>The most memory in bytes that a process has had resident since it started.</summary>
    public static long MostMemoryOf(int process)
    {
        return 1024 * StatusOf($"/proc/{process}", "VmHWM")!.Value;
    }

    /// <summary>True while a process of a bench has this number.</summary>
    public static bool IsRunning(int process) => WordsOf(process).Any(word => word.Contains("bench-"));

    public static string PathOf(string bench) => Repo.PathOf(bench, "bin", "Release", $"{bench}.dll");

    static bool IsTooEarly(JObject record)
    {
        if ((string?)record["reason"] == NoWindow)
            return true;
        if ((string?)record["phase"] != "window")
            return false;
        return (double)record["elapsed_ns"]! / 1e9 < 0.2 || (long)record["received"]! == 0;
    }

    static string[] LedWords(string bench, IEnumerable<string> args) =>
        [Tool.LeadPath, "run", LibraryOf(bench), .. args];

    // What it says first is of no flags; each line of flags is answered by a line.
    static JObject Ask(Command informant, string flags)
    {
        lock (informant)
        {
            informant.LineBehind(0);
            var before = informant.Lines.Length;
            informant.Type(flags);
            return Record.Parse(informant.LineBehind(before));
        }
    }

    static string[] ListOf(string bench, string field) =>
        [.. InfoOf(bench)[field]!.Select(value => (string)value!)];

    static IEnumerable<TheoryDataRow<string>> RowsOf(string[] benches) =>
        benches.Select(bench => Row(bench, new TheoryDataRow<string>(bench)));

    static IEnumerable<TheoryDataRow<string, string>> Pairs(Func<string, IEnumerable<string>> valuesOf)
    {
        foreach (var bench in Repo.Benches)
        {
            // Of a bench that cannot be tried one row stands for all of its, and is skipped.
            var values = WhyNot(bench) == null ? valuesOf(bench) : ["no delivery"];
            foreach (var value in values)
                yield return Row(bench, new TheoryDataRow<string, string>(bench, value));
        }
    }

    static T Row<T>(string bench, T row) where T : TheoryDataRowBase
    {
        if (WhyNot(bench) is { } reason)
            row.Skip = reason;
        return row;
    }

    // Why a bench cannot be tried; null: it can. What a library needs of the system it says itself.
    static string? WhyNot(string bench)
    {
        if (!IsBuilt(bench))
            return $"{bench} is not built: unavailable.";
        return (string?)InfoOf(bench)["refusal"];
    }

    // How often the threads of a process have waited for something and were woken; 0 of a process that is gone.
    static long WakesOf(int process)
    {
        try
        {
            var threads = Directory.GetDirectories($"/proc/{process}/task");
            return threads.Sum(thread => StatusOf(thread, "voluntary_ctxt_switches") ?? 0);
        }
        catch (DirectoryNotFoundException)
        {
            return 0;
        }
    }

    // A number that the kernel tells of a process or thread, by its folder in /proc; null of one that is gone.
    static long? StatusOf(string folder, string name)
    {
        var lines = Read(Path.Combine(folder, "status")).Split('\n');
        var line = lines.FirstOrDefault(line => line.StartsWith($"{name}:"));
        var number = line?.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)[1];
        return number == null ? null : long.Parse(number, CultureInfo.InvariantCulture);
    }

    // Empty for a process that is gone or waits to be reaped.
    static string[] WordsOf(int process) => Read($"/proc/{process}/cmdline").Split('\0');

    // The parent is the fourth field of stat. The second field, a name in brackets, may hold spaces, so that fields
    // are counted from the last bracket on. A process that is gone has no parent.
    static int? ParentOf(string process)
    {
        var stat = Read($"/proc/{process}/stat");
        if (stat == "")
            return null;
        var afterName = stat[(stat.LastIndexOf(')') + 2)..];
        return int.Parse(afterName.Split(' ')[1], CultureInfo.InvariantCulture);
    }

    static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
