/// <summary>What a connection's calls are invoked on.</summary>
sealed class CallsTarget : ICalls
{
    public Task<int> Sum(int a, int b) => Task.FromResult(Service.Sum(a, b));

    public Task<User?> GetUser(long id) => Task.FromResult(Service.GetUser(id));

    public Task<HelloReply> SayHello(HelloRequest request)
    {
        return Task.FromResult(new HelloReply(Service.SayHello(request.Request)));
    }

    public void Dispose()
    {
    }
}
