using Newtonsoft.Json.Linq;

/// <summary>A server and clients of a bench with a relay between them, at work.</summary>
sealed class ThroughRelay : IDisposable
{
    readonly Command server, client;
    Ended? ended;

    public ThroughRelay(string bench, string delivery, Line up, Line down, params IEnumerable<string> flags)
    {
        (server, var port) = Bench.StartServer(bench, ["--delivery", delivery, .. flags]);
        Relay = new(port, up, down);
        client = Bench.Start(bench, ["client", "--delivery", delivery, "--port", Relay.Port, .. flags]);
    }

    public Relay Relay { get; }

    /// <summary>How the clients ended; waits for it.</summary>
    public Ended Ended => ended ??= client.Wait();

    /// <summary>The clients' record, whether the run failed or not.</summary>
    public JObject Client => Record.Single(Ended.Records, "client");

    /// <summary>Stops the server and returns its record.</summary>
    public JObject StopServer()
    {
        server.Stop();
        return Record.Single(server.Wait().Records, "server");
    }

    public void Dispose()
    {
        client.Dispose();
        server.Dispose();
        Relay.Dispose();
    }
}
