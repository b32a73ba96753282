using System.Diagnostics;
using System.Runtime.InteropServices;

/// <summary>What one direction of a link did so far.</summary>
/// <param name="LateUs">How many packets it let go so many µs late; those of the kernel it does not say.</param>
sealed record OneWayCounts(long Packets, long Bytes, long Lost, long Dropped, Dictionary<int, long> LateUs);

/// <summary>One direction of a link: takes IP packets from one device and gives them to another, later, fewer or
/// slower. Its own thread; packets keep their order. A packet leaves when the one before it has (the rate), then takes
/// its time (delay, jitter).</summary>
sealed unsafe class OneWay(int from, int to, LinkSettings settings, ulong seed)
{
    /// <summary>What is later still is counted as so late.</summary>
    public const int MostLateUs = 20_000;

    const int MostPacketBytes = 2_048;
    const int HeadBytes = 16;
    const int AtOnce = 64;
    const int WaitNs = 200_000_000;

    struct Head
    {
        public long LeavesAt;
        public int Length;
    }

    // The packets under way, each behind a head: a ring whose memory is taken as it is first filled.
    readonly long roomBytes = settings.MostUnderWayBytes;
    readonly byte* room = (byte*)NativeMemory.Alloc((nuint)settings.MostUnderWayBytes);

    readonly double ticksABit = settings.RateMbit > 0 ? Stopwatch.Frequency / (settings.RateMbit * 1e6) : 0;
    readonly long delayTicks = (long)(settings.RttMs / 2e3 * Stopwatch.Frequency);
    readonly double jitterTicks = settings.JitterMs / 2e3 * Stopwatch.Frequency;
    readonly long queueBytes = settings.QueueBytes ?? long.MaxValue;
    readonly double losing = settings.LossBegins;
    readonly double recovering = 1.0 / settings.LossBurstPackets;
    readonly long[] lateUs = new long[MostLateUs + 1];

    // Where what is under way begins and ends in the ring, counted on over its end; at most roomBytes apart.
    long first;
    long end;

    long sentAt;
    long leftAt;
    long packets;
    long bytes;
    long lost;
    long dropped;
    ulong random = seed * 2 + 1;
    bool inLoss;

    /// <summary>What it did so far; may be read while it runs.</summary>
    public OneWayCounts Counts => new(
        Volatile.Read(ref packets),
        Volatile.Read(ref bytes),
        Volatile.Read(ref lost),
        Volatile.Read(ref dropped),
        Enumerable.Range(0, lateUs.Length).Where(us => lateUs[us] > 0).ToDictionary(us => us, us => lateUs[us]));

    /// <summary>Runs until the process ends.</summary>
    public void Run()
    {
        GoFirst();
        _ = Libc.ProcessControl(Libc.SetTimerSlack, 1);
        while (true)
        {
            var next = GiveThoseDue();
            if (!TakeSome())
            {
                Wait(next);
            }
        }
    }

    /// <summary>Lets the calling thread go before all usual ones: it needs little and that at once. Where the system
    /// does not let it have that, it is late when the CPUs are full, which the records tell.</summary>
    public static void GoFirst()
    {
        var priority = 1;
        _ = Libc.SetScheduler(0, Libc.RoundRobin, ref priority);
    }

    // Returns when the next leaves; long.MaxValue: none is under way.
    long GiveThoseDue()
    {
        while (first < end)
        {
            var head = (Head*)(room + first % roomBytes);
            if (head->Length == 0)
            {
                // The rest of the ring was too small.
                first += roomBytes - first % roomBytes;
                continue;
            }
            var now = Stopwatch.GetTimestamp();
            if (head->LeavesAt > now)
            {
                return head->LeavesAt;
            }
            lateUs[Math.Min(MostLateUs, (now - head->LeavesAt) * 1_000_000 / Stopwatch.Frequency)]++;
            // The device takes it or drops it, as a full receiver does.
            Libc.Write(to, (byte*)head + HeadBytes, head->Length);
            first += SizeOf(head->Length);
        }
        return long.MaxValue;
    }

    bool TakeSome()
    {
        for (var taken = 0; taken < AtOnce; taken++)
        {
            if (roomBytes - end % roomBytes < HeadBytes + MostPacketBytes)
            {
                ((Head*)(room + end % roomBytes))->Length = 0;
                end += roomBytes - end % roomBytes;
            }
            var head = (Head*)(room + end % roomBytes);
            var isFull = end + HeadBytes + MostPacketBytes - first > roomBytes - 4 * MostPacketBytes;
            var into = isFull ? (byte*)head : (byte*)head + HeadBytes;
            var length = (int)Libc.Read(from, into, MostPacketBytes);
            if (length <= 0)
            {
                return taken > 0;
            }
            Take(head, length, isFull);
        }
        return true;
    }

    void Take(Head* head, int length, bool isFull)
    {
        packets++;
        bytes += length;
        if (IsLost())
        {
            lost++;
            return;
        }
        var now = Stopwatch.GetTimestamp();
        var startsAt = Math.Max(now, sentAt);
        var waitingBytes = ticksABit > 0 ? (startsAt - now) / ticksABit / 8 : 0;
        if (isFull || waitingBytes + length > queueBytes)
        {
            dropped++;
            return;
        }
        sentAt = startsAt + (long)(length * 8 * ticksABit);
        leftAt = Math.Max(leftAt, sentAt + delayTicks + (long)(jitterTicks * NextRandom()));
        head->LeavesAt = leftAt;
        head->Length = length;
        end += SizeOf(length);
    }

    // Gilbert's model: all are lost until it recovers; of bursts of one packet Bernoulli's.
    bool IsLost()
    {
        if (losing == 0)
        {
            return false;
        }
        if (settings.LossBurstPackets == 1)
        {
            return NextRandom() < losing;
        }
        inLoss = inLoss ? NextRandom() >= recovering : NextRandom() < losing;
        return inLoss;
    }

    // Marsaglia's xorshift64*.
    double NextRandom()
    {
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        return ((random * 2685821657736338717UL) >> 11) / (double)(1UL << 53);
    }

    void Wait(long next)
    {
        var poll = new Libc.Poll { File = from, Asked = Libc.PollIn };
        var most = new Libc.Time { Nanoseconds = NanosecondsUntil(next) };
        _ = Libc.Wait(&poll, 1, &most, null);
    }

    static long NanosecondsUntil(long next)
    {
        if (next == long.MaxValue)
        {
            return WaitNs;
        }
        return Math.Clamp((next - Stopwatch.GetTimestamp()) * 1_000_000_000 / Stopwatch.Frequency, 0, WaitNs);
    }

    static long SizeOf(int length) => (HeadBytes + length + 7) & ~7;
}
