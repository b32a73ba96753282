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
        Service.Count();
        return Task.FromResult(new Rpc.HelloReply { Response = call.Request });
    }

    /// <summary>What one client says and hears in its room, for as long as it is connected.</summary>
    public override async Task Talk(
        IAsyncStreamReader<Rpc.Spoken> said,
        IServerStreamWriter<Rpc.Spoken> heard,
        ServerCallContext context)
    {
        var own = new Outbox(heard.WriteAsync);
        try
        {
            while (await said.MoveNext(context.CancellationToken))
            {
                Take(own, said.Current);
            }
            own.Complete();
            await own.Sent;
        }
        catch (Exception fault)
            when (fault is IOException or InvalidOperationException or OperationCanceledException or RpcException)
        {
            // The client is gone.
        }
        Server.Service.OnClosed(own);
        own.Complete();
    }

    static void Take(Outbox sender, Rpc.Spoken spoken)
    {
        foreach (Outbox receiver in Server.Service.Take(ref sender, spoken.Content.Span))
        {
            receiver.Add(spoken);
        }
    }
}
