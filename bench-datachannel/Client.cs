using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using DataChannelDotnet.Bindings;
using Newtonsoft.Json;

/// <summary>The clients of one thread: a peer with one channel each. The library calls back on threads of its own: those check the
/// answers and send what is next; this thread connects, paces, sends streams and gives up the lost. Each takes the load's lock
/// while it touches the load. A round trip is timed from just before rtcSendMessage to the callback with the answer.</summary>
sealed class Client(Settings settings, Load load)
{
    const int MostClients = 100_000, MostCloseMs = 2_000;
    const int MostOpening = 32; // at a time: of more each would wait for a CPU until the library repeats what nobody has answered yet
    // Of a stream: what the library keeps behind SCTP's own buffer, which is full as long as there is any; more than goes out in 1 ms.
    const int MostQueuedBytes = 1 << 20;

    static readonly Client[] owners = new Client[MostClients]; // by the number that the library hands to callbacks
    [ThreadStatic] static byte[]? threadBuffer;

    readonly Load load = load;
    readonly Peer[] peers = new Peer[load.Clients];
    readonly int[] channels = new int[load.Clients];
    readonly SemaphoreSlim turns = new(MostOpening);
    int closed;
    volatile bool closing;

    public void Run()
    {
        Library.Tune(settings);
        for (var client = 0; client < peers.Length; client++) _ = Live(client);
        while (load.Connected < peers.Length) Thread.Sleep(1);
        while (Poll(out var dueSoon))
            if ((settings.Rate > 0 || load.Streams) && dueSoon) Thread.Yield(); else Thread.Sleep(1);
        Close();
    }

    // Opens a connection; ends with it, or when the server has gone.
    async Task Live(int client)
    {
        try
        {
            await turns.WaitAsync();
            var server = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
            var line = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            await line.ConnectAsync(server);
            peers[client] = new(line);
            AddChannel(client);
            peers[client].Say(withAddresses: false);
            peers[client].Heed(await Peer.Hear(line), "answer\0"u8);
            await line.ReceiveAsync(new byte[1]);
            OnGone();
        }
        catch (Exception fault)
        {
            if (!closing) Program.Exit(fault is JsonException ? new Failure($"What answers on {settings.Address}:{settings.Port} is no server of this bench.") : fault);
        }
    }

    unsafe void AddChannel(int client)
    {
        var (peer, init) = (peers[client].Id, new rtcDataChannelInit { reliability = Library.Reliability(settings) });
        owners[load.FirstClient + client] = this;
        Rtc.rtcSetUserPointer(peer, (void*)(load.FirstClient + client));
        Rtc.rtcSetStateChangeCallback(peer, &OnState);
        fixed (byte* label = "bench\0"u8) channels[client] = Library.Check(Rtc.rtcCreateDataChannelEx(peer, (sbyte*)label, &init));
        Rtc.rtcSetOpenCallback(channels[client], &OnOpen);
        Rtc.rtcSetMessageCallback(channels[client], &OnMessage);
    }

    bool Poll(out bool dueSoon)
    {
        bool continues;
        lock (load) continues = load.Continues();
        Send();
        lock (load) dueSoon = load.WaitMicroseconds() == 0;
        return continues;
    }

    /// <summary>Whether the library may keep more of a client's stream.</summary>
    public bool HasRoom(int client) => Rtc.rtcGetBufferedAmount(channels[client]) < MostQueuedBytes;

    // The lock is held while a message is made, not while the library encrypts and sends it.
    unsafe void Send()
    {
        var buffer = threadBuffer ??= new byte[Load.BufferBytes(settings)];
        fixed (byte* message = buffer)
            while (true)
            {
                int client, length;
                lock (load) length = load.TryNext(this, buffer, out client);
                if (length == 0) return;
                if (Rtc.rtcSendMessage(channels[client], (sbyte*)message, length) < 0) OnGone();
            }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnMessage(int channel, sbyte* message, int length, void* number)
    {
        try
        {
            var owner = owners[(int)number];
            lock (owner.load) owner.load.OnMessage((int)number - owner.load.FirstClient, new(message, length));
            if (!owner.load.Streams) owner.Send(); // a stream is one thread's, so that it keeps its order
        }
        catch (Exception fault) { Library.Fail(fault); }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnOpen(int channel, void* number)
    {
        var owner = owners[(int)number];
        lock (owner.load) owner.load.Connected++;
        owner.turns.Release();
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnState(int peer, rtcState state, void* number)
    {
        if (state == rtcState.RTC_FAILED) owners[(int)number].OnGone("libdatachannel says that a connection failed.");
        else if (state >= rtcState.RTC_DISCONNECTED) owners[(int)number].OnGone();
        if (state == rtcState.RTC_CLOSED) Interlocked.Increment(ref owners[(int)number].closed);
    }

    void OnGone(string sentence = "The server closed the connection.")
    {
        if (!closing) Library.Fail(new Failure(sentence));
    }

    // Until all is delivered and the server has confirmed each end; not for long if it does not.
    void Close()
    {
        closing = true;
        Array.ForEach(peers, peer => Rtc.rtcClosePeerConnection(peer.Id));
        for (var left = MostCloseMs; left > 0 && Volatile.Read(ref closed) < peers.Length; left--) Thread.Sleep(1);
        Array.ForEach(peers, peer => peer.Dispose());
        Array.ForEach(channels, channel => Rtc.rtcDelete(channel)); // they outlive their peers
    }
}
