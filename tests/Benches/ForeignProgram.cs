using System.Net;
using System.Net.Sockets;

/// <summary>Something else on a port of loopback, in UDP and TCP: silent, or one that sends UDP back
/// as it came and greets on TCP as a mail server does.</summary>
sealed class ForeignProgram : IDisposable
{
    readonly Socket udp = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    readonly Socket tcp = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public ForeignProgram(bool answers)
    {
        udp.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        tcp.Bind(udp.LocalEndPoint!);
        tcp.Listen();
        if (!answers) return;
        Serve(() =>
        {
            EndPoint sender = new IPEndPoint(IPAddress.Loopback, 0);
            var buffer = new byte[1 << 16];
            while (true) udp.SendTo(buffer, udp.ReceiveFrom(buffer, ref sender), SocketFlags.None, sender);
        });
        Serve(() =>
        {
            while (true) tcp.Accept().Send("220 mail.example ESMTP ready\r\n"u8);
        });
    }

    public string Port => $"{((IPEndPoint)udp.LocalEndPoint!).Port}";

    public void Dispose()
    {
        udp.Dispose();
        tcp.Dispose();
    }

    static void Serve(Action forever)
    {
        new Thread(() =>
        {
            try
            {
                forever();
            }
            catch (Exception fault) when (fault is SocketException or ObjectDisposedException)
            {
                // Dispose closed the socket.
            }
        })
        { IsBackground = true }.Start();
    }
}
