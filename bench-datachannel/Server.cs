using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using DataChannelDotnet.Bindings;
using Newtonsoft.Json;

/// <summary>The echo server: over TCP each client asks for a peer of its own, which answers in the callback that
/// brought the message. A game ticks on a thread of its own.</summary>
static class Server
{
    // The connections over TCP, by peer.
    static readonly ConcurrentDictionary<int, Socket> lines = new();
    static Socket? listener;
    // By channel.
    static Rooms<int>? rooms;
    static World? world;
    static volatile bool isStopping;

    /// <summary>Serves until it is stopped.</summary>
    public static void Run(Settings settings)
    {
        Echo.Set(settings);
        rooms = settings.HasRooms ? new Rooms<int>(settings) : null;
        world = settings.Work == Settings.Game ? new World(settings) : null;
        Library.Tune(settings);
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(address);
        listener.Listen();
        if (world != null)
        {
            new Thread(() => Play(world, new byte[Message.BufferBytes(settings)])) { IsBackground = true }.Start();
        }
        Records.WriteReady(settings);
        while (!isStopping)
        {
            try
            {
                _ = Serve(listener.Accept());
            }
            catch (Exception fault) when (fault is SocketException or ObjectDisposedException)
            {
                // Who asked has left, or this ends.
                Thread.Sleep(1);
            }
        }
    }

    /// <summary>Ends Run, from another thread.</summary>
    public static void Stop()
    {
        isStopping = true;
        listener?.Dispose();
    }

    // Sends each player its snapshot whenever a tick is due.
    static void Play(World world, byte[] snapshot)
    {
        while (!isStopping)
        {
            Thread.Sleep(world.WaitMicroseconds / 1_000);
            if (!world.TryBeginTick())
            {
                continue;
            }
            for (int client = 0; client < rooms!.Clients; client++)
            {
                if (rooms.TryGet(client, out int channel))
                {
                    int length = world.Write(client, snapshot);
                    Send(channel, snapshot.AsSpan(0, length));
                }
            }
        }
    }

    // For as long as the client is there. A stranger asks in vain.
    static async Task Serve(Socket line)
    {
        try
        {
            using Socket ends = line;
            string offer = await Peer.Hear(line);
            using var peer = new Peer(line);
            lines[peer.Id] = line;
            SetCallbacks(peer.Id);
            peer.Heed(offer, "offer\0"u8);
            peer.Say(withAddresses: true);
            await line.ReceiveAsync(new byte[1]);
        }
        catch (Exception fault)
            when (fault is SocketException or ObjectDisposedException or JsonException or Failure)
        {
            // The client is gone, or never was one.
        }
    }

    static unsafe void SetCallbacks(int peer)
    {
        Library.Check(Rtc.rtcSetDataChannelCallback(peer, &OnChannel));
        Library.Check(Rtc.rtcSetStateChangeCallback(peer, &OnState));
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnChannel(int peer, int channel, void* user)
    {
        // No error: the channel is there for as long as this lasts.
        _ = Rtc.rtcSetClosedCallback(channel, &OnClosed);
        _ = Rtc.rtcSetMessageCallback(channel, &OnMessage);
    }

    // Where the library has ended a peer, its client must know.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnState(int peer, rtcState state, void* user)
    {
        if (state >= rtcState.RTC_DISCONNECTED && lines.TryRemove(peer, out Socket? line))
        {
            ThreadPool.UnsafeQueueUserWorkItem(_ => line.Dispose(), null);
        }
    }

    // A channel outlives its peer, and cannot be deleted here: that would wait for this call.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnClosed(int channel, void* user)
    {
        rooms?.End(channel);
        ThreadPool.UnsafeQueueUserWorkItem(closed => _ = Rtc.rtcDelete(closed), channel, preferLocal: false);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnMessage(int channel, sbyte* message, int length, void* user)
    {
        // A stranger's text has no length.
        if (length < 0)
        {
            return;
        }
        try
        {
            Answer(channel, new ReadOnlySpan<byte>(message, length));
        }
        catch (Exception fault)
        {
            Library.Fail(fault);
        }
    }

    static void Answer(int channel, ReadOnlySpan<byte> message)
    {
        if (rooms != null && !Greeting.IsRequest(message))
        {
            AnswerInRoom(channel, message);
            return;
        }
        ReadOnlySpan<byte> echo = Echo.Answer(message);
        if (!echo.IsEmpty)
        {
            Send(channel, echo);
        }
    }

    static void AnswerInRoom(int channel, ReadOnlySpan<byte> message)
    {
        if (world != null && !Message.IsAboutRoom(message))
        {
            world.Take(message);
            return;
        }
        foreach (int member in rooms!.Take(channel, message))
        {
            Send(member, message);
        }
    }

    static unsafe void Send(int channel, ReadOnlySpan<byte> message)
    {
        fixed (byte* bytes = message)
        {
            if (Rtc.rtcSendMessage(channel, (sbyte*)bytes, message.Length) < 0)
            {
                Echo.CountUnsent(message);
            }
        }
    }
}
