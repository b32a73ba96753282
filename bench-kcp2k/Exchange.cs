using System.Diagnostics;

/// <summary>Writes what clients send, and ends the messages whose answers arrive. Any thread may use it.</summary>
sealed partial class Exchange(Settings settings, Load load)
{
    [ThreadStatic] static byte[]? own;

    readonly Broadcast? broadcast = settings.Work == Settings.Broadcast ? new Broadcast(settings) : null;

    /// <summary>Writes a message that is due. The calling thread's next message is written over what is returned.
    /// </summary>
    public byte[] Write(Due due)
    {
        own ??= Message.NewBuffer(settings, settings.PayloadBytes);
        int kind = KindOf(due);
        if (kind == 0)
        {
            broadcast?.CountDue(due);
        }
        Message.Write(own, new Header
        {
            Client = settings.FirstClient + due.Index,
            Sequence = due.Sequence,
            Kind = kind,
            DueAt = due.At,
        });
        return own;
    }

    /// <summary>Takes what arrived on a client's connection, and sends what follows it.</summary>
    public void OnMessage(int index, ReadOnlySpan<byte> arrived)
    {
        // Just after it was received.
        long now = Stopwatch.GetTimestamp();
        if (arrived.Length < Message.HeaderBytes)
        {
            Window.Own.At(now)[Count.Foreign]++;
            return;
        }
        Header header = Message.Read(arrived, out bool isIntact);
        if (header.Kind == Message.OfSnapshot && isIntact)
        {
            TakeSnapshot(index, header, arrived, now);
            return;
        }
        bool isOwn = header.Client == settings.FirstClient + index;
        if (broadcast != null && isIntact && header.Kind == 0)
        {
            broadcast.Take(header, now);
            if (!isOwn)
            {
                return;
            }
        }
        var answered = new Due(index, header.Sequence, header.DueAt);
        // A changed message may name a wrong sequence. It ends the message in flight by that sequence only if the due
        // times agree as well; otherwise it is foreign, and the message that it was is lost.
        bool isAnswer = isOwn && answered.Sequence > 0 && arrived.Length == settings.PayloadBytes
            && (isIntact || load.InFlight(index, answered.Sequence) == answered);
        if (!isAnswer)
        {
            Window.Own.At(now)[Count.Foreign]++;
        }
        else if (load.TryEnd(answered, isIntact, now, out Due next))
        {
            load.Begin(next);
        }
        else
        {
            load.CountStray(answered, now);
        }
    }

    // See Game.cs, in benches whose library has games.
    partial void TakeSnapshot(int index, Header header, ReadOnlySpan<byte> message, long now);

    int KindOf(Due due)
    {
        if (due.Sequence == Due.Leaving)
        {
            return Message.Leaving;
        }
        if (settings.HasRooms && !load.IsConnected(due.Index))
        {
            return settings.RoomOf(due.Index) + 1;
        }
        return settings.Work == Settings.Stream && load.IsConnected(due.Index) ? Message.OfStream : 0;
    }
}
