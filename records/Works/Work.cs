/// <summary>What clients do. All that runner and report have to know of a work is said here, by an object of each.
/// </summary>
abstract class Work(string name)
{
    /// <summary>As settings have it.</summary>
    public string Name => name;

    /// <summary>What is counted, one of it.</summary>
    public virtual string Noun => "message";

    /// <summary>What was measured, many of it.</summary>
    public abstract string Plural { get; }

    /// <summary>What is counted, short and many of it.</summary>
    public virtual string Unit => "msg";

    /// <summary>Whether answers come. Then clients count what is completed and may have several in flight; else the
    /// server counts what comes to it.</summary>
    public virtual bool IsAnswered => true;

    /// <summary>Whether it is of calls, which tell of failures and bring data of their own.</summary>
    public virtual bool IsCall => false;

    /// <summary>Whether clients live in rooms, to whose members the server sends; what arrives there are deliveries.
    /// </summary>
    public virtual bool HasRooms => false;

    /// <summary>Whether it has no closed loop: its messages are due by a schedule.</summary>
    public virtual bool IsAlwaysPaced => false;

    /// <summary>The file in the folder of a bench that tells that it does it; null: all do that make no calls.</summary>
    public virtual string? BenchFile => null;

    /// <summary>What its sections in a report have in common; null: nothing that must be said.</summary>
    public virtual string? Group => null;

    /// <summary>Whether it is another thing in another delivery mode; else it is the same in all.</summary>
    public virtual bool DiffersByDelivery => true;

    /// <summary>What its rows are told apart by, beside clients and messages in flight.</summary>
    public virtual string RowsDifferIn => "delivery mode";

    /// <summary>The settings that it has no use for.</summary>
    public virtual IReadOnlyList<string> Unused => [];

    /// <summary>Words of a report about messages, as they are said of it.</summary>
    public virtual string InWords(string words) => words;

    /// <summary>As ids of launches have it.</summary>
    public abstract string IdOf(int payloadBytes);

    /// <summary>What the rows of one table do.</summary>
    public abstract string KindOf(string delivery);
}

/// <summary>Messages that the server sends back.</summary>
sealed class EchoWork() : Work(Works.Echo)
{
    /// <inheritdoc/>
    public override string Plural => "echoes";

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => $"{payloadBytes}";

    /// <inheritdoc/>
    public override string KindOf(string delivery) => delivery;
}

/// <summary>Messages one way, from the clients to the server.</summary>
sealed class StreamWork() : Work(Works.Stream)
{
    /// <inheritdoc/>
    public override string Plural => "streams";

    /// <inheritdoc/>
    public override bool IsAnswered => false;

    /// <inheritdoc/>
    public override string? Group => "streams";

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => $"{Name}-{payloadBytes}";

    /// <inheritdoc/>
    public override string KindOf(string delivery) => $"{delivery} stream";
}

/// <summary>Messages that the server sends to all who are in the sender's room. One is completed when the last of them
/// has it.</summary>
sealed class BroadcastWork() : Work(Works.Broadcast)
{
    /// <inheritdoc/>
    public override string Plural => "broadcasts";

    /// <inheritdoc/>
    public override bool HasRooms => true;

    /// <inheritdoc/>
    public override string? BenchFile => "Broadcast.cs";

    /// <inheritdoc/>
    public override string? Group => Works.Rooms;

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => $"{Name}-{payloadBytes}";

    /// <inheritdoc/>
    public override string KindOf(string delivery) => $"{delivery} broadcast";
}

/// <summary>Inputs of players, by a schedule, and what a server that ticks sends to each of them. An input is completed
/// when its player has the first snapshot that tells of it.</summary>
sealed class GameWork() : Work(Works.Game)
{
    /// <inheritdoc/>
    public override string Noun => "input";

    /// <inheritdoc/>
    public override string Unit => "inputs";

    /// <inheritdoc/>
    public override string Plural => "games";

    /// <inheritdoc/>
    public override bool HasRooms => true;

    /// <inheritdoc/>
    public override bool IsAlwaysPaced => true;

    /// <inheritdoc/>
    public override string? BenchFile => "Game.cs";

    /// <inheritdoc/>
    public override string? Group => Works.Rooms;

    /// <inheritdoc/>
    public override IReadOnlyList<string> Unused => ["parallel"];

    /// <inheritdoc/>
    public override string InWords(string words) =>
        words.Replace("message", "input").Replace("msg", "input");

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => $"{Name}-{payloadBytes}";

    /// <inheritdoc/>
    public override string KindOf(string delivery) => $"{delivery} game";
}

/// <summary>Calls of a method, each with its result.</summary>
sealed class CallWork(string name) : Work(name)
{
    /// <inheritdoc/>
    public override string Noun => "call";

    /// <inheritdoc/>
    public override string Unit => "calls";

    /// <inheritdoc/>
    public override string Plural => "calls";

    /// <inheritdoc/>
    public override bool IsCall => true;

    /// <inheritdoc/>
    public override string? BenchFile => Works.CallsFile;

    /// <inheritdoc/>
    public override string? Group => "calls";

    /// <inheritdoc/>
    public override bool DiffersByDelivery => false;

    /// <inheritdoc/>
    public override string RowsDifferIn => "what is called";

    /// <inheritdoc/>
    public override IReadOnlyList<string> Unused => ["payload_bytes", "payload", "tick_hz", "client_threads"];

    /// <inheritdoc/>
    public override string InWords(string words) =>
        words.Replace("message", "call").Replace("msg", "call");

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => Name;

    /// <inheritdoc/>
    public override string KindOf(string delivery) => $"{Name} calls";
}
