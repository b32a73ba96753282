using System.Diagnostics;

/// <summary>The players of one load: the inputs that they send when these are due, and what they make of the snapshots
/// that come. An input is in flight until the first snapshot that says that it was applied, so that all times are by
/// the players' own clock.</summary>
sealed class Game
{
    // What one player has got.
    struct Player
    {
        public Progress Snapshots;
        public int FirstTick;
        public int LastTick;
        public int TicksMissed;
        // Ticks without a snapshot for this player that are known and not forgotten yet.
        public int Unmade;
        // The earliest that snapshots came, as the time of tick 0.
        public long EarliestAt;
        public long LastCameAt;
        // Inputs before it have ended.
        public int OldestInput;
        public int LastInput;
    }

    // More inputs than a player has in flight; a power of two.
    const int RememberedInputs = 1_024;
    const int TellableInputs = 128;
    const int Hundred = 100;

    readonly Settings settings;
    readonly Load load;
    readonly byte[] content;
    readonly Player[] players;
    // Of each player's inputs by their number: the slot + 1; 0: it has ended.
    readonly int[] slots;
    readonly bool isReliable;
    // What is overtaken comes later: it is missing once it is so far behind that it is not remembered any more.
    readonly bool mayComeLater;
    readonly int firstApart;

    public Game(Settings settings, Load load, byte[] content)
    {
        this.settings = settings;
        this.load = load;
        this.content = content;
        players = new Player[load.Clients];
        Array.Fill(players, new Player { EarliestAt = long.MaxValue, OldestInput = 1 });
        slots = new int[load.Clients * RememberedInputs];
        isReliable = settings.Delivery != "unreliable";
        mayComeLater = settings.Delivery == "reliable-unordered";
        firstApart = new RoomPlan(settings).FirstApart;
    }

    /// <summary>The limit of games that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        if (settings.Rate == 0 || settings.TickHz == 0)
        {
            return "A game needs --rate, of its inputs, and --tick-hz, of its server.";
        }
        if (settings.Rate > (long)TellableInputs * settings.TickHz * settings.Clients)
        {
            return $"A snapshot tells of {TellableInputs} inputs: a player must not send more per tick.";
        }
        if (settings.EventsPercent > 0
            && !(settings.Delivery == "unreliable" && Library.Deliveries.Contains("reliable-ordered")))
        {
            return "--events-percent needs the delivery unreliable of a library that has a reliable one beside it.";
        }
        return null;
    }

    /// <summary>True where the last message that TryNext wrote is an event, which goes reliable beside the
    /// others.</summary>
    public bool IsEvent { get; private set; }

    /// <summary>The next input that is due now, written into a buffer, and the client, from 0 in this load, that sends
    /// it; returns its length, 0 for none. For the thread that paces.</summary>
    public int TryNext(Span<byte> buffer, out int client)
    {
        client = 0;
        if (!load.TryBegin(out int slot))
        {
            return 0;
        }
        client = load.ClientOf(slot);
        int number = load.SequenceOf(slot);
        IsEvent = number * settings.EventsPercent % Hundred < settings.EventsPercent;
        if (IsEvent)
        {
            load.MakeReliable(slot);
        }
        slots[client * RememberedInputs + number % RememberedInputs] = slot + 1;
        Message.Write(buffer, content, new Header
        {
            Client = load.FirstClient + client,
            Slot = slot,
            Sequence = number,
            DueAt = load.DueAtOf(slot),
        });
        return content.Length;
    }

    /// <summary>Takes what arrived at a client. Those of one client are taken one at a time.</summary>
    public void OnMessage(int client, ReadOnlySpan<byte> message, long now)
    {
        if (load.FirstClient + client >= firstApart)
        {
            return;
        }
        Tally arrived = Window.Own.Of(Window.Has(now));
        if (message.Length != settings.SnapshotBytes)
        {
            arrived.Foreign++;
            return;
        }
        Header header = Message.Read(message, out bool isIntact);
        if (!isIntact)
        {
            CountCorrupt(arrived, ref players[client]);
            return;
        }
        if (header.Slot != Message.OfSnapshot || header.Client != load.FirstClient + client)
        {
            arrived.Foreign++;
            return;
        }
        var snapshot = Snapshot.Read(message);
        ref Player player = ref players[client];
        if (player.FirstTick == 0)
        {
            player.FirstTick = header.Sequence;
            player.Snapshots.Begin(header.Sequence - 1);
        }
        CountForgotten(arrived, ref player, header.Sequence, snapshot);
        switch (player.Snapshots.Take(header.Sequence))
        {
            case Progress.Place.Repeated when header.Sequence >= player.FirstTick:
                arrived.DeliveriesRepeated++;
                return;
            case Progress.Place.Ahead:
                CountAhead(arrived, ref player, header.Sequence, snapshot, now);
                break;
            default:
                CountBehind(arrived, ref player, header.Sequence);
                break;
        }
        arrived.Deliveries++;
        arrived.Bytes += message.Length;
        EndApplied(client, ref player, snapshot, now);
    }

    // The next one tells that one is missing, which is this.
    void CountCorrupt(Tally arrived, ref Player player)
    {
        arrived.DeliveriesCorrupt++;
        if (mayComeLater)
        {
            arrived.DeliveriesDue++;
            player.Unmade++;
        }
        else
        {
            arrived.DeliveriesMissing--;
        }
    }

    // Ticks that the server did not make are known before any is forgotten.
    void CountForgotten(Tally arrived, ref Player player, int tick, Snapshot snapshot)
    {
        if (!mayComeLater)
        {
            return;
        }
        if (player.LastTick > 0 && tick > player.LastTick)
        {
            player.Unmade += snapshot.TicksMissed - player.TicksMissed;
        }
        int forgotten = player.Snapshots.ForgottenBy(tick);
        int unmade = Math.Min(forgotten, player.Unmade);
        player.Unmade -= unmade;
        arrived.DeliveriesDue += forgotten - unmade;
        arrived.DeliveriesMissing += forgotten - unmade;
    }

    // The first that came may have overtaken others, of which nothing was known.
    void CountBehind(Tally arrived, ref Player player, int tick)
    {
        arrived.DeliveriesDisordered++;
        bool isForgotten = !mayComeLater || player.LastTick - tick >= Progress.Remembered;
        if (tick >= player.FirstTick && isForgotten)
        {
            // It was taken for missing.
            arrived.DeliveriesMissing--;
        }
        else
        {
            arrived.DeliveriesDue++;
        }
    }

    void CountAhead(Tally arrived, ref Player player, int tick, Snapshot snapshot, long now)
    {
        long turnAt = tick * Stopwatch.Frequency / settings.TickHz;
        if (player.LastTick > 0)
        {
            int ticks = tick - player.LastTick;
            int made = ticks - (snapshot.TicksMissed - player.TicksMissed);
            arrived.DeliveriesDue += mayComeLater ? 1 : made;
            arrived.DeliveriesMissing += mayComeLater ? 0 : made - 1;
            long planned = ticks * Stopwatch.Frequency / settings.TickHz;
            arrived.Jitters.Add(Window.Ns(Math.Abs(now - player.LastCameAt - planned)));
        }
        else
        {
            arrived.DeliveriesDue++;
        }
        player.EarliestAt = Math.Min(player.EarliestAt, now - turnAt);
        if (now - turnAt - player.EarliestAt <= Stopwatch.Frequency / settings.TickHz)
        {
            arrived.DeliveriesInTime++;
        }
        player.LastTick = tick;
        player.TicksMissed = snapshot.TicksMissed;
        player.LastCameAt = now;
    }

    // What lies further back than a snapshot can tell has come, too, where nothing gets lost.
    void EndApplied(int client, ref Player player, Snapshot snapshot, long now)
    {
        bool isFirst = true;
        for (int number = player.OldestInput; number <= snapshot.LastInput; number++)
        {
            ref int entry = ref slots[client * RememberedInputs + number % RememberedInputs];
            int back = snapshot.LastInput - number;
            bool isApplied = back < TellableInputs
                ? (snapshot.Applied & UInt128.One << back) != 0
                : isReliable;
            if (entry > 0 && isApplied)
            {
                End(entry - 1, number, now);
                entry = 0;
            }
            if (isFirst && (entry == 0 || back >= TellableInputs))
            {
                player.OldestInput = number + 1;
            }
            else
            {
                isFirst = false;
            }
        }
        if (snapshot.LastInput > player.LastInput)
        {
            player.LastInput = snapshot.LastInput;
            Tally arrived = Window.Own.Of(Window.Has(now));
            arrived.InputWaits++;
            arrived.InputWaitNs += snapshot.LastCameNsAgo;
        }
    }

    // One that was given up comes late.
    void End(int slot, int number, long now)
    {
        if (load.TryEnd(slot, number, isRight: true, bytes: 0, now))
        {
            load.LetGo(slot);
        }
        else
        {
            Window.Own.Of(Window.Has(now)).LateArrivals++;
        }
    }
}
