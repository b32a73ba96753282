using System.Net;
using System.Net.Sockets;

/// <summary>Addresses and ports of the measured traffic.</summary>
static class Address
{
    /// <summary>The address given as a number or a name; a name that does not resolve fails.</summary>
    public static IPAddress Resolve(string address)
    {
        try
        {
            return IPAddress.TryParse(address, out var number) ? number
                : Dns.GetHostAddresses(address, AddressFamily.InterNetwork)[0];
        }
        catch (Exception fault) when (fault is SocketException or IndexOutOfRangeException)
        {
            throw new Failure($"The address '{address}' does not resolve.");
        }
    }

    /// <summary>A port that is free in UDP and TCP. Chosen here because not every library tells which one
    /// the system chose.</summary>
    public static int FreePort(string address)
    {
        var own = Resolve(address);
        while (true)
        {
            using var udp = new Socket(own.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            using var tcp = new Socket(own.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                udp.Bind(new IPEndPoint(own, 0));
            }
            catch (SocketException fault)
            {
                throw new Failure($"Cannot listen on {address}: {fault.Message}");
            }
            try
            {
                tcp.Bind(udp.LocalEndPoint!);
                return ((IPEndPoint)udp.LocalEndPoint!).Port;
            }
            catch (SocketException fault) when (fault.SocketErrorCode == SocketError.AddressAlreadyInUse)
            {
                // Free in UDP alone: the next one.
            }
        }
    }
}
