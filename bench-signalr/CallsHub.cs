using Microsoft.AspNetCore.SignalR;

/// <summary>What is called.</summary>
public sealed class CallsHub : Hub
{
    // A hub calls methods of its instance alone.
#pragma warning disable CA1822

    public int Sum(int a, int b) => Service.Sum(a, b);

    public User? GetUser(long id) => Service.GetUser(id);

    public HelloReply SayHello(HelloRequest request) => new(Service.SayHello(request.Request));

#pragma warning restore CA1822
}
