/// <summary>Inputs of players, by a schedule, and what a server that ticks sends to each of them. An input is completed
/// when its player has the first snapshot that tells of it.</summary>
sealed class GameWork() : RoomWork(Works.Game, "Game.cs")
{
    /// <inheritdoc/>
    public override string Noun => "input";

    /// <inheritdoc/>
    public override string Unit => "inputs";

    /// <inheritdoc/>
    public override string Plural => "games";

    /// <inheritdoc/>
    public override bool IsAlwaysPaced => true;

    /// <inheritdoc/>
    public override IReadOnlyList<string> Unused => ["parallel"];

    /// <inheritdoc/>
    public override string InWords(string words) =>
        words.Replace("message", "input").Replace("msg", "input");
}
