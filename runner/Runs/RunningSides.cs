using System.Collections.Concurrent;
using System.Diagnostics;
using Newtonsoft.Json.Linq;

/// <summary>The sides of a run while they live: takes what they say, one event at a time, and sees to
/// it that none is left. Sleeps while they work.</summary>
sealed class RunningSides(string library, Hosts hosts, Link? link, Action<Side, JObject> onRecord) : IDisposable
{
    const int AliveMs = 5_000;
    const double EndSeconds = 20, SaySeconds = 2;

    readonly List<Side> sides = [];
    readonly HashSet<Side> ended = [];
    readonly Stopwatch sinceAlive = Stopwatch.StartNew();
    bool ending;

    /// <summary>Where the sides' events come in; an event without a side asks to stop.</summary>
    public BlockingCollection<SideEvent> Events { get; } = [];
    public int Count => sides.Count;
    public IEnumerable<Side> All => sides;
    public Side Server => sides.First(side => side.IsServer);
    public Side[] Clients => [.. sides.Where(side => !side.IsServer)];
    /// <summary>True once somebody asked to stop.</summary>
    public bool StopAsked { get; private set; }
    /// <summary>The first error record that a side wrote.</summary>
    public JObject? Error { get; private set; }

    /// <summary>Starts the server.</summary>
    public void StartServer(RunSettings settings, string? traceFolder) =>
        Start("server", "server", hosts.Server, settings.ServerCpus, settings, 0, null, traceFolder);

    /// <summary>Starts the clients, a side on each of their machines; they trust the certificate of this SHA-256 alone.</summary>
    public void StartClients(RunSettings settings, string? certificate, string? traceFolder)
    {
        for (var machine = 0; machine < settings.ClientMachines; machine++)
            Start("client", settings.ClientMachines == 1 ? "client" : $"client on machine {machine + 1}",
                hosts.Clients.ElementAtOrDefault(machine), settings.ClientCpus, settings, machine, certificate, traceFolder);
    }

    /// <summary>The share of the clients that a side has, from 0; null of the server.</summary>
    public int? MachineOf(Side side) => side.IsServer ? null : Array.IndexOf(Clients, side);

    /// <summary>Takes events until something holds; false when it does not in time.</summary>
    public bool Until(Func<bool> holds, double seconds)
    {
        var clock = Stopwatch.StartNew();
        while (!holds())
        {
            var leftMs = 1000 * (seconds - clock.Elapsed.TotalSeconds);
            if (leftMs <= 0) return false;
            SayAlive();
            if (Events.TryTake(out var next, (int)Math.Ceiling(Math.Min(leftMs, AliveMs)))) Take(next);
        }
        return true;
    }

    /// <summary>Lets all sides end and takes what they still say; those that do not are killed.</summary>
    public void End()
    {
        ending = true;
        sides.ForEach(side => side.GoOn());
        // Clients first: a server that is gone would be their fault.
        foreach (var side in Clients) side.Say(null);
        Until(() => ended.IsSupersetOf(Clients), EndSeconds);
        foreach (var side in sides) side.Say(null);
        var inTime = Until(() => ended.Count == sides.Count, EndSeconds);
        Dispose();
        if (!inTime) throw new Failure($"The {sides.First(side => !ended.Contains(side)).Name} did not end within {EndSeconds:0} s.");
    }

    /// <summary>Kills all; a side that told its fault has time to say it to people too.</summary>
    public void Drop()
    {
        ending = true;
        if (Error != null) Until(() => ended.Count > 0, SaySeconds);
        Dispose();
    }

    // Clients first: one that outlives its server says so.
    public void Dispose()
    {
        foreach (var side in Enumerable.Reverse(sides)) side.Kill();
    }

    void Start(string verb, string name, string? host, string cpus, RunSettings settings, int machine, string? certificate, string? traceFolder)
    {
        string[] words = [.. settings.WordsOfSide(machine, certificate)];
        var trace = traceFolder == null ? null : Path.Combine(traceFolder, $"{settings.RunId}-{verb}.nettrace");
        var side = host == null
            ? Side.Here(name, library, verb, cpus, words, link?.Enter(verb == "server") ?? [], (link == null ? settings.Address : "", settings.Clients, settings.Awake), trace, Events)
            : Side.On(hosts, host, name, library, verb, cpus, words, Events);
        sides.Add(side);
        if (hosts.Any) side.Say("alive"); // the link may be cut at any time from now on
    }

    void Take(SideEvent next)
    {
        if (next.Side is not { } side)
        {
            if (next.Record != null && !ending) throw new Failure((string)next.Record["reason"]!);
            StopAsked = true;
            return;
        }
        if (next.Record is { } record)
        {
            var isError = (string?)record["record"] == "error";
            if (isError) Error ??= record;
            onRecord(side, record);
            // What it said to people stands on stderr already.
            if (isError && !ending) throw new Failure((string)record["reason"]!, (int)record["exit_code"]!);
            return;
        }
        ended.Add(side);
        if (ending) return;
        throw new Failure(side.ExitCode == Side.SshFailed ? $"The link to the {side.Name} was lost: {Text.Plain(side.LinkFault).TrimEnd('.')}."
            : $"The {side.Name} ended with exit code {side.ExitCode} before the run was over.");
    }

    /// <summary>Without this a host whose link is cut would never learn that its side is alone.</summary>
    public void SayAlive()
    {
        if (!hosts.Any || sinceAlive.ElapsedMilliseconds < AliveMs) return;
        sinceAlive.Restart();
        sides.ForEach(side => side.Say("alive"));
    }
}
