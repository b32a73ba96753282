/// <summary>What answers.</summary>
sealed class AnsweredCalls : ICalls
{
    public Task<int> Sum(int a, int b, CancellationToken cancelled) => Task.FromResult(Service.Sum(a, b));

    public Task<User?> GetUser(long id, CancellationToken cancelled) => Task.FromResult(Service.GetUser(id));

    public Task<HelloReply> SayHello(HelloRequest request, CancellationToken cancelled)
    {
        return Task.FromResult(new HelloReply(Service.SayHello(request.Request)));
    }
}
