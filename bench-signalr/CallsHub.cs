using System.Runtime.InteropServices;
using Microsoft.AspNetCore.SignalR;

/// <summary>What is called.</summary>
public sealed class CallsHub : Hub
{
    /// <summary>The method of clients that takes what is said in their room.</summary>
    public const string Hear = "Hear";

    // What a connection remembers: the name of its room's group.
    const string Group = "group";

    // A hub calls methods of its instance alone.
#pragma warning disable CA1822

    public int Sum(int a, int b) => Service.Sum(a, b);

    public User? GetUser(long id) => Service.GetUser(id);

    public HelloReply SayHello(HelloRequest request) => new(Service.SayHello(request.Request));

#pragma warning restore CA1822

    /// <summary>Takes what a client says in its room. To await what is sent would hold the sender's next message up as
    /// long as one client of the room does not read.</summary>
    public Task Say(byte[] message)
    {
        string sender = Context.ConnectionId;
        ReadOnlySpan<string> audience = Server.Rooms.Take(ref sender, message);
        if (audience.IsEmpty)
        {
            return Task.CompletedTask;
        }
        int kind = MemoryMarshal.Read<Header>(message).Kind;
        if (kind > 0)
        {
            return Join($"{kind}", message);
        }
        if (!Server.SendsInTurn)
        {
            _ = Clients.Group((string)Context.Items[Group]!).SendAsync(Hear, message);
            return Task.CompletedTask;
        }
        foreach (string receiver in audience)
        {
            _ = Clients.Client(receiver).SendAsync(Hear, message);
        }
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override Task OnDisconnectedAsync(Exception? exception)
    {
        Server.Rooms.OnClosed(Context.ConnectionId);
        return Task.CompletedTask;
    }

    // Who joins gets its message back.
    async Task Join(string group, byte[] message)
    {
        Context.Items[Group] = group;
        await Groups.AddToGroupAsync(Context.ConnectionId, group);
        await Clients.Caller.SendAsync(Hear, message);
    }
}
