using NetMQ;
using NetMQ.Sockets;

/// <summary>The server: a ROUTER and one thread, which blocks until a message comes and sends it on at once. Before
/// each message stands the identity of its connection, by which the ROUTER knows where it is to go.</summary>
static class Server
{
    /// <summary>The identity of a connection.</summary>
    readonly record struct Route(byte[] Identity)
    {
        public bool Equals(Route other) => Identity.AsSpan().SequenceEqual(other.Identity);

        public override int GetHashCode() => Identity[^1];
    }

    // The library gives each connection an identity of as many bytes.
    const int IdentityBytes = 5;

    static readonly RouterSocket router = new();
    static Service<Route> service = null!;

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        Library.Set(router.Options, settings);
        // Else what is for a client that has left would be dropped unseen.
        router.Options.RouterMandatory = true;
        router.Bind($"tcp://{settings.Endpoint}");
        service = new Service<Route>(settings, keep: route => new Route([.. route.Identity]));
        Records.WriteReady(settings);
        var sender = new Route(new byte[IdentityBytes]);
        var message = new Msg();
        message.InitEmpty();
        while (true)
        {
            // All that has come is answered before the next wait.
            bool hasCome = router.TryReceive(ref message, TimeToTick(settings));
            while (hasCome)
            {
                TakeOne(ref sender, ref message);
                hasCome = !IsTickDue && router.TryReceive(ref message, TimeSpan.Zero);
            }
            foreach (Service<Route>.Member player in service.Tick())
            {
                Msg snapshot = Library.NewMessage(player.Snapshot);
                Send(player.Connection, ref snapshot);
            }
        }
    }

    static bool IsTickDue => service.MicrosecondsToTick == 0;

    // The library waits for whole milliseconds: of the last one this thread sleeps.
    static TimeSpan TimeToTick(Settings settings)
    {
        if (settings.Work != Settings.Game)
        {
            return Timeout.InfiniteTimeSpan;
        }
        int microseconds = service.MicrosecondsToTick;
        if (microseconds < 1_000)
        {
            Delay.Sleep(microseconds);
        }
        return TimeSpan.FromMilliseconds(microseconds / 1_000);
    }

    // Takes what comes behind an identity; no client of this bench chooses its own, or sends more than one part.
    static void TakeOne(ref Route sender, ref Msg message)
    {
        bool isOfBench = message.Slice().TryCopyTo(sender.Identity);
        router.Receive(ref message);
        isOfBench = isOfBench && !message.HasMore;
        while (message.HasMore)
        {
            router.Receive(ref message);
        }
        if (isOfBench)
        {
            Answer(ref sender, ref message);
        }
    }

    static void Answer(ref Route sender, ref Msg message)
    {
        ReadOnlySpan<Route> receivers = service.Take(ref sender, message.Slice());
        foreach (Route receiver in receivers)
        {
            // All share the bytes that came.
            var copy = new Msg();
            copy.InitEmpty();
            copy.Copy(ref message);
            Send(receiver, ref copy);
        }
    }

    static void Send(Route receiver, ref Msg message)
    {
        try
        {
            var identity = new Msg();
            // The ROUTER looks at it before it returns.
            identity.InitGC(receiver.Identity, receiver.Identity.Length);
            router.Send(ref identity, more: true);
            router.Send(ref message, more: false);
        }
        catch (HostUnreachableException)
        {
            // The client is gone.
            message.Close();
            Window.Now[Count.Sent]--;
            service.OnClosed(receiver);
        }
    }
}
