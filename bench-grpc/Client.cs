using System.Net;
using Google.Protobuf;
using Grpc.Core;
using Grpc.Net.Client;

/// <summary>The clients: a channel each, and in rooms a stream each way on it. A call is timed from just before it is
/// made to just after its result is there.</summary>
sealed class Client(Settings settings, Load load)
{
    const int CloseMilliseconds = 1_000;

    readonly Rpc.Hello hello = Library.ToMessage(Calls.NewHello(settings));
    readonly GrpcChannel[] channels = new GrpcChannel[settings.Clients];
    readonly Rpc.Calls.CallsClient[] clients = new Rpc.Calls.CallsClient[settings.Clients];
    readonly Exchange exchange = new(settings, load);
    // What each client is about to say in its room.
    readonly Outbox[] said = new Outbox[settings.Clients];
    volatile bool isClosing;

    /// <summary>Opens all connections: each client's first call makes its own.</summary>
    public void Connect()
    {
        string scheme = settings.Security == "tls" ? "https" : "http";
        for (int index = 0; index < clients.Length; index++)
        {
            channels[index] = GrpcChannel.ForAddress($"{scheme}://{settings.Endpoint}", Options());
            clients[index] = new Rpc.Calls.CallsClient(channels[index]);
            if (settings.HasRooms)
            {
                Talk(index);
            }
            load.OnOpen(index);
        }
    }

    /// <summary>Makes a call and the next ones of its slot, or says a message in the client's room.</summary>
    public void Begin(Due due)
    {
        if (settings.HasRooms)
        {
            said[due.Index].Add(new Rpc.Spoken { Content = ByteString.CopyFrom(exchange.Write(due)) });
        }
        else
        {
            _ = Call(due);
        }
    }

    /// <summary>Waits so long: answers come on threads of the pool.</summary>
    public void Poll(int microseconds) => Delay.Sleep(microseconds);

    /// <summary>Closes all connections.</summary>
    public void Close()
    {
        isClosing = true;
        foreach (Outbox outbox in said.OfType<Outbox>())
        {
            // What was said before is sent first.
            outbox.Complete();
            outbox.Sent.Wait(CloseMilliseconds);
        }
        Array.ForEach(channels, channel => channel.Dispose());
    }

    // Opens a client's stream and listens to it.
    void Talk(int index)
    {
        AsyncDuplexStreamingCall<Rpc.Spoken, Rpc.Spoken> talk = clients[index].Talk();
        said[index] = new Outbox(talk.RequestStream.WriteAsync);
        _ = Watch(said[index].Sent);
        _ = Watch(Hear(index, talk.ResponseStream));
    }

    async Task Watch(Task task)
    {
        string reason = "The server closed the connection.";
        try
        {
            await task;
        }
        catch (Exception fault)
        {
            reason = (fault as RpcException)?.Status.Detail ?? fault.Message;
        }
        if (!isClosing)
        {
            Program.Exit(new Failure(reason));
        }
    }

    async Task Hear(int index, IAsyncStreamReader<Rpc.Spoken> heard)
    {
        while (await heard.MoveNext(CancellationToken.None))
        {
            if (!isClosing)
            {
                exchange.OnMessage(index, heard.Current.Content.Span);
            }
        }
    }

    // The channel's own handler or, to turn something, one that is alike.
    GrpcChannelOptions Options()
    {
        if (settings is { Security: "none", Profile: "default" })
        {
            return new GrpcChannelOptions();
        }
        var handler = new SocketsHttpHandler { EnableMultipleHttp2Connections = true };
        if (settings.Security == "tls")
        {
            handler.SslOptions = TlsOptions.OfClient(settings);
        }
        if (settings.Profile == "tuned")
        {
            handler.UseProxy = false;
            handler.AllowAutoRedirect = false;
        }
        return settings.Variant == Http3.Variant
            ? OptionsOfHttp3(handler)
            : new GrpcChannelOptions { HttpHandler = handler, DisposeHttpClient = true };
    }

    // A channel that has the handler itself connects it by TCP.
    static GrpcChannelOptions OptionsOfHttp3(SocketsHttpHandler handler)
    {
        handler.EnableMultipleHttp3Connections = true;
        return new GrpcChannelOptions
        {
            HttpClient = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan },
            DisposeHttpClient = true,
            HttpVersion = HttpVersion.Version30,
            HttpVersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
    }

    // Makes a slot's calls one after another. All works share this one asynchronous method, since another one around
    // each call would allocate.
    async Task Call(Due due)
    {
        Rpc.Calls.CallsClient client = clients[due.Index];
        while (due.Sequence > 0)
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(due);
                        Rpc.SumReply sum = await client.SumAsync(new Rpc.SumRequest { A = a, B = b });
                        isRight = Calls.IsRight(due, sum.Sum);
                        break;
                    case Calls.GetUser:
                        var id = new Rpc.GetUserRequest { Id = Calls.User.Id };
                        Rpc.GetUserReply user = await client.GetUserAsync(id);
                        isRight = Library.User.Equals(user.User);
                        break;
                    default:
                        Rpc.HelloReply reply = await client.SayHelloAsync(new Rpc.HelloRequest { Request = hello });
                        isRight = hello.Equals(reply.Response);
                        break;
                }
                due = load.EndCall(due, isRight);
            }
            catch (Exception fault)
            {
                load.FailCall(due, (fault as RpcException)?.StatusCode.ToString() ?? fault.GetType().Name, fault);
                return;
            }
        }
    }
}
