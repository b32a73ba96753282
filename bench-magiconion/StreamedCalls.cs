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
        IHears[] audience = Server.Rooms!.Take(Client, message);
        if (Message.IsAboutRoom(message))
        {
            await JoinOrLeave(message, audience);
        }
        else if (Server.SendsInTurn)
        {
            foreach (IHears member in audience)
            {
                member.Hear(message);
            }
        }
        else
        {
            group?.All.Hear(message);
        }
    }

    /// <inheritdoc/>
    protected override ValueTask OnDisconnected()
    {
        Server.Rooms?.End(Client);
        return default;
    }

    // The one who joins gets its message back.
    async Task JoinOrLeave(byte[] message, IHears[] audience)
    {
        if (audience.Length == 0)
        {
            if (group != null)
            {
                await group.RemoveAsync(Context);
            }
            return;
        }
        group ??= await Group.AddAsync(Server.GroupOf(message));
        Client.Hear(message);
    }
}
