using Newtonsoft.Json.Linq;

/// <summary>A server and clients of a bench, led by commands on stdin as the runner leads them.</summary>
sealed class Pair : IDisposable
{
    public Pair(string bench, params IEnumerable<string> flags)
        : this(bench, flags, ofServer: [])
    {
    }

    /// <summary>A pair whose server has other values of some flags, whose sides have more variables of the environment,
    /// or whose clients are shown another port than the server's.</summary>
    public Pair(
        string bench,
        IEnumerable<string> flags,
        string[] ofServer,
        (string Name, string Value)[]? variables = null,
        Func<string, string>? portOfClients = null)
    {
        Port = Bench.FreePort();
        var shown = portOfClients?.Invoke(Port) ?? Port;
        string[] ofBoth = [.. flags.Chunk(2).Where(flag => !ofServer.Contains(flag[0])).SelectMany(flag => flag)];
        string[] environment = [.. (variables ?? []).Select(variable => $"{variable.Name}={variable.Value}")];
        Server = Start("server", Port, [.. ofBoth, .. ofServer]);
        Client = Start("client", shown, flags);
        // The first message of each client, by which it is connected, is none of those that are tried.
        Drain();

        Command Start(string verb, string ownPort, IEnumerable<string> own)
        {
            string[] words = [Bench.PathOf(bench), verb, "--until-stdin-closes", "--port", ownPort, .. own];
            var side = OperatingSystem.IsLinux()
                ? Command.StartGroup("env", [.. environment, "dotnet", .. words])
                : Command.StartIn(Repo.Root, variables ?? [], "dotnet", words);
            side.LineWith("\"ready\"");
            return side;
        }
    }

    /// <summary>The server's.</summary>
    public string Port { get; }
    public Command Server { get; }
    public Command Client { get; }

    /// <summary>Gives a side a command and returns its answer: the next line that it writes.</summary>
    public static JObject Ask(Command side, string command)
    {
        var before = side.Lines.Length;
        side.Type(command);
        var answer = Record.Parse(side.LineBehind(before));
        Assert.Equal(command.Split(' ')[0], Record.KindOf(answer));
        return answer;
    }

    /// <summary>Lets the clients send; each so many messages, or as many as are due.</summary>
    public void Start(int? each = null) => Ask(Client, each == null ? "start" : $"start {each}");

    /// <summary>Opens a window on both sides.</summary>
    public void Begin()
    {
        Ask(Server, "begin");
        Ask(Client, "begin");
    }

    /// <summary>Closes it.</summary>
    public void End()
    {
        Ask(Client, "end");
        Ask(Server, "end");
    }

    /// <summary>Lets all that is in flight end; returns what both sides have counted since the last drain.</summary>
    public (JObject Client, JObject Server) Drain()
    {
        var client = Ask(Client, "drain");
        return (client, Ask(Server, "drain"));
    }

    /// <summary>What the clients have counted since the last drain, so far.</summary>
    public JObject Count() => Ask(Client, "count");

    /// <summary>Waits until the clients have counted so much since the last drain.</summary>
    public void Until(string counted, long least)
    {
        Command.Until(() => Record.Sum(Counted.PartsOf(Count()), counted) >= least);
    }

    /// <summary>Lets each client send so many messages, and waits until so many have come back since the last drain or
    /// were given up, as an unreliable one may be.</summary>
    public void Send(int each, long answers)
    {
        Start(each);
        Command.Until(() => Record.Sum(Counted.PartsOf(Count()), "completed", "lost") >= answers);
    }

    /// <summary>Lets both sides send for a while in a window of their own, and drains them.</summary>
    public (JObject Client, JObject Server) Measure(int milliseconds)
    {
        Start();
        Begin();
        Thread.Sleep(milliseconds);
        End();
        return Drain();
    }

    /// <summary>Closes the stdin of both sides, the clients' first, and returns how they ended.</summary>
    public (Ended Client, Ended Server) Close()
    {
        Client.CloseInput();
        var client = Client.Wait();
        Server.CloseInput();
        return (client, Server.Wait());
    }

    public void Dispose()
    {
        Client.Dispose();
        Server.Dispose();
    }
}
