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

    /// <summary>Takes what a client says in a room: that it joins or leaves, or a message for all of the
    /// room.</summary>
    public async Task Say(byte[] message)
    {
        string[] audience = Server.Rooms!.Take(Context.ConnectionId, message);
        if (Message.IsAboutRoom(message))
        {
            await JoinOrLeave(message, audience);
            return;
        }
        if (!Server.SendsInTurn)
        {
            await Clients.Group(Server.GroupOf(message)).SendAsync("Hear", message);
            return;
        }
        foreach (string member in audience)
        {
            await Clients.Client(member).SendAsync("Hear", message);
        }
    }

    /// <inheritdoc/>
    public override Task OnDisconnectedAsync(Exception? exception)
    {
        Server.Rooms?.End(Context.ConnectionId);
        return Task.CompletedTask;
    }

    // The one who joins gets its message back.
    async Task JoinOrLeave(byte[] message, string[] audience)
    {
        string group = Server.GroupOf(message);
        if (audience.Length == 0)
        {
            await Groups.RemoveFromGroupAsync(Context.ConnectionId, group);
            return;
        }
        await Groups.AddToGroupAsync(Context.ConnectionId, group);
        await Clients.Caller.SendAsync("Hear", message);
    }
}
