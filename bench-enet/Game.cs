using System.Diagnostics;
using System.Runtime.InteropServices;

/// <summary>What a game's server tells a player at a tick. It stands behind the header, whose sequence is that of the
/// player's last input.</summary>
struct Snapshot
{
    /// <summary>How many ticks the server has made, this one included.</summary>
    public long Tick;
    /// <summary>Bit n: the input n before the last one has come.</summary>
    public ulong Came;
}

/// <summary>The players' part. An input ends with the first snapshot that tells of it, so that all times are read from
/// the players' own clock.</summary>
sealed partial class Exchange
{
    struct Player
    {
        public long LastTick;
        public long LastCameAt;
        // All inputs before this sequence have ended.
        public int OldestInput;
    }

    readonly Player[] players = new Player[settings.Clients];

    /// <summary>The limit of games that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings)
    {
        if (settings.Work == Settings.Game && settings.Rate == 0 && Program.Side == "client")
        {
            return "A game needs --rate, of its inputs.";
        }
        return settings.Rate > (long)Progress.Remembered * settings.TickHz * settings.Clients
            && settings.Work == Settings.Game
            ? $"A snapshot tells of {Progress.Remembered} inputs: a player must not send more per tick."
            : null;
    }

    partial void TakeSnapshot(int index, Header header, ReadOnlySpan<byte> message, long now)
    {
        Tally arrived = Window.Own.At(now);
        if (message.Length != settings.SnapshotBytes || header.Client != settings.FirstClient + index)
        {
            arrived[Count.Foreign]++;
            return;
        }
        Snapshot snapshot = MemoryMarshal.Read<Snapshot>(message[Message.HeaderBytes..]);
        ref Player player = ref players[index];
        // Snapshots still come while a drain sums and clears; hardly ever does one wait for it.
        lock (Window.Own)
        {
            CountTick(ref player, snapshot.Tick, arrived, now);
        }
        int first = Math.Max(1, player.OldestInput);
        for (int sequence = first; sequence <= header.Sequence; sequence++)
        {
            int back = header.Sequence - sequence;
            // An input further back than a snapshot tells of has come, too, where the delivery loses nothing.
            bool hasCome = back < Progress.Remembered
                ? (snapshot.Came >> back & 1) != 0
                : settings.Delivery != Settings.Unreliable;
            Due input = load.InFlight(index, sequence);
            if (hasCome && input.Sequence != 0)
            {
                load.TryEnd(input, isRight: true, now, out _);
            }
        }
        player.OldestInput = Math.Max(first, header.Sequence - Progress.Remembered + 1);
    }

    // Ticks that were skipped count as due when the later snapshot comes; an overtaken one is only counted as come.
    void CountTick(ref Player player, long tick, Tally arrived, long now)
    {
        long ticks = tick - player.LastTick;
        if (ticks == 0)
        {
            arrived[Count.Duplicates]++;
            return;
        }
        arrived[Count.Deliveries]++;
        if (ticks < 0)
        {
            return;
        }
        bool isFirst = player.LastTick == 0;
        arrived[Count.DeliveriesDue] += isFirst ? 1 : ticks;
        if (!isFirst)
        {
            long plannedTicks = ticks * Stopwatch.Frequency / settings.TickHz;
            arrived.Deliveries.Add(Window.Ns(Math.Abs(now - player.LastCameAt - plannedTicks)));
        }
        player.LastTick = tick;
        player.LastCameAt = now;
    }
}

/// <summary>The server's part: its ticks and the snapshots that players get at each.</summary>
sealed partial class Service<TConnection>
{
    // A tick is late that begins more than a tenth of its period after its time.
    const int LateParts = 10;

    readonly bool isGame = settings.Work == Settings.Game;
    readonly List<Member> players = [];
    readonly long startedAt = Stopwatch.GetTimestamp();
    long turn = 1;
    long made;

    /// <summary>How long it is until the next tick is due; of other works very long.</summary>
    public int MicrosecondsToTick
    {
        get
        {
            if (!isGame)
            {
                return int.MaxValue;
            }
            long left = TurnAt(turn) - Stopwatch.GetTimestamp();
            return (int)Math.Max(0, left * 1_000_000 / Stopwatch.Frequency);
        }
    }

    /// <summary>Makes a tick if one is due, and returns the players, each of whom is to be sent its snapshot. For one
    /// thread.</summary>
    public List<Member> Tick()
    {
        if (!isGame)
        {
            return players;
        }
        players.Clear();
        long now = Stopwatch.GetTimestamp();
        if (now < TurnAt(turn))
        {
            return players;
        }
        Tally tally = Window.Now;
        // A tick is not made where the next one is due already.
        while (now >= TurnAt(turn + 1))
        {
            tally[Count.TicksMissed]++;
            turn++;
        }
        bool isLate = now - TurnAt(turn) > Stopwatch.Frequency / settings.TickHz / LateParts;
        tally[Count.TicksLate] += isLate ? 1 : 0;
        tally[Count.Ticks]++;
        turn++;
        made++;
        foreach (Member? member in members)
        {
            if (member != null)
            {
                Write(member);
                players.Add(member);
            }
        }
        tally[Count.Sent] += players.Count;
        return players;
    }

    partial void TakeInput(Member member, Header header, Tally tally)
    {
        if (!isGame)
        {
            return;
        }
        lock (member)
        {
            tally[Count.Received] += member.Inputs.TryTake(header.Sequence, tally) ? 1 : 0;
        }
    }

    void Write(Member player)
    {
        lock (player)
        {
            if (player.Snapshot.Length == 0)
            {
                player.Snapshot = Message.NewBuffer(settings, settings.SnapshotBytes);
            }
            var snapshot = new Snapshot { Tick = made, Came = player.Inputs.Came };
            MemoryMarshal.Write(player.Snapshot.AsSpan(Message.HeaderBytes), snapshot);
            Message.Write(player.Snapshot, new Header
            {
                Client = player.Client,
                Sequence = player.Inputs.Last,
                Kind = Message.OfSnapshot,
            });
        }
    }

    long TurnAt(long turn) => startedAt + turn * Stopwatch.Frequency / Math.Max(1, settings.TickHz);
}
