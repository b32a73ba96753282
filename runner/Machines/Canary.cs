using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Newtonsoft.Json.Linq;

/// <summary>What this machine can do just now, whatever is measured: a second of raw UDP ping-pong over loopback
/// between two threads. Few round trips beside the other canaries of a sweep tell of a disturbance.</summary>
static class Canary
{
    const int DatagramBytes = 32, MostWaitMs = 1_000;
    const double WindowSeconds = 1;

    /// <summary>Its record, named after the run that it comes before.</summary>
    public static JObject Measure(string runId)
    {
        using Socket near = NewSocket(), far = NewSocket();
        near.Connect(far.LocalEndPoint!);
        far.Connect(near.LocalEndPoint!);
        var echo = new Thread(() => Echo(far)) { IsBackground = true };
        echo.Start();
        var (roundTrips, ticks) = PingPong(near);
        near.Send(ReadOnlySpan<byte>.Empty);
        echo.Join();
        return RecordFile.ToJson(new
        {
            V = Contract.Version, Record = "canary", RunId = runId,
            ElapsedS = Math.Round(ticks / (double)Stopwatch.Frequency, 4), RoundTrips = roundTrips,
        });
    }

    static (long RoundTrips, long Ticks) PingPong(Socket socket)
    {
        var datagram = new byte[DatagramBytes];
        var window = (long)(WindowSeconds * Stopwatch.Frequency);
        var (roundTrips, start, elapsed) = (0L, Stopwatch.GetTimestamp(), 0L);
        try
        {
            while (elapsed < window)
            {
                socket.Send(datagram);
                socket.Receive(datagram);
                roundTrips++;
                elapsed = Stopwatch.GetTimestamp() - start;
            }
        }
        catch (SocketException fault) when (fault.SocketErrorCode == SocketError.TimedOut)
        {
            throw new Failure("The canary lost a datagram on loopback.");
        }
        return (roundTrips, elapsed);
    }

    // Until an empty datagram comes.
    static void Echo(Socket socket)
    {
        var datagram = new byte[DatagramBytes];
        try
        {
            while (socket.Receive(datagram) is > 0 and var bytes) socket.Send(datagram, bytes, SocketFlags.None);
        }
        catch (SocketException)
        {
            // The other side hears nothing and says so.
        }
    }

    static Socket NewSocket()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        { ReceiveTimeout = MostWaitMs };
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }
}
