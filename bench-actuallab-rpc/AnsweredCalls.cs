using System.Threading.Channels;
using ActualLab.Rpc;

/// <summary>What answers.</summary>
sealed class AnsweredCalls : ICalls
{
    public Task<int> Sum(int a, int b, CancellationToken cancelled) => Task.FromResult(Service.Sum(a, b));

    public Task<User?> GetUser(long id, CancellationToken cancelled) => Task.FromResult(Service.GetUser(id));

    public Task<HelloReply> SayHello(HelloRequest request, CancellationToken cancelled)
    {
        return Task.FromResult(new HelloReply(Service.SayHello(request.Request)));
    }

    // A stream of the library's reads from one place, into which any thread may write.
    public Task<RpcStream<byte[]>> Listen(byte[] message, CancellationToken cancelled)
    {
        var heard = Channel.CreateUnbounded<byte[]>(new UnboundedChannelOptions { SingleReader = true });
        Send(heard, message);
        return Task.FromResult(RpcStream.New(heard.Reader.ReadAllAsync(CancellationToken.None), allowReconnect: false));
    }

    public Task<RpcNoWait> Say(byte[] message)
    {
        Send(sender: null!, message);
        return RpcNoWait.Tasks.Completed;
    }

    // Who sends is asked of the one that joins alone.
    static void Send(Channel<byte[]> sender, byte[] message)
    {
        foreach (Channel<byte[]> member in Server.Rooms!.Take(sender, message))
        {
            member.Writer.TryWrite(message);
        }
    }
}
