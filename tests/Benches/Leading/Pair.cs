using Newtonsoft.Json.Linq;

/// <summary>A server and clients of a bench, led by lines on stdin as the runner leads them.</summary>
sealed class Pair : IDisposable
{
    const double AnswerSeconds = 15;

    readonly Dictionary<Command, int> slices = [], counts = [];

    public Pair(string bench, params IEnumerable<string> flags)
    {
        var port = Bench.FreePort();
        (Server, Client) = (Start("server"), Start("client"));

        Command Start(string verb)
        {
            string[] words = [Bench.PathOf(bench), verb, "--until-stdin-closes", "--port", port, .. flags];
            var side = OperatingSystem.IsLinux() ? Command.StartGroup("dotnet", words) : Command.Start("dotnet", words);
            (slices[side], counts[side]) = (0, 0);
            side.LineWith("\"ready\"");
            return side;
        }
    }

    public Command Server { get; }
    public Command Client { get; }

    /// <summary>Ends a slice of both sides.</summary>
    public void Mark()
    {
        foreach (var side in new[] { Server, Client }) Say(side, "mark");
    }

    /// <summary>Lets the clients send, with slices of both sides before and after that.</summary>
    public void GoBetweenMarks()
    {
        Mark();
        Say(Client, "go");
        Mark();
    }

    /// <summary>Writes a line to a side.</summary>
    public void Say(Command side, string line)
    {
        if (line is "mark" or "rest") slices[side]++;
        side.Type(line);
    }

    /// <summary>Lets both sides rest, the clients first, and returns when they have written their slices.</summary>
    public void Rest()
    {
        foreach (var side in new[] { Client, Server })
        {
            Say(side, "rest");
            Command.Until(() => RecordsOf(side, "slice").Length == slices[side], AnswerSeconds);
        }
    }

    /// <summary>What a side has counted by now.</summary>
    public JObject Count(Command side)
    {
        counts[side]++;
        Say(side, "count");
        Command.Until(() => RecordsOf(side, "count").Length == counts[side], AnswerSeconds);
        return RecordsOf(side, "count")[^1];
    }

    /// <summary>Lets each client send so many messages and waits until the clients have received this many answers.
    /// </summary>
    public void Send(int each, long answers)
    {
        Say(Client, $"go {each}");
        Command.Until(() => Record.Sum(Count(Client), "completed", "duplicates") >= answers, AnswerSeconds);
    }

    /// <summary>The records of a kind that a side has written.</summary>
    public static JObject[] RecordsOf(Command side, string kind) =>
        [.. side.Lines.Select(Record.Parse).Where(record => Record.KindOf(record) == kind)];

    /// <summary>Closes the stdin of both sides, the clients' first, and returns how they ended.</summary>
    public (Ended Server, Ended Client) End()
    {
        Client.CloseInput();
        var client = Client.Wait();
        Server.CloseInput();
        return (Server.Wait(), client);
    }

    public void Dispose()
    {
        Client.Dispose();
        Server.Dispose();
    }
}
