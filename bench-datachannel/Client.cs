using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using DataChannelDotnet.Bindings;
using Newtonsoft.Json;

/// <summary>The clients: a peer with one channel each. The library calls back on threads of its own: each checks the
/// answer that it brings and sends the next message of its slot. A round trip is timed from just before rtcSendMessage
/// to the callback with the answer.</summary>
sealed class Client(Settings settings, Load load)
{
    // What the library hands to callbacks, as a handle.
    sealed class Connection(Client owner, int index)
    {
        public readonly Client Owner = owner;
        public readonly int Index = index;
        public GCHandle Handle;
        public Peer Peer = null!;
        public int Channel;
        public readonly TaskCompletionSource Opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
        public readonly TaskCompletionSource Closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public static unsafe Connection Of(void* handle) => (Connection)GCHandle.FromIntPtr((nint)handle).Target!;
    }

    // At a time: of more each would wait for a CPU until the library repeats what nobody has answered yet.
    const int MostOpening = 32;
    const int MostCloseMilliseconds = 2_000;

    // Of a stream: what the library keeps behind SCTP's own buffer, which is full as long as there is any. With half of
    // it the library says that there is room.
    const int MostQueuedBytes = 1 << 20;

    readonly Load load = load;
    readonly Exchange exchange = new(settings, load);
    readonly Connection[] connections = new Connection[settings.Clients];
    readonly object room = new();
    // The library has sent some of a stream since the last wait.
    bool hasRoomAgain;
    bool isFull;
    volatile bool isClosing;

    /// <summary>Opens all connections; callbacks say when they are there.</summary>
    public void Connect()
    {
        Library.Tune(settings);
        for (int index = 0; index < connections.Length; index++)
        {
            connections[index] = new Connection(this, index);
        }
        _ = Parallel.ForEachAsync(connections, new ParallelOptions { MaxDegreeOfParallelism = MostOpening },
            async (connection, _) => await Open(connection));
    }

    /// <summary>Sends a message. The library copies it and sends it under a lock of the connection's, so that several
    /// threads may. A client leaves its room by the end of its connection.</summary>
    public void Begin(Due due)
    {
        if (due.Sequence != Due.Leaving && !Library.Send(connections[due.Index].Channel, exchange.Write(due)))
        {
            OnGone("The server closed the connection.");
        }
    }

    /// <summary>Whether the library may keep more of a client's stream.</summary>
    public bool HasRoom(int index)
    {
        isFull = Rtc.rtcGetBufferedAmount(connections[index].Channel) >= MostQueuedBytes;
        return !isFull;
    }

    /// <summary>Waits so long: answers come on threads of the library. Where a stream is full it waits for room.
    /// </summary>
    public void Poll(int microseconds)
    {
        if (!isFull)
        {
            Delay.Sleep(microseconds);
            return;
        }
        lock (room)
        {
            if (!hasRoomAgain)
            {
                Monitor.Wait(room, TimeSpan.FromMicroseconds(microseconds));
            }
            hasRoomAgain = false;
        }
        isFull = false;
    }

    /// <summary>Closes all connections: waits until all is delivered and the server has confirmed each end, though not
    /// for long.</summary>
    public void Close()
    {
        isClosing = true;
        Connection[] made = Array.FindAll(connections, connection => connection.Peer != null);
        Array.ForEach(made, connection => _ = Rtc.rtcClosePeerConnection(connection.Peer.Id));
        Task[] ends = Array.ConvertAll(made, connection => connection.Closed.Task);
        Task.WaitAll(ends, MostCloseMilliseconds);
        foreach (Connection connection in made)
        {
            // With its channel, which outlives it. From here on there are no callbacks.
            connection.Peer.Dispose();
            _ = Rtc.rtcDelete(connection.Channel);
            connection.Handle.Free();
        }
    }

    // Returns when it is open.
    async Task Open(Connection connection)
    {
        try
        {
            var line = new Socket(settings.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            await line.ConnectAsync(settings.Endpoint);
            var peer = new Peer(line);
            AddChannel(connection, peer.Id);
            connection.Peer = peer;
            peer.Say(withAddresses: false);
            peer.Heed(await Peer.Hear(line), "answer\0"u8);
            _ = AwaitEnd(peer);
            await connection.Opened.Task;
        }
        catch (SocketException fault)
        {
            OnGone($"Nothing listens on {settings.Address}:{settings.Port}: {fault.Message}");
        }
        catch (JsonException)
        {
            OnGone($"What answers on {settings.Address}:{settings.Port} is no server of this bench.");
        }
        catch (Exception fault)
        {
            OnGone(fault.Message);
        }
    }

    async Task AwaitEnd(Peer peer)
    {
        await peer.AwaitEnd();
        OnGone("The server closed the connection.");
    }

    unsafe void AddChannel(Connection connection, int peer)
    {
        connection.Handle = GCHandle.Alloc(connection);
        // The channel takes over what is set here.
        Rtc.rtcSetUserPointer(peer, (void*)GCHandle.ToIntPtr(connection.Handle));
        Library.Check(Rtc.rtcSetStateChangeCallback(peer, &OnState));
        var init = new rtcDataChannelInit { reliability = Library.Reliability(settings.Delivery) };
        fixed (byte* label = "bench\0"u8)
        {
            connection.Channel = Library.Check(Rtc.rtcCreateDataChannelEx(peer, (sbyte*)label, &init));
        }
        Library.Check(Rtc.rtcSetOpenCallback(connection.Channel, &OnOpen));
        Library.Check(Rtc.rtcSetMessageCallback(connection.Channel, &OnMessage));
        if (settings.Work == Settings.Stream)
        {
            Library.Check(Rtc.rtcSetBufferedAmountLowThreshold(connection.Channel, MostQueuedBytes / 2));
            Library.Check(Rtc.rtcSetBufferedAmountLowCallback(connection.Channel, &OnRoom));
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnMessage(int channel, sbyte* message, int length, void* handle)
    {
        try
        {
            Connection connection = Connection.Of(handle);
            if (!connection.Owner.isClosing)
            {
                connection.Owner.exchange.OnMessage(connection.Index, new ReadOnlySpan<byte>(message, length));
            }
        }
        catch (Exception fault)
        {
            Library.Fail(fault);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnOpen(int channel, void* handle)
    {
        Connection connection = Connection.Of(handle);
        connection.Opened.TrySetResult();
        connection.Owner.load.OnOpen(connection.Index);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnRoom(int channel, void* handle)
    {
        Client owner = Connection.Of(handle).Owner;
        lock (owner.room)
        {
            owner.hasRoomAgain = true;
            Monitor.Pulse(owner.room);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnState(int peer, rtcState state, void* handle)
    {
        Connection connection = Connection.Of(handle);
        if (state >= rtcState.RTC_DISCONNECTED)
        {
            connection.Owner.OnGone(state == rtcState.RTC_FAILED
                ? "libdatachannel says that a connection failed."
                : "The server closed the connection.");
        }
        if (state == rtcState.RTC_CLOSED)
        {
            connection.Closed.TrySetResult();
        }
    }

    void OnGone(string sentence)
    {
        if (!isClosing)
        {
            Library.Fail(new Failure(sentence));
        }
    }
}
