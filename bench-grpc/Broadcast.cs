/// <summary>Counts and times what comes to the rooms of one process's clients. They share one clock, so each delivery
/// is timed from when its message was due. The message itself ends when it has come back to its sender.</summary>
sealed class Broadcast(Settings settings)
{
    // By client: how many of this process's clients are in its room.
    readonly int[] audiences = AudiencesOf(settings);

    static int[] AudiencesOf(Settings settings)
    {
        int[] rooms = [.. Enumerable.Range(0, settings.Clients).Select(settings.RoomOf)];
        Dictionary<int, int> sizes = rooms.CountBy(room => room).ToDictionary();
        return [.. rooms.Select(room => sizes[room])];
    }

    /// <summary>Counts to how many clients a message that is due is to come.</summary>
    public void CountDue(Due due) => Window.Own.At(due.At)[Count.DeliveriesDue] += audiences[due.Index];

    /// <summary>Counts a message that came to a client.</summary>
    public void Take(Header header, long now)
    {
        // The clients of other processes have another clock.
        if ((uint)(header.Client - settings.FirstClient) < (uint)settings.Clients)
        {
            Tally whenDue = Window.Own.At(header.DueAt);
            whenDue[Count.Deliveries]++;
            whenDue.Deliveries.Add(Window.Ns(now - header.DueAt));
        }
    }
}
