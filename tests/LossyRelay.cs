using System.Net;
using System.Net.Sockets;

/// <summary>Stands between UDP clients and their server on loopback. Requests pass; of the answers some
/// are dropped, changed, repeated or held back until the client has given them up.</summary>
sealed class LossyRelay : IDisposable
{
    const int DropEvery = 10, RepeatEvery = 17, ChangeEvery = 23, HoldEvery = 29;
    static readonly TimeSpan heldFor = TimeSpan.FromSeconds(1.3); // clients wait for 1 s

    readonly Socket front = Bound();
    readonly Dictionary<EndPoint, Socket> backs = [];
    readonly EndPoint server;
    readonly Lock counting = new();
    int answers;

    public LossyRelay(int serverPort)
    {
        server = new IPEndPoint(IPAddress.Loopback, serverPort);
        Serve(() =>
        {
            var buffer = new byte[1 << 16];
            EndPoint client = new IPEndPoint(IPAddress.Loopback, 0);
            while (true)
            {
                var length = front.ReceiveFrom(buffer, ref client);
                BackOf(client).Send(buffer, length, SocketFlags.None);
            }
        });
    }

    public int Port => ((IPEndPoint)front.LocalEndPoint!).Port;
    public int Dropped { get; private set; }
    public int Changed { get; private set; }
    public int Repeated { get; private set; }
    public int Held { get; private set; }

    public void Dispose()
    {
        front.Dispose();
        foreach (var back in backs.Values) back.Dispose();
    }

    // A socket towards the server for each client, so that answers find their way.
    Socket BackOf(EndPoint client)
    {
        if (backs.TryGetValue(client, out var known)) return known;
        var back = backs[client] = Bound();
        back.Connect(server);
        Serve(() =>
        {
            var buffer = new byte[1 << 16];
            while (true) Answer(client, buffer.AsSpan(0, back.Receive(buffer)).ToArray());
        });
        return back;
    }

    void Answer(EndPoint client, byte[] answer)
    {
        lock (counting)
        {
            answers++;
            if (answers % DropEvery == 0)
            {
                Dropped++;
                return;
            }
            if (answers % HoldEvery == 0)
            {
                Held++;
                Serve(() =>
                {
                    Thread.Sleep(heldFor);
                    front.SendTo(answer, client);
                });
                return;
            }
            if (answers % ChangeEvery == 0)
            {
                Changed++;
                answer[^1] ^= 1;
            }
            else if (answers % RepeatEvery == 0)
            {
                Repeated++;
                front.SendTo(answer, client);
            }
            front.SendTo(answer, client);
        }
    }

    static Socket Bound()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    static void Serve(Action work)
    {
        new Thread(() =>
        {
            try
            {
                work();
            }
            catch (Exception fault) when (fault is SocketException or ObjectDisposedException)
            {
                // Dispose closed the socket.
            }
        })
        { IsBackground = true }.Start();
    }
}
