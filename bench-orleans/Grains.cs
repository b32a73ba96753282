using Orleans;
using Orleans.Concurrency;

// What calls carry is serialized by Orleans, and never copied within a process.
[GenerateSerializer, Immutable]
public sealed partial record Pet;

[GenerateSerializer, Immutable]
public sealed partial record Hello;

[GenerateSerializer, Immutable]
public sealed partial record HelloRequest;

[GenerateSerializer, Immutable]
public sealed partial record HelloReply;

[GenerateSerializer, Immutable]
public sealed partial record User;

/// <summary>What is called. A client calls the grain whose key is its number.</summary>
[Alias("calls")]
public interface ICalls : IGrainWithIntegerKey
{
    [Alias("sum")]
    ValueTask<int> Sum(int a, int b);

    [Alias("get-user")]
    ValueTask<User?> GetUser(long id);

    [Alias("say-hello")]
    ValueTask<HelloReply> SayHello(HelloRequest request);
}

/// <summary>Where clients are told what is said in their room.</summary>
[Alias("member")]
public interface IMember : IGrainObserver
{
    [Alias("hear"), OneWay]
    Task Hear([Immutable] byte[] message);
}

/// <summary>A room; its key is its number.</summary>
[Alias("room")]
public interface IRoom : IGrainWithIntegerKey
{
    /// <summary>Takes what a client says; who joins or leaves names itself.</summary>
    [Alias("say")]
    ValueTask Say([Immutable] byte[] message, IMember? member);
}

/// <summary>Reentrant, as it waits for nothing.</summary>
[Reentrant]
public sealed class CallsGrain : Grain, ICalls
{
    public ValueTask<int> Sum(int a, int b) => new(Service.Sum(a, b));

    public ValueTask<User?> GetUser(long id) => new(Service.GetUser(id));

    public ValueTask<HelloReply> SayHello(HelloRequest request) =>
        new(new HelloReply(Service.SayHello(request.Request)));
}

/// <summary>Tells all that are in the room. To await what is sent would hold the next message up.</summary>
[Reentrant]
public sealed class RoomGrain : Grain, IRoom
{
    public ValueTask Say(byte[] message, IMember? member)
    {
        foreach (IMember listener in Server.Rooms.Take(ref member!, message))
        {
            _ = listener.Hear(message);
        }
        return default;
    }
}
