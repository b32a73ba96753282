using MagicOnion.Server.Hubs;

/// <summary>What is called over a client's one stream.</summary>
public sealed class StreamedCalls : StreamingHubBase<ICallsHub, IHears>, ICallsHub
{
    IGroup<IHears>? group;

    public ValueTask<int> SumAsync(int a, int b) => new(Service.Sum(a, b));

    public ValueTask<User?> GetUserAsync(long id) => new(Service.GetUser(id));

    public ValueTask<HelloReply> SayHelloAsync(HelloRequest request)
    {
        return new ValueTask<HelloReply>(new HelloReply(Service.SayHello(request.Request)));
    }

    public async Task SayAsync(byte[] message)
    {
        // The bench's own message: what joins or leaves a room tells so.
        int kind = Message.Read(message, out _).Kind;
        if (kind > 0)
        {
            group ??= await Group.AddAsync($"{kind}");
        }
        else if (kind == Message.Leaving && group != null)
        {
            await group.RemoveAsync(Context);
        }
        Send(message, kind);
    }

    /// <inheritdoc/>
    protected override ValueTask OnDisconnected()
    {
        Server.Service.OnClosed(Client);
        return default;
    }

    void Send(byte[] message, int kind)
    {
        IHears sender = Client;
        ReadOnlySpan<IHears> receivers = Server.Service.Take(ref sender, message);
        if (kind == 0 && !Server.SendsInTurn)
        {
            group?.All.Hear(message);
            return;
        }
        foreach (IHears receiver in receivers)
        {
            receiver.Hear(message);
        }
    }
}
