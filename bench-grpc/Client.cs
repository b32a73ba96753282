using System.Diagnostics;
using System.Net;
using Google.Protobuf;
using Grpc.Core;
using Grpc.Net.Client;

/// <summary>The clients: a channel each. A call is timed from just before it is made to just after its result is there.
/// </summary>
sealed class Client(Settings settings, Load load)
{
    static readonly Rpc.Hello hello = Library.ToMessage(Calls.Hello);

    readonly GrpcChannel[] channels = new GrpcChannel[load.Clients];
    readonly Rpc.Calls.CallsClient[] clients = new Rpc.Calls.CallsClient[load.Clients];
    readonly Chat? chat = settings.Work == Settings.Broadcast ? new Chat(settings, load) : null;
    // What each client is about to say in its room.
    readonly Outbox[] said = new Outbox[load.Clients];
    readonly int messageBytes = Message.BufferBytes(settings);
    volatile bool isClosing;

    // What the calling thread sends next.
    [ThreadStatic] static byte[]? ownNext;

    /// <summary>Connects, and begins the calls that are due until the load ends.</summary>
    public void Run()
    {
        Connect().GetAwaiter().GetResult();
        while (load.BeginPass())
        {
            if (chat != null)
            {
                SayDue(chat);
            }
            else
            {
                CallDue();
            }
            load.Pause();
        }
        isClosing = true;
        Array.ForEach(channels, channel => channel.Dispose());
    }

    void CallDue()
    {
        while (load.TryBegin(out int slot))
        {
            _ = Call(slot);
        }
    }

    void SayDue(Chat chat)
    {
        chat.Joining.BeginPass();
        byte[] next = ownNext ??= new byte[messageBytes];
        if (chat.Joining.TryLeave(next, out int leaver))
        {
            Say(leaver, next, Message.HeaderBytes);
            said[leaver].Complete();
            _ = ConnectAgain(chat, leaver);
        }
        int length = chat.TryNext(next, out int client);
        while (length > 0)
        {
            Say(client, next, length);
            length = chat.TryNext(next, out client);
        }
    }

    void Say(int client, byte[] next, int length)
    {
        said[client].Add(new Rpc.Spoken { Content = ByteString.CopyFrom(next, 0, length) });
    }

    async Task ConnectAgain(Chat chat, int client)
    {
        GrpcChannel left = channels[client];
        try
        {
            Open(client);
            // The first call connects, so that the time to join again has that in it.
            await channels[client].ConnectAsync();
            Talk(client);
            chat.Joining.JoinAgain(client);
            left.Dispose();
        }
        catch (Exception fault)
        {
            Program.Exit(new Failure(fault.Message));
        }
    }

    // Opens a client's stream and listens to it.
    void Talk(int client)
    {
        AsyncDuplexStreamingCall<Rpc.Spoken, Rpc.Spoken> talk = clients[client].Talk();
        var outbox = new Outbox(talk.RequestStream.WriteAsync);
        said[client] = outbox;
        _ = Watch(client, outbox, outbox.Send());
        _ = Watch(client, outbox, Hear(client, outbox, talk.ResponseStream));
    }

    // A stream ends where a client has left, and else by a fault.
    async Task Watch(int client, Outbox outbox, Task task)
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
        bool isLeft = outbox != said[client] || outbox.IsComplete;
        if (!isClosing && !isLeft && !chat!.Joining.TryLose(client))
        {
            Program.Exit(new Failure(reason));
        }
    }

    async Task Hear(int client, Outbox outbox, IAsyncStreamReader<Rpc.Spoken> heard)
    {
        while (await heard.MoveNext(CancellationToken.None))
        {
            if (outbox == said[client])
            {
                OnHeard(client, heard.Current.Content.Span);
            }
        }
    }

    void OnHeard(int client, ReadOnlySpan<byte> message)
    {
        chat!.Joining.WaitWhileStalled(client);
        byte[] next = ownNext ??= new byte[messageBytes];
        int length = chat.OnMessage(client, message, next, out int sender);
        if (length > 0)
        {
            Say(sender, next, length);
        }
    }

    void Open(int client)
    {
        string scheme = settings.Security == "tls" ? "https" : "http";
        var server = $"{scheme}://{Program.Resolve(settings.Address)}:{settings.Port}";
        channels[client] = GrpcChannel.ForAddress(server, Options());
        clients[client] = new Rpc.Calls.CallsClient(channels[client]);
    }

    // A connection is made by its first call.
    async Task Connect()
    {
        for (int client = 0; client < clients.Length; client++)
        {
            Open(client);
            long calledAt = Stopwatch.GetTimestamp();
            var call = new Rpc.HelloRequest { Request = Library.ToMessage(Calls.FirstHello) };
            Rpc.HelloReply reply = await clients[client].SayHelloAsync(call);
            if (client == 0)
            {
                Greeting.TakeReply(reply.Response.Name, calledAt, settings);
            }
            if (chat != null)
            {
                Talk(client);
            }
            load.AddConnected();
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
    async Task Call(int slot)
    {
        Rpc.Calls.CallsClient client = clients[load.ClientOf(slot)];
        bool continues;
        do
        {
            try
            {
                bool isRight;
                switch (settings.Work)
                {
                    case Calls.Sum:
                        (int a, int b) = Calls.Terms(load, slot);
                        Rpc.SumReply sum = await client.SumAsync(new Rpc.SumRequest { A = a, B = b });
                        isRight = Calls.IsRight(load, slot, sum.Sum);
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
                continues = load.End(slot, isRight);
            }
            catch (Exception fault)
            {
                string word = (fault as RpcException)?.StatusCode.ToString() ?? fault.GetType().Name;
                continues = load.Fail(slot, word);
            }
        }
        while (continues);
    }
}
