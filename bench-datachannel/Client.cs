using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using DataChannelDotnet.Bindings;

/// <summary>The clients of one thread: a peer with one channel each. The library calls back on threads of its own: those check
/// the answers and send what is next; this thread connects, paces, sends streams and gives up the lost. Each takes the load's
/// lock while it touches the load. A round trip is timed from just before rtcSendMessage to the callback with the answer.</summary>
sealed class Client(Settings settings, Load load)
{
    // How many open at a time: more would wait for the CPU until the library repeats what nobody has answered yet.
    const int MostOpening = 32, MostCloseMs = 2_000;
    // Of a stream: what the library keeps behind SCTP's own buffer, which is full as long as there is any.
    const int MostQueuedBytes = 1 << 20, FewQueuedBytes = MostQueuedBytes / 2;

    [ThreadStatic] static byte[]? threadBuffer;

    readonly Peer[] peers = new Peer[load.Clients];
    readonly TaskCompletionSource[] opened = [.. Enumerable.Range(0, load.Clients)
        .Select(_ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously))];
    readonly SemaphoreSlim turns = new(MostOpening);
    readonly AutoResetEvent room = new(false); // some client has room again
    readonly int bufferBytes = Load.BufferBytes(settings);
    int closed;
    volatile bool closing;

    public void Run()
    {
        Library.Tune(settings);
        Task.WaitAll(Enumerable.Range(0, load.Clients).Select(Open));
        while (Poll())
        {
            Send();
            if ((settings.Rate > 0 || load.Streams) && IsDueSoon()) Thread.Yield(); else room.WaitOne(1);
        }
        Close();
    }

    async Task Open(int client)
    {
        await turns.WaitAsync();
        try
        {
            var server = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
            var line = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await line.ConnectAsync(server);
            var peer = peers[client] = new(line, this, client);
            AddChannel(peer);
            await peer.Say("offer");
            peer.Heed(await Peer.Hear(line), "answer");
            await Task.WhenAny(opened[client].Task, peer.Left());
            if (!opened[client].Task.IsCompleted) throw new Failure("The server closed the connection.");
            _ = Watch(peer);
        }
        catch (Exception fault)
        {
            Program.Exit(fault);
        }
        turns.Release();
    }

    async Task Watch(Peer peer)
    {
        await peer.Left();
        OnGone();
    }

    unsafe void AddChannel(Peer peer)
    {
        var init = new rtcDataChannelInit { reliability = Library.Reliability(settings) };
        fixed (byte* label = "bench\0"u8) peer.Channels.Add(Peer.Check(Rtc.rtcCreateDataChannelEx(peer.Id, (sbyte*)label, &init)));
        var channel = peer.Channels[0];
        Rtc.rtcSetStateChangeCallback(peer.Id, &OnState);
        Rtc.rtcSetOpenCallback(channel, &OnOpen);
        Rtc.rtcSetMessageCallback(channel, &OnMessage);
        Rtc.rtcSetBufferedAmountLowThreshold(channel, FewQueuedBytes);
        Rtc.rtcSetBufferedAmountLowCallback(channel, &OnRoom);
    }

    bool Poll()
    {
        lock (load) return load.Continues();
    }

    bool IsDueSoon()
    {
        lock (load) return load.WaitMicroseconds() == 0;
    }

    /// <summary>Whether the library may keep more of a client's stream.</summary>
    public bool HasRoom(int client) => Rtc.rtcGetBufferedAmount(peers[client].Channels[0]) < MostQueuedBytes;

    // The lock is held while a message is made, not while the library encrypts and sends it.
    unsafe void Send()
    {
        var buffer = threadBuffer ??= new byte[bufferBytes];
        fixed (byte* message = buffer)
            while (true)
            {
                int client, length;
                lock (load) length = load.TryNext(this, buffer, out client);
                if (length == 0) return;
                if (Rtc.rtcSendMessage(peers[client].Channels[0], (sbyte*)message, length) < 0) OnGone();
            }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnMessage(int channel, sbyte* message, int length, void* user)
    {
        try
        {
            var peer = Peer.Of(user);
            var (owner, load) = (peer.Owner!, peer.Owner!.Load);
            lock (load) load.OnMessage(peer.Number, new(message, length));
            if (!load.Streams) owner.Send(); // a stream is sent by one thread, so that it keeps its order
        }
        catch (Exception fault)
        {
            Peer.Fail(fault);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnOpen(int channel, void* user)
    {
        var peer = Peer.Of(user);
        lock (peer.Owner!.Load) peer.Owner.Load.Connected++;
        peer.Owner.opened[peer.Number].SetResult();
    }

    // Called while the library's lock of a send is held, perhaps by Send: it must wait for nothing.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnRoom(int channel, void* user) => Peer.Of(user).Owner!.room.Set();

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnState(int id, rtcState state, void* user)
    {
        if (state < rtcState.RTC_DISCONNECTED) return;
        var owner = Peer.Of(user).Owner!;
        owner.OnGone();
        if (state == rtcState.RTC_CLOSED) Interlocked.Increment(ref owner.closed);
    }

    Load Load => load;

    void OnGone()
    {
        if (!closing) Peer.Fail(new Failure("The server closed the connection."));
    }

    // Until all is delivered and the server has confirmed the end of a connection; not for long if it does not.
    void Close()
    {
        closing = true;
        Array.ForEach(peers, peer => Rtc.rtcClosePeerConnection(peer.Id));
        for (var clock = Stopwatch.StartNew(); Volatile.Read(ref closed) < peers.Length && clock.ElapsedMilliseconds < MostCloseMs;) Thread.Sleep(1);
        Array.ForEach(peers, peer => peer.Dispose());
    }
}
