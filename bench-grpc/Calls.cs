using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.Security;
using System.Runtime.InteropServices;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using At = System.Runtime.Serialization.DataMemberAttribute;
using Data = System.Runtime.Serialization.DataContractAttribute;

/// <summary>What calls carry (CONTRACT.md, "The calls"); partial, for marks of a library's own.</summary>
[Data] public sealed partial record Pet([property: At(Order = 0)] string Name, [property: At(Order = 1)] Color Color);
[Data]
public sealed partial record Hello([property: At(Order = 0)] string Name, [property: At(Order = 1)] double D, [property: At(Order = 2)] float F,
    [property: At(Order = 3)] bool B, [property: At(Order = 4)] int N, [property: At(Order = 5)] long L, [property: At(Order = 6)] string? C1,
    [property: At(Order = 7)] bool? C2, [property: At(Order = 8)] Pet[] Pets);
[Data] public sealed partial record HelloRequest([property: At(Order = 0)] Hello Request);
[Data] public sealed partial record HelloReply([property: At(Order = 0)] Hello Response);
[Data]
public sealed partial record User([property: At(Order = 0)] long Id, [property: At(Order = 1)] long Version,
    [property: At(Order = 2)] DateTime CreatedAt, [property: At(Order = 3)] DateTime ModifiedAt, [property: At(Order = 4)] string Name);
public enum Color { Red, Green, Blue }

/// <summary>What a server answers, and counts.</summary>
static class Service
{
    public static int Sum(int a, int b) => Records.Counted(a + b);
    public static User? GetUser(long id) => Records.Counted(id > 0 ? Load.User : null);
    public static Hello SayHello(Hello hello) => Load.AnswerTo(hello.Name) is { } name ? hello with { Name = name } : Records.Counted(hello);
}

/// <summary>TLS 1.3 with a certificate that the server makes as it starts, and that clients know by its hash.</summary>
static class Tls
{
    public static HttpsConnectionAdapterOptions OfServer()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var made = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        // Windows takes no key that is in memory alone.
        var certificate = X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
        Records.CertificateSha256 = Sha256(certificate);
        return new() { ServerCertificate = certificate, SslProtocols = SslProtocols.Tls13 };
    }

    public static SslClientAuthenticationOptions OfClient(Settings settings) => new()
    {
        TargetHost = "localhost", EnabledSslProtocols = SslProtocols.Tls13,
        RemoteCertificateValidationCallback = (_, certificate, _, _) => Sha256(certificate!) == settings.CertificateSha256 ? true
            : throw new Failure("The server's certificate is not the one whose SHA-256 was given."),
    };

    static string Sha256(X509Certificate certificate) => certificate.GetCertHashString(HashAlgorithmName.SHA256).ToLowerInvariant();
}

/// <summary>The calls of this process's clients: what to call when, and what came of it. A lane is one call in flight. Calls end
/// on many threads: each counts for itself, and a call allocates nothing here.</summary>
sealed class Load
{
    // One thread at a time has a lane: who begins its call, then who ends it. A line of the cache each.
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    struct Lane
    {
        public long DueAt, At; // At: of the call, or since when it is free
        public int Client, Sequence, Left; // Left: calls until the next go
        public int Slice; // in which its call was due; Free, or GivenUp while the answer may still come
    }

    const int Free = -1, GivenUp = -2, MostInFlight = 65_536, ConnectSeconds = 30, RestSeconds = 15, TimeoutSeconds = 10;
    static readonly long Second = Stopwatch.Frequency;
    static readonly ConcurrentBag<Counts[]> threads = [];
    static readonly ConcurrentDictionary<string, long> failures = [];
    static readonly long[] beganAt = new long[Records.Kept + 1];
    [ThreadStatic] static Counts[]? ownCounts;
    static Load? load;
    static string hello = "", helloReply = "";
    static long goAt, restAt = long.MaxValue;
    static volatile int slice, quota;
    static volatile bool ending;

    readonly Settings settings;
    readonly bool closedLoop;
    readonly Lane[] lanes;
    readonly double turnTicks;
    long begunAt, nextTurn, passedAt, lookedAt, restedAt; // restedAt: the rest that it keeps
    int nextLane;
    volatile bool isConnected, anyFailed;
    bool IsRested => Volatile.Read(ref restedAt) == Volatile.Read(ref restAt);

    Load(Settings settings)
    {
        (this.settings, closedLoop, turnTicks) = (settings, settings.Rate == 0, settings.Rate == 0 ? 0 : (double)Second / settings.Rate);
        lanes = new Lane[closedLoop ? settings.OwnClients * settings.Parallel : MostInFlight];
        for (var lane = 0; lane < lanes.Length; lane++) (lanes[lane].Slice, lanes[lane].Client) = (Free, lane / settings.Parallel);
    }

    /// <summary>The works that such a bench does.</summary>
    public static readonly string[] Works = ["sum", "get-user", "say-hello"];
    /// <summary>Memory of a lane here, in bytes.</summary>
    public static readonly int LaneBytes = Marshal.SizeOf<Lane>();
    /// <summary>What GetUser(1) returns, and what SayHello takes and returns.</summary>
    public static readonly User User = new(1, 2, new(2026, 11, 21, 12, 34, 56, 789, DateTimeKind.Utc), new(2026, 11, 22, 1, 2, 3, 456, DateTimeKind.Utc), "Bob");
    public static readonly Hello Hello = new("a name", 4.55332, 232.3f, true, 32, 444325235223, "ofcouse", null,
        [new("Bof the dog", Color.Blue), new("Kim the cat", Color.Red)]);
    /// <summary>So many clients are connected.</summary>
    public volatile int Connected;
    /// <summary>How long the first call took, in ns; null before it.</summary>
    public static long? HelloNs { get; private set; }
    /// <summary>The load of this process's clients.</summary>
    public static Load[] Split(Settings settings) => [load = new(settings)];
    /// <summary>The limit of calls that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => settings.TickHz == 0 && settings.ClientThreads == 1 ? null
        : "Calls end on the threads of .NET's pool: they have no --tick-hz and no --client-threads.";

    /// <summary>Lets all call from now on; each client so often and then no more.</summary>
    public static void Go(int calls = int.MaxValue)
    {
        (quota, restAt) = (calls, long.MaxValue);
        Volatile.Write(ref goAt, Stopwatch.GetTimestamp());
    }

    /// <summary>Lets nothing new be due; returns when no call is in flight, throws when that takes too long.</summary>
    public static void Rest()
    {
        var askedAt = Stopwatch.GetTimestamp();
        Volatile.Write(ref restAt, Math.Min(restAt, askedAt)); // who rests already goes on with it
        while (load is { IsRested: false })
        {
            if (Stopwatch.GetElapsedTime(askedAt).TotalSeconds > RestSeconds) throw new Failure("Calls do not end.");
            Thread.Sleep(1);
        }
    }

    /// <summary>Begins a slice.</summary>
    public static void Mark(int number) => (beganAt[number % beganAt.Length], slice) = (Stopwatch.GetTimestamp(), number);

    /// <summary>What all threads counted of a slice that is over; null of a server.</summary>
    public static Counts? Collect(int slice)
    {
        if (load == null) return null;
        if (load.IsRested) load.CountFree();
        var sum = threads.Aggregate(new Counts(), (sum, counts) => sum.Merge(counts[slice % counts.Length]));
        foreach (var counts in threads) counts[slice % counts.Length] = new();
        sum.Outcomes.Unanswered = load.lanes.LongCount(lane => lane.Slice == slice);
        var endedAt = Load.slice > slice ? beganAt[(slice + 1) % beganAt.Length] : Stopwatch.GetTimestamp();
        sum.Work.ElapsedNs = Ns(endedAt - beganAt[slice % beganAt.Length]);
        foreach (var kind in failures.Keys)
            if (failures.TryRemove(kind, out var count)) sum.Failures[kind] = count;
        return sum;
    }

    /// <summary>What all have counted since the last rest.</summary>
    public static Counts Count() => threads.SelectMany(counts => counts).Aggregate(new Counts(), (sum, one) => sum.Merge(one));

    /// <summary>Ends all, with what is in flight.</summary>
    public static void End() => (restAt, ending) = (0, true);

    /// <summary>Returns when all are connected and the hello is answered; throws when that takes too long.</summary>
    public static void WaitUntilConnected(Settings settings)
    {
        for (var (before, since) = (-1, 0L); !load!.isConnected; Thread.Sleep(1))
            if (load.Connected is var connected && connected != before) (before, since) = (connected, Stopwatch.GetTimestamp());
            else if (Stopwatch.GetElapsedTime(since).TotalSeconds > ConnectSeconds)
                throw new Failure($"Within {ConnectSeconds} s nothing on {settings.Address}:{settings.Port} answered as a "
                    + $"server of this bench ({connected} of {settings.OwnClients} clients are connected).");
    }

    /// <summary>The first call is a SayHello whose name, as the answer's, compares versions and settings of both sides.</summary>
    public static void SetHello(Settings settings)
    {
        string Of(string side) => $"hello {side} v{Records.Version} {Library.Name} {Library.Version} {settings.Variant} {settings.Work}";
        (hello, helloReply) = (Of("client"), Of("server"));
    }

    /// <summary>What it is called with, and what its name is answered with; null: it is another.</summary>
    public static Hello First => Hello with { Name = hello };
    public static string? AnswerTo(string name) => name.StartsWith("hello ", StringComparison.Ordinal) ? helloReply : null;

    /// <summary>Takes the answer to it, which was called at that time.</summary>
    public static void OnFirst(string name, long calledAt)
    {
        HelloNs = Ns(Stopwatch.GetTimestamp() - calledAt);
        if (name != helloReply) throw new Failure($"The server runs with other settings: it says '{name}', this client expects '{helloReply}'.");
    }

    /// <summary>Waits until something may be due, a millisecond at most; false at the end.</summary>
    public bool Continues()
    {
        var (now, rest) = (Stopwatch.GetTimestamp(), Volatile.Read(ref restAt));
        if (passedAt != 0) Own(slice).PauseNs = Math.Max(Own(slice).PauseNs, Ns(now - passedAt));
        (passedAt, isConnected) = (now, true);
        if (begunAt != Volatile.Read(ref goAt)) Begin();
        else if (closedLoop || begunAt == 0 || now >= rest || TurnAt(nextTurn) - now > Second / 500) Thread.Sleep(1);
        else Thread.Yield();
        if (now - lookedAt > Second) GiveUp(lookedAt = now);
        if (now >= (rest = Volatile.Read(ref restAt)) && (closedLoop || TurnAt(nextTurn) >= rest) && Array.TrueForAll(lanes, lane => lane.Slice < 0)) Volatile.Write(ref restedAt, rest);
        return !ending;
    }

    /// <summary>A lane whose call is to begin now, stamped; false for none.</summary>
    public bool TryNext(out int lane)
    {
        (var now, var rest, lane) = (Stopwatch.GetTimestamp(), Volatile.Read(ref restAt), 0);
        if (begunAt == 0) return false;
        if (!closedLoop) return TryDue(now, rest, out lane);
        for (; now < rest && nextLane < lanes.Length; nextLane++)
            if (Volatile.Read(ref lanes[nextLane].Slice) == Free && lanes[nextLane].Left > 0)
            {
                CountIdle(lanes[lane = nextLane++].At, now);
                BeginCall(ref lanes[lane], slice, now, now);
                return true;
            }
        if (anyFailed) (anyFailed, nextLane) = (false, 0); // those begin again, but not in this pass
        return false;
    }

    /// <summary>The client of a lane, from 0.</summary>
    public int ClientOf(int lane) => lanes[lane].Client;
    /// <summary>What a lane adds: digits whose sum is one, so that all messages have the same length.</summary>
    public (int A, int B) Terms(int lane) => (lanes[lane].Sequence % 5, lane % 5);

    /// <summary>A lane's call returned this, or failed in such a way; true: its next one begins now.</summary>
    public bool OnSum(int lane, long sum) => OnEnd(lane, Terms(lane) is var (a, b) && sum == a + b, null);
    public bool OnUser(int lane, User? user) => OnEnd(lane, user == User, null);
    public bool OnHello(int lane, Hello? hello) => OnEnd(lane, hello is var (name, d, f, b, n, l, c1, c2, pets)
        && (name, d, f, b, n, l, c1, c2) == (Hello.Name, Hello.D, Hello.F, Hello.B, Hello.N, Hello.L, Hello.C1, Hello.C2) && pets.AsSpan().SequenceEqual(Hello.Pets), null);
    public bool OnFailure(int lane, string kind) => OnEnd(lane, false, kind);

    /// <summary>The same of a result that another compared with what it should be.</summary>
    public bool OnEnd(int index, bool isRight, string? failure)
    {
        ref var lane = ref lanes[index];
        var (now, current, dueAt, at) = (Stopwatch.GetTimestamp(), slice, lane.DueAt, lane.At);
        var again = closedLoop && failure == null && lane.Left > 0 && now < Volatile.Read(ref restAt);
        (lane.At, lane.Sequence) = (now, lane.Sequence + 1);
        if (again) (lane.DueAt, lane.Left) = (now, lane.Left - 1);
        // Last of all: a lane that is free may be another thread's at once.
        var due = Interlocked.Exchange(ref lane.Slice, again ? current : Free);
        if (again) Own(current).Work.Sent++;
        if (!isRight || due == GivenUp)
        {
            CountIdle(at, now);
            anyFailed = true;
            if (due == GivenUp) Own(current).Outcomes.LateArrivals++;
            else if (failure == null) Own(due).Outcomes.Corrupt++;
            else Own(due).Outcomes.Failed++;
            if (failure != null) failures.AddOrUpdate(failure, 1, (_, count) => count + 1);
            return again;
        }
        Own(current).Outcomes.Completed++;
        Own(due).Rtt.Add(Ns(now - dueAt));
        if (due == current) { Own(due).Work.Received++; return again; }
        // What of a round trip lies beyond its slice is none of that slice's time.
        var endedAt = beganAt[(due + 1) % beganAt.Length];
        Own(due).Outcomes.ReceivedLate++;
        Own(due).Outcomes.IdleNs -= closedLoop ? Ns(now - endedAt) : 0;
        CountIdle(endedAt, now);
        return again;
    }

    // A schedule fixed at go and staggered: client c of N makes its k-th call as turn k x N + c.
    long TurnAt(long turn) => begunAt + (long)((turn / settings.OwnClients * settings.Clients + settings.FirstClient + turn % settings.OwnClients) * turnTicks);

    bool TryDue(long now, long rest, out int lane)
    {
        for (lane = nextLane; TurnAt(nextTurn) is var dueAt && dueAt <= now && dueAt < rest; nextTurn++)
        {
            var due = slice;
            while (due > 0 && dueAt < beganAt[due % beganAt.Length]) due--;
            while (Volatile.Read(ref lanes[lane].Slice) != Free && (lane = (lane + 1) % lanes.Length) != nextLane) ;
            nextLane = (lane + 1) % lanes.Length;
            if (lanes[lane].Slice != Free) { Own(due).Outcomes.NotSent++; continue; }
            lanes[lane].Client = (int)(nextTurn++ % settings.OwnClients);
            Own(due).SendLag.Add(Ns(now - dueAt));
            BeginCall(ref lanes[lane], due, dueAt, now);
            return true;
        }
        return false;
    }

    void BeginCall(ref Lane lane, int due, long dueAt, long now)
    {
        (lane.DueAt, lane.At, lane.Left) = (dueAt, now, lane.Left - 1);
        Volatile.Write(ref lane.Slice, due);
        Own(due).Work.Sent++;
    }

    void Begin()
    {
        (begunAt, nextTurn, nextLane) = (Volatile.Read(ref goAt), 0, 0);
        for (var lane = 0; lane < lanes.Length; lane++)
        {
            lanes[lane].Left = !closedLoop || quota == int.MaxValue ? int.MaxValue
                : quota / settings.Parallel + (lane % settings.Parallel < quota % settings.Parallel ? 1 : 0);
            if (lanes[lane].Slice == Free) lanes[lane].At = begunAt;
        }
    }

    void GiveUp(long now)
    {
        for (var lane = 0; lane < lanes.Length; lane++)
            if (Volatile.Read(ref lanes[lane].Slice) is >= 0 and var due && now - lanes[lane].At > TimeoutSeconds * Second
                && Interlocked.CompareExchange(ref lanes[lane].Slice, GivenUp, due) == due) Own(due).Outcomes.TimedOut++;
    }

    // While none is in flight: their time until now.
    void CountFree()
    {
        var now = Stopwatch.GetTimestamp();
        for (var lane = 0; lane < lanes.Length; lane++)
        {
            CountIdle(lanes[lane].At, now);
            lanes[lane].At = now;
        }
    }

    // Each slice has its part of it.
    void CountIdle(long from, long to)
    {
        if (!closedLoop || begunAt == 0) return;
        for (var of = slice; to > from; to = Math.Min(to, beganAt[of-- % beganAt.Length]))
            Own(of).Outcomes.IdleNs += Ns(to - Math.Max(from, beganAt[of % beganAt.Length]));
    }

    // This thread's counts of a slice.
    static Counts Own(int slice)
    {
        if (ownCounts == null) threads.Add(ownCounts = [.. Enumerable.Range(0, Records.Kept + 1).Select(_ => new Counts())]);
        return ownCounts[slice % ownCounts.Length];
    }

    /// <summary>Stopwatch ticks in nanoseconds.</summary>
    public static long Ns(long ticks) => (long)(ticks * 1e9 / Second);
}
