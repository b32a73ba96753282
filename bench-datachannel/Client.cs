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
    // Those for events, where there are any.
    readonly int[] reliableChannels = new int[settings.EventsPercent > 0 ? load.Clients : 0];
    // Of each client's channels those that are open.
    readonly int[] open = new int[load.Clients];
    // Those that have left their room, until they are connected again.
    readonly bool[] hasLeft = new bool[load.Clients];
    // 1: those whose connection has ended unasked.
    readonly int[] lost = new int[load.Clients];
    // Those that do not read just now.
    readonly bool[] isStalled = new bool[load.Clients];
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
            Churn();
            Stall();
            SendDue();
            exchange.Pause();
        }
        Close();
    }

    /// <summary>Whether the library may keep more of a client's stream.</summary>
    public bool HasRoom(int client) => Rtc.rtcGetBufferedAmount(channels[client]) < MostQueuedBytes;

    // Opens a connection; ends with it, or when the server has gone. A client that has left its room opens another one.
    async Task Live(int client)
    {
        try
        {
            do
            {
                await turns.WaitAsync();
                var server = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
                var line = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
                await line.ConnectAsync(server);
                peers[client] = new Peer(line);
                AddChannels(client);
                peers[client].Say(withAddresses: false);
                peers[client].Heed(await Peer.Hear(line), "answer\0"u8);
                await AwaitEnd(line);
                OnGone(client);
                if (hasLeft[client])
                {
                    Delete(client);
                }
            }
            while (hasLeft[client] && !isClosing);
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

    // A server that ends a peer may reset the connection over TCP.
    static async Task AwaitEnd(Socket line)
    {
        try
        {
            await line.ReceiveAsync(new byte[1]);
        }
        catch (SocketException)
        {
            // That is an end, too.
        }
    }

    unsafe void AddChannels(int client)
    {
        int peer = peers[client].Id;
        int number = load.FirstClient + client;
        owners[number] = this;
        Rtc.rtcSetUserPointer(peer, (void*)number);
        Library.Check(Rtc.rtcSetStateChangeCallback(peer, &OnState));
        channels[client] = AddChannel(peer, settings.Delivery);
        if (reliableChannels.Length > 0)
        {
            reliableChannels[client] = AddChannel(peer, "reliable-ordered");
        }
    }

    static unsafe int AddChannel(int peer, string delivery)
    {
        var init = new rtcDataChannelInit { reliability = Library.Reliability(delivery) };
        int channel;
        fixed (byte* label = "bench\0"u8)
        {
            channel = Library.Check(Rtc.rtcCreateDataChannelEx(peer, (sbyte*)label, &init));
        }
        Library.Check(Rtc.rtcSetOpenCallback(channel, &OnOpen));
        Library.Check(Rtc.rtcSetMessageCallback(channel, &OnMessage));
        return channel;
    }

    // One client may have to leave its room. It opens another connection when the server, too, has ended this one.
    void Churn()
    {
        byte[] message = OwnBuffer();
        if (exchange.TryLeave(message, out int client))
        {
            hasLeft[client] = true;
            Send(client, channels[client], message, Message.HeaderBytes);
            _ = Rtc.rtcClosePeerConnection(peers[client].Id);
        }
    }

    // Without a callback the library keeps what arrives, up to 1,024 messages; then one of its threads waits.
    unsafe void Stall()
    {
        for (int client = 0; client < channels.Length && settings.StalledClients > 0; client++)
        {
            bool stalls = exchange.IsStalled(client) && !isClosing;
            if (stalls != isStalled[client])
            {
                isStalled[client] = stalls;
                _ = Rtc.rtcSetMessageCallback(channels[client], stalls ? null : &OnMessage);
            }
        }
    }

    void SendDue()
    {
        byte[] message = OwnBuffer();
        int length = exchange.TryNext(this, message, out int client);
        while (length > 0)
        {
            int channel = exchange.IsEvent ? reliableChannels[client] : channels[client];
            Send(client, channel, message, length);
            length = exchange.TryNext(this, message, out client);
        }
    }

    void OnMessage(int client, ReadOnlySpan<byte> message)
    {
        byte[] next = OwnBuffer();
        int length = exchange.OnMessage(client, message, next, out int sender);
        if (length > 0)
        {
            Send(sender, channels[sender], next, length);
        }
    }

    byte[] OwnBuffer() => ownBuffer ??= new byte[bufferBytes];

    // The library copies the message and sends it under a lock of the connection's, so that several threads may.
    unsafe void Send(int client, int channel, byte[] message, int length)
    {
        fixed (byte* bytes = message)
        {
            if (Rtc.rtcSendMessage(channel, (sbyte*)bytes, length) < 0)
            {
                OnGone(client);
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
        Client owner = owners[(int)number];
        owner.OnOpen((int)number - owner.load.FirstClient);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnState(int peer, rtcState state, void* number)
    {
        Client owner = owners[(int)number];
        int client = (int)number - owner.load.FirstClient;
        if (state == rtcState.RTC_FAILED)
        {
            owner.OnGone(client, "libdatachannel says that a connection failed.");
        }
        else if (state >= rtcState.RTC_DISCONNECTED)
        {
            owner.OnGone(client);
        }
        if (state == rtcState.RTC_CLOSED)
        {
            Interlocked.Increment(ref owner.closed);
        }
    }

    void OnOpen(int client)
    {
        int channelsEach = reliableChannels.Length > 0 ? 2 : 1;
        if (Interlocked.Increment(ref open[client]) < channelsEach)
        {
            return;
        }
        open[client] = 0;
        turns.Release();
        if (hasLeft[client])
        {
            hasLeft[client] = false;
            exchange.JoinAgain(client);
        }
        else
        {
            load.AddConnected();
        }
    }

    // Several threads may see one end.
    void OnGone(int client, string sentence = "The server closed the connection.")
    {
        bool isOver = isClosing || hasLeft[client] || Interlocked.Exchange(ref lost[client], 1) != 0;
        if (!isOver && !exchange.TryLose(client))
        {
            Library.Fail(new Failure(sentence));
        }
    }

    // With its channels, which outlive it.
    void Delete(int client)
    {
        peers[client].Dispose();
        _ = Rtc.rtcDelete(channels[client]);
        if (reliableChannels.Length > 0)
        {
            _ = Rtc.rtcDelete(reliableChannels[client]);
        }
    }

    // Waits until all is delivered and the server has confirmed each end; not for long if it does not.
    void Close()
    {
        isClosing = true;
        Stall();
        closed = 0;
        Array.ForEach(peers, peer => _ = Rtc.rtcClosePeerConnection(peer.Id));
        for (int left = MostCloseMilliseconds; left > 0 && Volatile.Read(ref closed) < peers.Length; left--)
        {
            Thread.Sleep(1);
        }
        for (int client = 0; client < peers.Length; client++)
        {
            Delete(client);
        }
    }
}
