using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using DataChannelDotnet.Bindings;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>The echo server: a listener of TCP where clients ask for a peer of their own, which answers in the callback that
/// brought the message.</summary>
static class Server
{
    static readonly ManualResetEventSlim stopped = new();
    static readonly HashSet<Peer> peers = [];

    public static void Run(Settings settings)
    {
        Library.Tune(settings);
        var address = new IPEndPoint(Program.Resolve(settings.Address), settings.Port);
        using var listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(address);
        listener.Listen();
        Records.WriteReady(settings);
        _ = Accept(listener);
        stopped.Wait();
        Peer[] left;
        lock (peers) left = [.. peers];
        Array.ForEach(left, peer => peer.Dispose());
    }

    static async Task Accept(Socket listener)
    {
        while (!stopped.IsSet)
            try
            {
                _ = Serve(await listener.AcceptAsync());
            }
            catch (SocketException)
            {
                await Task.Delay(1); // who asked has left, or no file can be opened for it
            }
            catch (ObjectDisposedException)
            {
                return;
            }
    }

    // As long as the client is there. What is none of this bench asks in vain.
    static async Task Serve(Socket line)
    {
        Peer? peer = null;
        try
        {
            var offer = await Peer.Hear(line);
            lock (peers) peers.Add(peer = new(line));
            Await(peer);
            peer.Heed(offer, "offer");
            await peer.Say("answer");
            await peer.Left();
        }
        catch (Exception fault) when (fault is SocketException or ObjectDisposedException or Failure) { }
        lock (peers) if (peer != null) peers.Remove(peer);
        if (peer != null) peer.Dispose(); else line.Dispose();
    }

    static unsafe void Await(Peer peer) => Rtc.rtcSetDataChannelCallback(peer.Id, &OnChannel);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static unsafe void OnChannel(int id, int channel, void* user)
    {
        lock (peers) Peer.Of(user).Channels.Add(channel);
        Rtc.rtcSetMessageCallback(channel, &OnMessage);
    }

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
        catch (Exception fault)
        {
            Peer.Fail(fault);
        }
    }

    public static void Stop() => stopped.Set();
}

/// <summary>A connection of either side: a WebRTC peer with its channels, and the TCP connection over which both met, which ends
/// with either process. Of it a client has an owner and a number.</summary>
sealed class Peer : IDisposable
{
    const int MostLineBytes = 16_384;

    readonly Socket line;
    readonly GCHandle self; // what the library hands to callbacks

    /// <summary>Bound to the address at which the other side reached this one, or from which this one reaches it.</summary>
    public unsafe Peer(Socket line, Client? owner = null, int number = 0)
    {
        (this.line, Owner, Number) = (line, owner, number);
        fixed (byte* address = Encoding.ASCII.GetBytes($"{((IPEndPoint)line.LocalEndPoint!).Address}\0"))
        {
            var configuration = new rtcConfiguration { bindAddress = (sbyte*)address, disableAutoNegotiation = 1 };
            Id = Check(Rtc.rtcCreatePeerConnection(&configuration));
        }
        self = GCHandle.Alloc(this);
        Rtc.rtcSetUserPointer(Id, (void*)GCHandle.ToIntPtr(self));
    }

    public readonly Client? Owner;
    public readonly int Number, Id;
    public readonly List<int> Channels = [];

    /// <summary>The peer of a callback.</summary>
    public static unsafe Peer Of(void* user) => (Peer)GCHandle.FromIntPtr((nint)user).Target!;

    /// <summary>What the library returned, unless that is an error.</summary>
    public static int Check(int result) => result >= 0 ? result : throw new Failure($"libdatachannel refused a call (error {result}).");

    /// <summary>Ends the process, on another thread: a callback must return, as whoever ends may wait for it.</summary>
    public static void Fail(Exception fault) => ThreadPool.UnsafeQueueUserWorkItem(_ => Program.Exit(fault), null);

    /// <summary>Tells the other side how this one is reached: without STUN all addresses are there at once.</summary>
    public async Task Say(string type) =>
        await line.SendAsync(Encoding.UTF8.GetBytes(new JObject { ["type"] = type, ["sdp"] = Describe() }.ToString(Formatting.None) + '\n'));

    unsafe string Describe()
    {
        Check(Rtc.rtcSetLocalDescription(Id, null));
        var text = new byte[Check(Rtc.rtcGetLocalDescription(Id, null, 0))];
        fixed (byte* sdp = text) return Encoding.UTF8.GetString(text, 0, Check(Rtc.rtcGetLocalDescription(Id, (sbyte*)sdp, text.Length)) - 1);
    }

    /// <summary>The line that comes first.</summary>
    public static async Task<string> Hear(Socket line)
    {
        var (buffer, filled) = (new byte[MostLineBytes], 0);
        do
        {
            var count = await line.ReceiveAsync(buffer.AsMemory(filled));
            filled = count == 0 ? buffer.Length : filled + count;
        }
        while (filled < buffer.Length && buffer[filled - 1] != '\n');
        return Encoding.UTF8.GetString(buffer, 0, filled);
    }

    /// <summary>Takes what the other side said; throws where that is no such description.</summary>
    public unsafe void Heed(string said, string type)
    {
        try
        {
            var description = JObject.Parse(said);
            if ((string?)description["type"] != type) throw new JsonException();
            fixed (byte* sdp = Encoding.UTF8.GetBytes($"{description["sdp"]}\0"), of = Encoding.ASCII.GetBytes($"{type}\0"))
                Check(Rtc.rtcSetRemoteDescription(Id, (sbyte*)sdp, (sbyte*)of));
        }
        catch (Exception fault) when (fault is JsonException or Failure)
        {
            throw new Failure($"What answers on {line.RemoteEndPoint} is no server of this bench.");
        }
    }

    /// <summary>Ends when the other side has gone: nothing more is said.</summary>
    public async Task Left()
    {
        try { await line.ReceiveAsync(new byte[1]); }
        catch (Exception fault) when (fault is SocketException or ObjectDisposedException) { }
    }

    /// <summary>Ends it with what is still queued; a channel outlives its peer. Nothing that a callback waits for may be held.</summary>
    public void Dispose()
    {
        Rtc.rtcDeletePeerConnection(Id);
        Channels.ForEach(channel => Rtc.rtcDelete(channel));
        line.Dispose();
    }
}
