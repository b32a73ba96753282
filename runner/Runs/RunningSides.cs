using System.Collections.Concurrent;
using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>The sides of a run while they live: takes what they say, one event at a time, and sees to it that none is
/// left. Sleeps while they work.</summary>
sealed class RunningSides(string library, Hosts hosts, Link? link, Action<Side, JObject> onRecord) : IDisposable
{
    const int AliveMilliseconds = 5_000;
    const double EndSeconds = 20;
    const double SaySeconds = 2;

    readonly List<Side> sides = [];
    readonly HashSet<Side> ended = [];
    readonly Dictionary<Side, JObject?> trouble = [];
    readonly Stopwatch sinceAlive = Stopwatch.StartNew();
    bool isEnding;

    /// <summary>Where the sides' events come in; an event without a side asks to stop.</summary>
    public BlockingCollection<SideEvent> Events { get; } = [];
    public int Count => All.Count();
    /// <summary>The server and the clients that are measured.</summary>
    public IEnumerable<Side> All => sides.Except(trouble.Keys);
    public Side Server => sides.First(side => side.IsServer);
    public Side[] Clients => [.. All.Where(side => !side.IsServer)];
    /// <summary>The clients that make trouble, and what each said last.</summary>
    public IReadOnlyDictionary<Side, JObject?> Trouble => trouble;
    /// <summary>True once somebody asked to stop.</summary>
    public bool StopAsked { get; private set; }
    /// <summary>The first error record that a side wrote.</summary>
    public ErrorRecord? Error { get; private set; }

    /// <summary>Starts the server.</summary>
    public void StartServer(LaunchSettings settings, string? traceFolder)
    {
        IEnumerable<string> words = settings.WordsOfSide(0, settings.Clients, null);
        Start("server", "server", hosts.Server, settings.ServerCpus, settings, words, traceFolder);
    }

    /// <summary>Starts the clients, a side on each of their machines; they trust the certificate of this SHA-256
    /// alone. </summary>
    public void StartClients(LaunchSettings settings, string? certificateSha256, string? traceFolder)
    {
        for (int machine = 0; machine < settings.ClientMachines; machine++)
        {
            string name = settings.ClientMachines == 1 ? "client" : $"client on machine {machine + 1}";
            string? host = hosts.Clients.ElementAtOrDefault(machine);
            int clients = settings.SoundClientsOf(machine);
            var words = settings.WordsOfSide(settings.FirstClientOf(machine), clients, certificateSha256);
            Start("client", name, host, settings.ClientCpus, settings, words, traceFolder);
        }
    }

    /// <summary>Starts a process of clients that make trouble, beside the last of the others; null: there are none.
    /// </summary>
    public Side? StartTrouble(string name, LaunchSettings settings, int first, int clients, string? certificateSha256)
    {
        if (clients == 0)
        {
            return null;
        }
        var words = settings.WordsOfSide(first, clients, certificateSha256);
        Side side = Start("client", name, hosts.Clients.LastOrDefault(), settings.ClientCpus, settings, words, null);
        trouble[side] = null;
        return side;
    }

    /// <summary>The share of the clients that a side has, from 0; null of the server.</summary>
    public int? MachineOf(Side side) => side.IsServer ? null : Array.IndexOf(Clients, side);

    /// <summary>Takes events until something holds; false when it does not in time.</summary>
    public bool Until(Func<bool> holds, double seconds)
    {
        var clock = Stopwatch.StartNew();
        while (!holds())
        {
            double leftMilliseconds = 1000 * (seconds - clock.Elapsed.TotalSeconds);
            if (leftMilliseconds <= 0)
            {
                return false;
            }
            SayAlive();
            int waitMilliseconds = (int)Math.Ceiling(Math.Min(leftMilliseconds, AliveMilliseconds));
            if (Events.TryTake(out SideEvent? next, waitMilliseconds))
            {
                Take(next);
            }
        }
        return true;
    }

    /// <summary>Lets all sides end and takes what they still say; those that do not are killed.</summary>
    public void End()
    {
        isEnding = true;
        sides.ForEach(side => side.GoOn());
        // Clients first: a server that is gone would be their fault.
        Side[] clients = [.. sides.Where(side => !side.IsServer)];
        Array.ForEach(clients, side => side.Say(null));
        Until(() => ended.IsSupersetOf(clients), EndSeconds);
        foreach (Side side in sides)
        {
            side.Say(null);
        }
        bool isInTime = Until(() => ended.Count == sides.Count, EndSeconds);
        Dispose();
        if (!isInTime)
        {
            Side late = sides.First(side => !ended.Contains(side));
            throw new Failure($"The {late.Name} did not end within {EndSeconds:0} s.");
        }
    }

    /// <summary>Kills all; a side that told its fault has time to say it to people too.</summary>
    public void Drop()
    {
        isEnding = true;
        if (Error != null)
        {
            Until(() => ended.Count > 0, SaySeconds);
        }
        Dispose();
    }

    // Clients first: one that outlives its server says so.
    public void Dispose()
    {
        foreach (Side side in Enumerable.Reverse(sides))
        {
            side.Dispose();
        }
    }

    /// <summary>Tells hosts that this runner lives. Without this a host whose link is cut would never learn that its
    /// side is alone.</summary>
    public void SayAlive()
    {
        if (!hosts.Any || sinceAlive.ElapsedMilliseconds < AliveMilliseconds)
        {
            return;
        }
        sinceAlive.Restart();
        sides.ForEach(side => side.Say("alive"));
    }

    Side Start(
        string verb,
        string name,
        string? host,
        string cpus,
        LaunchSettings settings,
        IEnumerable<string> words,
        string? traceFolder)
    {
        string? trace = traceFolder == null ? null : Path.Combine(traceFolder, $"{settings.RunId}-{verb}.nettrace");
        string[] enter = link?.Enter(isServer: verb == "server") ?? [];
        var known = (link == null ? settings.Address : "", settings.Clients, settings.Awake, settings.ServerMostMb);
        Side side = host == null
            ? Side.Here(name, library, verb, cpus, [.. words], enter, known, trace, Events)
            : Side.On(hosts, host, name, library, verb, cpus, words, Events);
        sides.Add(side);
        if (hosts.Any)
        {
            // The link may be cut at any time from now on.
            side.Say("alive");
        }
        return side;
    }

    void Take(SideEvent next)
    {
        if (next.Side is not { } side)
        {
            if (next.Fault != null && !isEnding)
            {
                throw new Failure(next.Fault);
            }
            StopAsked = true;
            return;
        }
        if (trouble.TryGetValue(side, out JObject? last))
        {
            // What becomes of them is told by whoever leads them, and they may end before the others.
            trouble[side] = next.Record ?? last;
            if (next.Record == null)
            {
                ended.Add(side);
            }
            return;
        }
        if (next.Record is { } record)
        {
            ErrorRecord? error = (string?)record["record"] == "error" ? RecordFile.As<ErrorRecord>(record) : null;
            Error ??= error;
            onRecord(side, record);
            if (error != null && !isEnding)
            {
                // What it said to people stands on stderr already.
                throw new Failure(error.Reason, (int)error.ExitCode);
            }
            return;
        }
        ended.Add(side);
        if (isEnding)
        {
            return;
        }
        string linkFault = Text.Plain(side.LinkFault).TrimEnd('.');
        throw new Failure(side.ExitCode == Side.SshFailed
            ? $"The link to the {side.Name} was lost: {linkFault}."
            : $"The {side.Name} ended with exit code {side.ExitCode} before the run was over.");
    }
}
