/// <summary>What a report shows of works whose clients live in rooms.</summary>
sealed class LayoutOfRooms(string group) : WorkLayout
{
    /// <summary>That of broadcasts.</summary>
    public static readonly LayoutOfRooms Broadcasts = new(Question.Chats);

    /// <summary>That of games.</summary>
    public static readonly LayoutOfRooms Games = new(Question.Games);

    /// <inheritdoc/>
    public override string Group => group;

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
