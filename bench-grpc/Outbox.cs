using System.Threading.Channels;

/// <summary>What is to be sent on a stream of gRPC, which takes one message at a time: any thread may add to it, and
/// one loop sends. It holds whatever the other side does not take.</summary>
sealed class Outbox
{
    readonly Channel<Rpc.Spoken> waiting =
        Channel.CreateUnbounded<Rpc.Spoken>(new UnboundedChannelOptions { SingleReader = true });

    /// <summary>Begins to send by a method.</summary>
    public Outbox(Func<Rpc.Spoken, Task> send) => Sent = Send(send);

    /// <summary>Ends when it is complete and all is sent; fails where the stream has ended.</summary>
    public Task Sent { get; }

    /// <summary>Adds a message; once it is complete nothing is added.</summary>
    public void Add(Rpc.Spoken message) => waiting.Writer.TryWrite(message);

    /// <summary>Lets the loop end when it has sent all that there is.</summary>
    public void Complete() => waiting.Writer.TryComplete();

    async Task Send(Func<Rpc.Spoken, Task> send)
    {
        await foreach (Rpc.Spoken message in waiting.Reader.ReadAllAsync())
        {
            await send(message);
        }
    }
}
