using System.Threading.Channels;

/// <summary>What is to be sent on a stream of gRPC, which takes one message at a time: any thread may add to it, and
/// one loop sends. It holds whatever the other side does not take.</summary>
sealed class Outbox(Func<Rpc.Spoken, Task> send)
{
    readonly Channel<Rpc.Spoken> waiting =
        Channel.CreateUnbounded<Rpc.Spoken>(new UnboundedChannelOptions { SingleReader = true });

    /// <summary>Adds a message; once it is complete nothing is added.</summary>
    public void Add(Rpc.Spoken message) => waiting.Writer.TryWrite(message);

    /// <summary>True where nothing is added any more.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>Lets the loop end when it has sent all that there is.</summary>
    public void Complete()
    {
        IsComplete = true;
        waiting.Writer.TryComplete();
    }

    /// <summary>Sends until it is complete; throws where the stream has ended.</summary>
    public async Task Send()
    {
        await foreach (Rpc.Spoken message in waiting.Reader.ReadAllAsync())
        {
            await send(message);
        }
    }
}
