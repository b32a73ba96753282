/// <summary>A load of rooms in words: who is in them, how often each sends, and what is wrong with some.</summary>
static class RoomLoad
{
    /// <summary>Such as "60 players at 20 Hz in rooms of 10, inputs of 48 B, snapshots of 1,000 B"; without the link.
    /// </summary>
    public static string InWords(Cell cell) => $"{CountOf(cell)} {InWordsOfAny(cell)}";

    /// <summary>The same of any number of players.</summary>
    public static string OfAnyNumber(Cell cell) => $"{(IsGame(cell) ? "players" : "clients")} {InWordsOfAny(cell)}";

    /// <summary>Such as "60 players at 20 Hz".</summary>
    public static string Shortly(Cell cell) => $"{CountOf(cell)} {PaceOf(cell)}";

    /// <summary>How often each client sends.</summary>
    public static double Hz(Cell cell) => (double)cell.Rate / cell.Clients;

    /// <summary>The settings that these words say.</summary>
    public static readonly string[] Says =
        ["tick_hz", "room", "snapshot_bytes", "stalled_clients", "churn"];

    static string CountOf(Cell cell) => Text.Count(cell.Clients, IsGame(cell) ? "player" : "client");

    static string PaceOf(Cell cell)
    {
        if (cell.ClosedLoop)
            return $"with {Text.Count(cell.Parallel, "message")} in flight each";
        string rate = $"{Hz(cell):#,0.##}";
        if (!IsGame(cell))
            return $"at {rate} messages/s each";
        bool isTickAsOften = cell.Settings.TickHz == Hz(cell);
        return $"at {rate} Hz" + (isTickAsOften ? "" : $" and {cell.Settings.TickHz:N0} ticks/s");
    }

    static string InWordsOfAny(Cell cell) =>
        string.Join(", ", [$"{PaceOf(cell)}{RoomsOf(cell)}", .. SizesOf(cell), .. TroubleOf(cell)]);

    static bool IsGame(Cell cell) => cell.Settings.Work == Works.Game;

    static string RoomsOf(Cell cell)
    {
        if (!cell.Work.HasRooms)
            return "";
        int room = cell.Settings.Room;
        string ofMachine = cell.Settings.ClientMachines > 1 ? " on each machine" : "";
        if (room == 0 || room == cell.Clients)
            return $" in one room{ofMachine}";
        long left = cell.Clients % room;
        return $" in rooms of {room:N0}" + (left == 0 || ofMachine != "" ? "" : $" and one of {left:N0}");
    }

    static IEnumerable<string> SizesOf(Cell cell)
    {
        LaunchSettings settings = cell.Settings;
        if (!IsGame(cell))
        {
            yield return $"{settings.PayloadBytes:N0} B";
            yield break;
        }
        yield return $"inputs of {settings.PayloadBytes:N0} B";
        yield return $"snapshots of {settings.SnapshotBytes:N0} B";
    }

    static IEnumerable<string> TroubleOf(Cell cell)
    {
        if (cell.Settings.StalledClients is > 0 and var stalled)
            yield return $"{stalled:N0} of them read{(stalled == 1 ? "s" : "")} nothing";
        if (cell.Settings.Churn is > 0 and var churn)
        {
            yield return churn == 1
                ? "1 per second leaves and joins again"
                : $"{churn:N0} per second leave and join again";
        }
    }
}
