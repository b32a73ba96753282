using System.Net;
using System.Net.Sockets;
using System.Text;
using DataChannelDotnet.Bindings;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>A peer of either side, and the TCP connection over which it meets the other, as JSON lines. That stays
/// open: its end says at once that the other process is gone, which the library itself notices after 12 to 30 s.
/// </summary>
sealed class Peer(Socket line) : IDisposable
{
    const int MostLineBytes = 8_192;

    /// <summary>The library's number of this peer.</summary>
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

    /// <summary>Tells the other side how this one is reached; without STUN all its addresses are there at once. An
    /// offer names none, so that the client calls first: a server that does is answered before the client's library has
    /// stored whose certificate it awaits, and the connection fails; or its hello is lost, and repeated after 1 s.
    /// </summary>
    public unsafe void Say(bool withAddresses)
    {
        Library.Check(Rtc.rtcSetLocalDescription(Id, null));
        var text = new byte[Library.Check(Rtc.rtcGetLocalDescription(Id, null, 0))];
        fixed (byte* bytes = text)
        {
            Library.Check(Rtc.rtcGetLocalDescription(Id, (sbyte*)bytes, text.Length));
        }
        IEnumerable<string> parts = Encoding.UTF8.GetString(text).TrimEnd('\0').Split('\n')
            .Where(part => withAddresses || !part.Contains("candidate"));
        string said = JsonConvert.SerializeObject(new { sdp = string.Join('\n', parts) });
        line.Send(Encoding.UTF8.GetBytes(said + '\n'));
    }

    /// <summary>The line that the other side says.</summary>
    public static async Task<string> Hear(Socket line)
    {
        var buffer = new byte[MostLineBytes];
        int filled = 0;
        bool isOver = false;
        while (!isOver)
        {
            int count = await line.ReceiveAsync(buffer.AsMemory(filled));
            filled += count;
            isOver = count == 0 || filled == buffer.Length || buffer.AsSpan(0, filled).EndsWith("\n"u8);
        }
        return Encoding.UTF8.GetString(buffer, 0, filled);
    }

    /// <summary>Takes what the other side said, of a type that ends in a zero; throws where that describes no peer.
    /// </summary>
    public unsafe void Heed(string said, ReadOnlySpan<byte> type)
    {
        byte[] description = Encoding.UTF8.GetBytes($"{JObject.Parse(said)["sdp"]}\0");
        fixed (byte* sdp = description)
        fixed (byte* kind = type)
        {
            Library.Check(Rtc.rtcSetRemoteDescription(Id, (sbyte*)sdp, (sbyte*)kind));
        }
    }

    /// <summary>Returns when the other side has ended the connection over TCP, by whichever way.</summary>
    public async Task AwaitEnd()
    {
        try
        {
            await line.ReceiveAsync(new byte[1]);
        }
        catch (Exception fault) when (fault is SocketException or ObjectDisposedException)
        {
            // That is an end, too.
        }
    }

    /// <summary>Ends it, without what is still queued. No lock may be held that a callback takes.</summary>
    public void Dispose()
    {
        _ = Rtc.rtcDeletePeerConnection(Id);
        line.Dispose();
    }
}
