/// <summary>Streams: messages that go one way, as fast as the library lets, or at a given rate as far as it lets.
/// Nothing answers them; the server checks and counts them.</summary>
sealed partial class Load
{
    partial void BeginStream(long now)
    {
        for (int sent = 0; sent < MostInPass && NextDueAt <= now; sent++)
        {
            if (!TryFindRoom(out int index))
            {
                isFull = true;
                return;
            }
            nextTurn++;
            connections[index].Sequence++;
            Window.Own.At(now)[Count.Streamed]++;
            client.Begin(new Due(index, connections[index].Sequence, now));
        }
    }

    // Finds the next client in turn whose connection takes more.
    bool TryFindRoom(out int index)
    {
        for (int tried = 0; tried < connections.Length; tried++)
        {
            index = (int)((nextTurn + tried) % connections.Length);
            if (client.HasRoom(index))
            {
                return true;
            }
        }
        index = 0;
        return false;
    }
}

/// <summary>The server's part.</summary>
sealed partial class Service<TConnection>
{
    // The messages of one client are taken one at a time.
    partial void TakeStreamed(Member member, Header header, Tally tally)
    {
        if (isStream && member.Inputs.TryTake(header.Sequence, tally))
        {
            tally[Count.Streamed]++;
        }
    }
}
