using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using DataChannelDotnet.Bindings;
using Newtonsoft.Json;

/// <summary>The server: over TCP each client asks for a peer of its own, which answers in the callback that brought the
/// message.</summary>
static class Server
{
    const int MostSleepMicroseconds = 500_000;

    // The connections over TCP, by peer.
    static readonly ConcurrentDictionary<int, Socket> lines = new();
    // By channel.
    static Service<int> service = null!;

    /// <summary>Serves for ever.</summary>
    public static void Run(Settings settings)
    {
        service = new Service<int>(settings);
        Library.Tune(settings);
        var listener = new Socket(settings.Endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(settings.Endpoint);
        listener.Listen();
        _ = Accept(listener);
        Records.WriteReady(settings);
        while (settings.Work == Settings.Game)
        {
            Delay.Sleep(Math.Min(service.MicrosecondsToTick, MostSleepMicroseconds));
            foreach (Service<int>.Member player in service.Tick())
            {
                Send(player.Connection, player.Snapshot);
            }
        }
    }

    static async Task Accept(Socket listener)
    {
        while (true)
        {
            try
            {
                _ = Serve(await listener.AcceptAsync());
            }
            catch (SocketException)
            {
                // Who asked has left; or there are no more files, which may change.
                await Task.Delay(1);
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
            await peer.AwaitEnd();
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
        service.OnClosed(channel);
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
            var bytes = new ReadOnlySpan<byte>(message, length);
            foreach (int receiver in service.Take(ref channel, bytes))
            {
                Send(receiver, bytes);
            }
        }
        catch (Exception fault)
        {
            Library.Fail(fault);
        }
    }

    static void Send(int channel, ReadOnlySpan<byte> message)
    {
        if (!Library.Send(channel, message))
        {
            Window.Now[Count.Sent]--;
        }
    }
}
