using Grpc.Core;

/// <summary>What is called.</summary>
sealed class GrpcService : Rpc.Calls.CallsBase
{
    public override Task<Rpc.SumReply> Sum(Rpc.SumRequest call, ServerCallContext context)
    {
        return Task.FromResult(new Rpc.SumReply { Sum = Service.Sum(call.A, call.B) });
    }

    public override Task<Rpc.GetUserReply> GetUser(Rpc.GetUserRequest call, ServerCallContext context)
    {
        User? user = Service.GetUser(call.Id);
        return Task.FromResult(new Rpc.GetUserReply { User = user == null ? null : Library.User });
    }

    // As Service.SayHello does, but without conversion of what came.
    public override Task<Rpc.HelloReply> SayHello(Rpc.HelloRequest call, ServerCallContext context)
    {
        if (Greeting.IsRequest(call.Request.Name))
        {
            return Task.FromResult(new Rpc.HelloReply { Response = new Rpc.Hello { Name = Greeting.Reply } });
        }
        Service.Count();
        return Task.FromResult(new Rpc.HelloReply { Response = call.Request });
    }

    /// <summary>What one client says and hears in its room, for as long as it is connected.</summary>
    public override async Task Talk(
        IAsyncStreamReader<Rpc.Spoken> said,
        IServerStreamWriter<Rpc.Spoken> heard,
        ServerCallContext context)
    {
        Rooms<Outbox> rooms = Server.Rooms
            ?? throw new RpcException(new Status(StatusCode.FailedPrecondition, "There are no rooms."));
        var own = new Outbox(heard.WriteAsync);
        Task sending = own.Send();
        try
        {
            while (await said.MoveNext(context.CancellationToken))
            {
                foreach (Outbox member in rooms.Take(own, said.Current.Content.Span))
                {
                    member.Add(said.Current);
                }
            }
            own.Complete();
            await sending;
        }
        catch (Exception fault)
            when (fault is IOException or InvalidOperationException or OperationCanceledException or RpcException)
        {
            // The client is gone.
        }
        rooms.End(own);
        own.Complete();
    }
}
