using Newtonsoft.Json.Linq;

/// <summary>A run of a bench, led by the runner, with a relay between clients and server.</summary>
sealed class ThroughRelay : IDisposable
{
    readonly Scratch scratch = new();
    readonly Command run;
    Ended? ended;
    bool isDisposed;

    public ThroughRelay(string bench, string delivery, Line up, Line down, params IEnumerable<string> flags)
    {
        var port = Bench.FreePort();
        Relay = new Relay(port, up, down);
        // The clients are started through taskset: one that shows them to the relay stands for it.
        var script = $"""
            shift 2
            for word do
                shift
                [ "$word" = {port} ] && word={Relay.Port}
                set -- "$@" "$word"
            done
            exec "$@"
            """;
        string[] own = ["--delivery", delivery, "--port", port, "--client-cpus", "0"];
        string[] words = [Tool.LeadPath, "run", Bench.LibraryOf(bench), .. own, .. flags];
        run = scratch.StartWithProgram("taskset", script, "dotnet", words);
    }

    public Relay Relay { get; }

    /// <summary>How the run ended; waits for it.</summary>
    public Ended Ended => ended ??= run.Wait();

    public JObject[] Records => Ended.Records;

    /// <summary>The slices of the clients, all phases.</summary>
    public JObject[] Clients => Record.Slices(Records, "client");

    public JObject Window => Record.Slice(Records, "client", "window");

    /// <summary>What it has measured can be looked at afterwards.</summary>
    public void Dispose()
    {
        if (isDisposed)
        {
            return;
        }
        isDisposed = true;
        run.Dispose();
        Relay.Dispose();
        scratch.Dispose();
    }
}
