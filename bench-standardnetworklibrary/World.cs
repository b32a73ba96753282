using System.Diagnostics;

/// <summary>A game on its server: what has come of each player's inputs, the schedule of the ticks, and the snapshot
/// that a player gets at each. Inputs may come on any thread.</summary>
sealed class World
{
    struct Player
    {
        public int LastInput;
        public UInt128 Applied;
        public long LastCameAt;
    }

    const int RememberedInputs = 128;
    // A tick that begins later than such a part of its period is late.
    const int LateParts = 10;

    readonly Lock changing = new();
    readonly Player[] players;
    readonly byte[] content;
    readonly int tickHz;
    readonly long lateTicks;
    long startedAt;
    long tick;
    int ticksMissed;

    public World(Settings settings)
    {
        players = new Player[settings.Clients];
        content = Message.Content(settings, settings.SnapshotBytes);
        tickHz = settings.TickHz;
        lateTicks = Stopwatch.Frequency / tickHz / LateParts;
    }

    /// <summary>Takes an input.</summary>
    public void Take(ReadOnlySpan<byte> message)
    {
        ref Totals own = ref Totals.Own;
        if (message.Length < Message.HeaderBytes)
        {
            own.StreamCorrupt++;
            return;
        }
        Header header = Message.Read(message, out bool isIntact);
        if (!isIntact || (uint)header.Client >= (uint)players.Length)
        {
            own.StreamCorrupt++;
            return;
        }
        lock (changing)
        {
            ref Player player = ref players[header.Client];
            int ahead = header.Sequence - player.LastInput;
            if (ahead > 0)
            {
                player.Applied = ahead < RememberedInputs ? player.Applied << ahead | 1 : 1;
                player.LastInput = header.Sequence;
                player.LastCameAt = Stopwatch.GetTimestamp();
            }
            else
            {
                UInt128 bit = ahead > -RememberedInputs ? UInt128.One << -ahead : 0;
                if ((player.Applied & bit) != 0)
                {
                    own.StreamRepeated++;
                    return;
                }
                player.Applied |= bit;
                own.StreamDisordered++;
            }
        }
        own.Received++;
        own.Bytes += message.Length;
    }

    /// <summary>How long it is until the next tick is due; 0: it is.</summary>
    public int WaitMicroseconds
    {
        get
        {
            long left = NextTickAt - Stopwatch.GetTimestamp();
            return left <= 0 ? 0 : (int)(left * 1_000_000 / Stopwatch.Frequency);
        }
    }

    /// <summary>Waits until the next tick is due, for a thread that does nothing else; false: it is to stop.</summary>
    public bool WaitForTick(ManualResetEventSlim stopped)
    {
        for (int left = WaitMicroseconds; left > 0; left = WaitMicroseconds)
        {
            // The system waits whole milliseconds.
            if (stopped.Wait(left / 1_000))
            {
                return false;
            }
            Thread.Yield();
        }
        return !stopped.IsSet;
    }

    /// <summary>Begins a tick that is due; ticks for which it is too late, as the next one is due, are not made. The
    /// caller then sends each player its snapshot. For the thread that ticks.</summary>
    public bool TryBeginTick()
    {
        long now = Stopwatch.GetTimestamp();
        if (startedAt == 0)
        {
            startedAt = now;
        }
        long late = now - NextTickAt;
        if (late < 0)
        {
            return false;
        }
        int missed = (int)(late * tickHz / Stopwatch.Frequency);
        tick += missed + 1;
        ticksMissed += missed;
        ref Totals own = ref Totals.Own;
        own.Ticks++;
        own.TicksMissed += missed;
        if (late - missed * Stopwatch.Frequency / tickHz > lateTicks)
        {
            own.TicksLate++;
        }
        return true;
    }

    /// <summary>Writes a player's snapshot of this tick, which the caller sends; returns its length. For the thread
    /// that ticks.</summary>
    public int Write(int client, Span<byte> buffer)
    {
        Player player;
        lock (changing)
        {
            player = players[client];
        }
        long ago = player.LastCameAt == 0 ? 0 : Stopwatch.GetTimestamp() - player.LastCameAt;
        new Snapshot
        {
            LastCameNsAgo = Window.Ns(ago),
            LastInput = player.LastInput,
            TicksMissed = ticksMissed,
            Applied = player.Applied,
        }.Write(content);
        Message.Write(buffer, content, new Header
        {
            Client = client,
            Slot = Message.OfSnapshot,
            Sequence = (int)tick,
        });
        Totals.Own.Sent++;
        return content.Length;
    }

    long NextTickAt => startedAt + (tick + 1) * Stopwatch.Frequency / tickHz;
}
