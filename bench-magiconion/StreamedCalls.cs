using MagicOnion.Server.Hubs;

/// <summary>What is called over a client's one stream.</summary>
public sealed class StreamedCalls : StreamingHubBase<ICallsHub, INothing>, ICallsHub
{
    public ValueTask<int> SumAsync(int a, int b) => new(Service.Sum(a, b));

    public ValueTask<User?> GetUserAsync(long id) => new(Service.GetUser(id));

    public ValueTask<HelloReply> SayHelloAsync(HelloRequest request)
    {
        return new ValueTask<HelloReply>(new HelloReply(Service.SayHello(request.Request)));
    }
}
