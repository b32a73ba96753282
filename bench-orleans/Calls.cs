using System.Diagnostics;
using System.Runtime.Serialization;

// What calls carry (docs/records.md). The attributes are for serializers that ask for them; the records are
// partial for attributes of a library's own.

/// <summary>The color of a pet.</summary>
public enum Color
{
    Red,
    Green,
    Blue,
}

/// <summary>Part of a Hello.</summary>
[DataContract]
public sealed partial record Pet(
    [property: DataMember(Order = 0)] string Name,
    [property: DataMember(Order = 1)] Color Color);

/// <summary>What SayHello takes and returns; it has C1 or C2, not both.</summary>
[DataContract]
public sealed partial record Hello(
    [property: DataMember(Order = 0)] string Name,
    [property: DataMember(Order = 1)] double D,
    [property: DataMember(Order = 2)] float F,
    [property: DataMember(Order = 3)] bool B,
    [property: DataMember(Order = 4)] int N,
    [property: DataMember(Order = 5)] long L,
    [property: DataMember(Order = 6)] string? C1,
    [property: DataMember(Order = 7)] bool? C2,
    [property: DataMember(Order = 8)] Pet[] Pets,
    [property: DataMember(Order = 9)] byte[] Data);

/// <summary>The argument of SayHello.</summary>
[DataContract]
public sealed partial record HelloRequest([property: DataMember(Order = 0)] Hello Request);

/// <summary>The result of SayHello.</summary>
[DataContract]
public sealed partial record HelloReply([property: DataMember(Order = 0)] Hello Response);

/// <summary>The result of GetUser.</summary>
[DataContract]
public sealed partial record User(
    [property: DataMember(Order = 0)] long Id,
    [property: DataMember(Order = 1)] long Version,
    [property: DataMember(Order = 2)] DateTime CreatedAt,
    [property: DataMember(Order = 3)] DateTime ModifiedAt,
    [property: DataMember(Order = 4)] string Name);

/// <summary>What is called: with which arguments, and what must come back.</summary>
static class Calls
{
    /// <summary>The work that adds two numbers.</summary>
    public const string Sum = "sum";
    /// <summary>The work that returns a user for an id.</summary>
    public const string GetUser = "get-user";
    /// <summary>The work that returns the object that it takes.</summary>
    public const string SayHello = "say-hello";
    /// <summary>The works of a bench that makes calls.</summary>
    public static readonly string[] Works = [Sum, GetUser, SayHello];

    /// <summary>The user that GetUser returns for its Id.</summary>
    public static readonly User User = new(
        Id: 1,
        Version: 2,
        CreatedAt: new DateTime(2026, 11, 21, 12, 34, 56, 789, DateTimeKind.Utc),
        ModifiedAt: new DateTime(2026, 11, 22, 1, 2, 3, 456, DateTimeKind.Utc),
        Name: "Bob");

    /// <summary>What SayHello takes and returns, with as many bytes of data as the settings say.</summary>
    public static Hello NewHello(Settings settings)
    {
        var data = new byte[settings.PayloadBytes];
        new Random(settings.Seed).NextBytes(data);
        return new Hello(
            Name: "a name",
            D: 4.55332,
            F: 232.3f,
            B: true,
            N: 32,
            L: 444325235223,
            C1: "ofcouse",
            C2: null,
            Pets: [new Pet("Bof the dog", Color.Blue), new Pet("Kim the cat", Color.Red)],
            Data: data);
    }

    /// <summary>What a call of Sum adds: digits but zero, which some serializers leave out, whose sum is a digit too,
    /// so that all messages have the same length.</summary>
    public static (int A, int B) Terms(Due call) => (1 + call.Sequence % 4, 1 + call.Index % 4);

    /// <summary>Whether a call of Sum returned the sum of its terms.</summary>
    public static bool IsRight(Due call, int sum)
    {
        (int a, int b) = Terms(call);
        return sum == a + b;
    }

    /// <summary>Whether GetUser returned its user.</summary>
    public static bool IsRight(User? user) => user == User;

    /// <summary>Whether SayHello returned what it was given. Records compare arrays by reference, hence all in turn.
    /// </summary>
    public static bool IsRight(Hello? answer, Hello given)
    {
        return answer != null
            && answer.Name == given.Name
            && answer.D == given.D
            && answer.F == given.F
            && answer.B == given.B
            && answer.N == given.N
            && answer.L == given.L
            && answer.C1 == given.C1
            && answer.C2 == given.C2
            && answer.Pets.AsSpan().SequenceEqual(given.Pets)
            && answer.Data.AsSpan().SequenceEqual(given.Data);
    }
}

/// <summary>What a server does when it is called, on whichever thread; it counts each call and its answer.</summary>
static class Service
{
    /// <summary>Returns the sum of two numbers.</summary>
    public static int Sum(int a, int b)
    {
        Count();
        return a + b;
    }

    /// <summary>Returns the same user for every positive id, and null for the others.</summary>
    public static User? GetUser(long id)
    {
        Count();
        return id > 0 ? Calls.User : null;
    }

    /// <summary>Returns what it was given.</summary>
    public static Hello SayHello(Hello hello)
    {
        Count();
        return hello;
    }

    /// <summary>Counts a call and its answer.</summary>
    public static void Count()
    {
        Tally tally = Window.Now;
        tally[global::Count.Received]++;
        tally[global::Count.Sent]++;
    }
}

/// <summary>How calls end. Any thread may end one.</summary>
sealed partial class Load
{
    /// <summary>Ends a call that has returned, and says which one its slot makes now; Sequence 0: none.</summary>
    public Due EndCall(Due ended, bool isRight)
    {
        long now = Stopwatch.GetTimestamp();
        if (!TryEnd(ended, isRight, now, out Due next))
        {
            CountStray(ended, now);
        }
        return next;
    }

    /// <summary>Ends a call that failed, by the library's word for it. Its slot's next one begins later, so that a
    /// library that fails at once is not called without end. Where a client's first call fails nothing can be
    /// measured.</summary>
    public void FailCall(Due ended, string failure, Exception fault)
    {
        if (!IsConnected(ended.Index))
        {
            // Who shows another certificate than the one known is told by a sentence of its own.
            Program.Exit(fault.GetBaseException() as Failure ?? new Failure(
                $"Nothing on {settings.Address}:{settings.Port} answers as a server of this bench: {failure}."));
        }
        Window.Failures.AddOrUpdate(failure, 1, (_, count) => count + 1);
        if (TryOwn(ended))
        {
            Window.Own.At(ended.At)[Count.Failed]++;
            Volatile.Write(ref SlotOf(ended).State, -ended.Sequence);
            hasFreeSlot = true;
        }
    }
}
