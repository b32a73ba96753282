using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using DataChannelDotnet.Bindings;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>The echo server: over TCP each client asks for a peer of its own, which answers in the callback that brought the message.</summary>
static class Server
{
    static readonly ConcurrentDictionary<int, Socket> lines = new(); // by peer
    static Socket? listener;
    static volatile bool stopping;

    public static void Run(Settings settings)
    {
        Library.Tune(settings);
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(address);
        listener.Listen();
        Records.WriteReady(settings);
        while (!stopping)
            try { _ = Serve(listener.Accept()); }
            catch (Exception fault) when (fault is SocketException or ObjectDisposedException) { Thread.Sleep(1); } // who asked has left, or this ends
    }

    // For as long as the client is there. A stranger asks in vain.
    static async Task Serve(Socket line)
    {
        try
        {
            using var ends = line;
            var offer = await Peer.Hear(line);
            using var peer = new Peer(line);
            lines[peer.Id] = line;
            unsafe
            {
                Rtc.rtcSetDataChannelCallback(peer.Id, &OnChannel);
                Rtc.rtcSetStateChangeCallback(peer.Id, &OnState);
            }
            peer.Heed(offer, "offer\0"u8);
            peer.Say(withAddresses: true);
            await line.ReceiveAsync(new byte[1]);
        }
        catch (Exception fault) when (fault is SocketException or ObjectDisposedException or JsonException or Failure) { }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnChannel(int peer, int channel, void* user)
    {
        Rtc.rtcSetClosedCallback(channel, &OnClosed);
        Rtc.rtcSetMessageCallback(channel, &OnMessage);
    }

    // Where the library has ended a peer, its client must know.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnState(int peer, rtcState state, void* user)
    {
        if (state >= rtcState.RTC_DISCONNECTED && lines.TryRemove(peer, out var line)) ThreadPool.UnsafeQueueUserWorkItem(_ => line.Dispose(), null);
    }

    // A channel outlives its peer, and cannot be deleted here: that would wait for this call.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])] static unsafe void OnClosed(int channel, void* user) => ThreadPool.UnsafeQueueUserWorkItem(closed => Rtc.rtcDelete(closed), channel, false);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnMessage(int channel, sbyte* message, int length, void* user)
    {
        try
        {
            if (length < 0) return; // a stranger's text
            var echo = Load.Echo(new(message, length));
            fixed (byte* answer = echo)
                for (var left = echo.IsEmpty ? 0 : Records.Answers; left > 0; left--)
                    if (Rtc.rtcSendMessage(channel, (sbyte*)answer, echo.Length) < 0) Records.Unsent();
        }
        catch (Exception fault) { Library.Fail(fault); }
    }

    public static void Stop()
    {
        stopping = true;
        listener?.Dispose();
    }
}

/// <summary>A peer of either side, and the TCP connection over which it meets the other, as JSON lines. That stays open: its end
/// says at once that the other process is gone, which the library itself notices after 12 to 30 s.</summary>
sealed class Peer(Socket line) : IDisposable
{
    const int MostLineBytes = 8_192;

    public readonly int Id = New(((IPEndPoint)line.LocalEndPoint!).Address);

    // Bound to the address from which this side reaches the other: else the library leaves out loopback.
    static unsafe int New(IPAddress address)
    {
        fixed (byte* bound = Encoding.ASCII.GetBytes($"{address}\0"))
        {
            var configuration = new rtcConfiguration { bindAddress = (sbyte*)bound, disableAutoNegotiation = 1 };
            return Library.Check(Rtc.rtcCreatePeerConnection(&configuration));
        }
    }

    /// <summary>Tells the other side how this one is reached; without STUN all its addresses are there at once. An offer names none, so
    /// that the client calls first: a server that does is answered before the client's library has stored whose certificate it
    /// awaits, and the connection fails; or its hello is lost, and repeated after 1 s.</summary>
    public unsafe void Say(bool withAddresses)
    {
        Library.Check(Rtc.rtcSetLocalDescription(Id, null));
        var text = new byte[Library.Check(Rtc.rtcGetLocalDescription(Id, null, 0))];
        fixed (byte* bytes = text) Library.Check(Rtc.rtcGetLocalDescription(Id, (sbyte*)bytes, text.Length));
        var parts = Encoding.UTF8.GetString(text).TrimEnd('\0').Split('\n').Where(part => withAddresses || !part.Contains("candidate"));
        line.Send(Encoding.UTF8.GetBytes(JsonConvert.SerializeObject(new { sdp = string.Join('\n', parts) }) + '\n'));
    }

    /// <summary>The line that the other side says.</summary>
    public static async Task<string> Hear(Socket line)
    {
        var (buffer, filled, count) = (new byte[MostLineBytes], 0, 1);
        while (count > 0 && filled < buffer.Length && !buffer.AsSpan(0, filled).EndsWith("\n"u8))
            filled += count = await line.ReceiveAsync(buffer.AsMemory(filled));
        return Encoding.UTF8.GetString(buffer, 0, filled);
    }

    /// <summary>Takes what it said; throws where that describes no peer.</summary>
    public unsafe void Heed(string said, ReadOnlySpan<byte> type)
    {
        fixed (byte* sdp = Encoding.UTF8.GetBytes($"{JObject.Parse(said)["sdp"]}\0"), of = type)
            Library.Check(Rtc.rtcSetRemoteDescription(Id, (sbyte*)sdp, (sbyte*)of));
    }

    /// <summary>Ends it, without what is still queued. No lock may be held that a callback takes.</summary>
    public void Dispose()
    {
        Rtc.rtcDeletePeerConnection(Id);
        line.Dispose();
    }
}
