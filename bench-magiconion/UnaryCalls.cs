using MagicOnion;
using MagicOnion.Server;

/// <summary>What is called, by unary calls.</summary>
public sealed class UnaryCalls : ServiceBase<ICalls>, ICalls
{
    public UnaryResult<int> SumAsync(int a, int b) => UnaryResult.FromResult(Service.Sum(a, b));

    public UnaryResult<User?> GetUserAsync(long id) => UnaryResult.FromResult(Service.GetUser(id));

    public UnaryResult<HelloReply> SayHelloAsync(HelloRequest request)
    {
        return UnaryResult.FromResult(new HelloReply(Service.SayHello(request.Request)));
    }
}
