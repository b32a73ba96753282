using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using DataChannelDotnet.Bindings;
using Newtonsoft.Json;

/// <summary>The clients of one thread: a peer with one channel each. The library calls back on threads of its own: each
/// checks the answer that it brings and sends the next message of its slot. This thread connects, sends what is due
/// otherwise (the first messages, those at a rate, streams) and gives up the lost. A round trip is timed from just
/// before rtcSendMessage to the callback with the answer.</summary>
sealed class Client(Settings settings, Load load)
{
    const int MostClients = 100_000;
    const int MostCloseMilliseconds = 2_000;

    // At a time, of all threads: of more each would wait for a CPU until the library repeats what nobody has answered
    // yet.
    const int MostOpening = 32;

    // Of a stream: what the library keeps behind SCTP's own buffer, which is full as long as there is any; more than
    // goes out in 1 ms.
    const int MostQueuedBytes = 1 << 20;

    // By the number that the library hands to callbacks, which is the client's over all client machines.
    static readonly Client[] owners = new Client[MostClients];

    static readonly SemaphoreSlim turns = new(MostOpening);

    // What the calling thread is about to send.
    [ThreadStatic] static byte[]? ownBuffer;

    readonly Load load = load;
    readonly Exchange exchange = new(settings, load);
    readonly Peer[] peers = new Peer[load.Clients];
    readonly int[] channels = new int[load.Clients];
    readonly int bufferBytes = Message.BufferBytes(settings);
    int closed;
    volatile bool isClosing;

    /// <summary>Connects, and sends what is due until the load ends.</summary>
    public void Run()
    {
        Library.Tune(settings);
        for (int client = 0; client < peers.Length; client++)
        {
            _ = Live(client);
        }
        while (load.Connected < peers.Length)
        {
            Thread.Sleep(1);
        }
        while (exchange.BeginPass())
        {
            SendDue();
            exchange.Pause();
        }
        Close();
    }

    /// <summary>Whether the library may keep more of a client's stream.</summary>
    public bool HasRoom(int client) => Rtc.rtcGetBufferedAmount(channels[client]) < MostQueuedBytes;

    // Opens a connection; ends with it, or when the server has gone.
    async Task Live(int client)
    {
        try
        {
            await turns.WaitAsync();
            var server = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
            var line = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            await line.ConnectAsync(server);
            peers[client] = new Peer(line);
            AddChannel(client);
            peers[client].Say(withAddresses: false);
            peers[client].Heed(await Peer.Hear(line), "answer\0"u8);
            await line.ReceiveAsync(new byte[1]);
            OnGone();
        }
        catch (Exception fault)
        {
            if (!isClosing)
            {
                Program.Exit(fault is JsonException
                    ? new Failure($"What answers on {settings.Address}:{settings.Port} is no server of this bench.")
                    : fault);
            }
        }
    }

    unsafe void AddChannel(int client)
    {
        int peer = peers[client].Id;
        int number = load.FirstClient + client;
        owners[number] = this;
        Rtc.rtcSetUserPointer(peer, (void*)number);
        Library.Check(Rtc.rtcSetStateChangeCallback(peer, &OnState));
        var init = new rtcDataChannelInit { reliability = Library.Reliability(settings) };
        fixed (byte* label = "bench\0"u8)
        {
            channels[client] = Library.Check(Rtc.rtcCreateDataChannelEx(peer, (sbyte*)label, &init));
        }
        Library.Check(Rtc.rtcSetOpenCallback(channels[client], &OnOpen));
        Library.Check(Rtc.rtcSetMessageCallback(channels[client], &OnMessage));
    }

    void SendDue()
    {
        byte[] message = OwnBuffer();
        int length = exchange.TryNext(this, message, out int client);
        while (length > 0)
        {
            Send(client, message, length);
            length = exchange.TryNext(this, message, out client);
        }
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        byte[] next = OwnBuffer();
        int length = exchange.OnMessage(client, message, next, out int sender);
        if (length > 0)
        {
            Send(sender, next, length);
        }
    }

    byte[] OwnBuffer() => ownBuffer ??= new byte[bufferBytes];

    // The library copies the message and sends it under a lock of the connection's, so that several threads may.
    unsafe void Send(int client, byte[] message, int length)
    {
        fixed (byte* bytes = message)
        {
            if (Rtc.rtcSendMessage(channels[client], (sbyte*)bytes, length) < 0)
            {
                OnGone();
            }
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnMessage(int channel, sbyte* message, int length, void* number)
    {
        try
        {
            Client owner = owners[(int)number];
            owner.OnMessage((int)number - owner.load.FirstClient, new ReadOnlySpan<byte>(message, length));
        }
        catch (Exception fault)
        {
            Library.Fail(fault);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnOpen(int channel, void* number)
    {
        owners[(int)number].load.AddConnected();
        turns.Release();
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnState(int peer, rtcState state, void* number)
    {
        Client owner = owners[(int)number];
        if (state == rtcState.RTC_FAILED)
        {
            owner.OnGone("libdatachannel says that a connection failed.");
        }
        else if (state >= rtcState.RTC_DISCONNECTED)
        {
            owner.OnGone();
        }
        if (state == rtcState.RTC_CLOSED)
        {
            Interlocked.Increment(ref owner.closed);
        }
    }

    void OnGone(string sentence = "The server closed the connection.")
    {
        if (!isClosing)
        {
            Library.Fail(new Failure(sentence));
        }
    }

    // Waits until all is delivered and the server has confirmed each end; not for long if it does not.
    void Close()
    {
        isClosing = true;
        Array.ForEach(peers, peer => _ = Rtc.rtcClosePeerConnection(peer.Id));
        for (int left = MostCloseMilliseconds; left > 0 && Volatile.Read(ref closed) < peers.Length; left--)
        {
            Thread.Sleep(1);
        }
        Array.ForEach(peers, peer => peer.Dispose());
        // They outlive their peers.
        Array.ForEach(channels, channel => _ = Rtc.rtcDelete(channel));
    }
}
