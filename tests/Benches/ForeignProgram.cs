using System.Net;
using System.Net.Sockets;

/// <summary>Something else on a port of loopback, in UDP and TCP: silent, or one that sends UDP back as it came and
/// greets on TCP as a mail server does.</summary>
sealed class ForeignProgram : IDisposable
{
    readonly Socket udp = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    readonly Socket tcp = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public ForeignProgram(bool answers)
    {
        udp.Bind(new IPEndPoint(IPAddress.Loopback, int.Parse(Bench.FreePort())));
        tcp.Bind(udp.LocalEndPoint!);
        tcp.Listen();
        if (answers)
        {
            Serve(SendBack);
            Serve(Greet);
        }
    }

    public string Port => $"{((IPEndPoint)udp.LocalEndPoint!).Port}";

    /// <summary>Whether a datagram has come; for one that is silent.</summary>
    public bool IsMet => udp.Poll(0, SelectMode.SelectRead);

    public void Dispose()
    {
        udp.Dispose();
        tcp.Dispose();
    }

    void SendBack()
    {
        EndPoint sender = new IPEndPoint(IPAddress.Loopback, 0);
        var buffer = new byte[1 << 16];
        while (true)
        {
            var length = udp.ReceiveFrom(buffer, ref sender);
            udp.SendTo(buffer, length, SocketFlags.None, sender);
        }
    }

    void Greet()
    {
        while (true)
        {
            tcp.Accept().Send("220 mail.example ESMTP ready\r\n"u8);
        }
    }

    static void Serve(Action forever)
    {
        var thread = new Thread(() =>
        {
            try
            {
                forever();
            }
            catch (Exception fault) when (fault is SocketException or ObjectDisposedException)
            {
                // Dispose closed the socket.
            }
        });
        thread.IsBackground = true;
        thread.Start();
    }
}
