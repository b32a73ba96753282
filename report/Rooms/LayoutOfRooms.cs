/// <summary>What a report shows of works whose clients live in rooms.</summary>
sealed class LayoutOfRooms(string group, string plural) : WorkLayout
{
    /// <summary>That of broadcasts.</summary>
    public static readonly LayoutOfRooms Broadcasts = new(Question.Chats, "chats");

    /// <summary>That of games.</summary>
    public static readonly LayoutOfRooms Games = new(Question.Games, "games");

    /// <inheritdoc/>
    public override string Group => group;

    /// <summary>What stands before its loads in the index.</summary>
    public string Plural => plural;

    /// <inheritdoc/>
    public override Metric InVerdict => RoomMetrics.DelayP99;

    /// <inheritdoc/>
    public override Metric JudgedAtRate { get; } = RoomMetrics.DelayP99 with { Title = "delay p99 µs", Unit = 1 };

    /// <inheritdoc/>
    public override string[] SaidByLoad => RoomLoad.Says;

    /// <inheritdoc/>
    public override string LoadOf(Cell cell) => RoomLoad.InWords(cell);

    /// <inheritdoc/>
    public override string LoadInWords(Cell cell) => RoomLoad.InWords(cell);
}
