using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

/// <summary>The calls of Linux that receive or send several datagrams at once, and what these read and write. Where one
/// sends several of one length to one receiver, they go through the kernel as one train.</summary>
static partial class Batches
{
    /// <summary>The most that one call takes, each of which may be a train.</summary>
    public const int MostInCall = 64;

    /// <summary>The most that the kernel takes as a train.</summary>
    public const int MostInTrain = 64;

    /// <summary>The bytes that a train may have.</summary>
    public const int MostTrainBytes = 65_507;

    /// <summary>The bytes of the longest address.</summary>
    public const int MostAddressBytes = 28;

    /// <summary>What a call says that was interrupted by a signal.</summary>
    public const int Interrupted = 4;
    /// <summary>What a call says that would have to wait.</summary>
    public const int WouldWait = 11;

    // Of the options and of what comes and goes beside the bytes: UDP, and of a train how long its datagrams are.
    const int OfUdp = 17;
    const int TrainSent = 103;
    const int TrainReceived = 104;

    // How a call waits: not at all, or until the first has come.
    const int WaitsForNone = 0x40;
    const int WaitsForOne = 0x10000;

    /// <summary>Where bytes lie (iovec).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Place
    {
        public nint Bytes;
        public nint Length;
    }

    /// <summary>From whom or to whom, and what (msghdr).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Head
    {
        public nint Address;
        public int AddressLength;
        public nint Places;
        public nint PlaceCount;
        public nint Beside;
        public nint BesideLength;
        public int Flags;
    }

    /// <summary>A datagram or a train, and how many bytes of it went or came (mmsghdr).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Packet
    {
        public Head Head;
        public int Length;
    }

    /// <summary>What goes or comes beside the bytes of a train: how long its datagrams are (cmsghdr and what it heads).
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Train
    {
        public nint Length;
        public int Level;
        public int Type;
        // To be sent they are 16 bits, received 32.
        public int DatagramBytes;

        /// <summary>That of a train to be sent.</summary>
        public static Train Of(int datagramBytes) => new()
        {
            Length = Marshal.OffsetOf<Train>(nameof(DatagramBytes)) + sizeof(short),
            Level = OfUdp,
            Type = TrainSent,
            DatagramBytes = datagramBytes,
        };

        /// <summary>Whether it is of a train that came.</summary>
        public readonly bool HasCome => Level == OfUdp && Type == TrainReceived;
    }

    /// <summary>The bytes of a Train.</summary>
    public static readonly int TrainBytes = Marshal.SizeOf<Train>();

    /// <summary>How many datagrams to or from an address may be a train; 1: it has none. A train goes over loopback
    /// alone: an emulated link would lose all of it at once.</summary>
    public static int MostTogether(IPAddress address) => IPAddress.IsLoopback(address) && HasTrains ? MostInTrain : 1;

    /// <summary>Lets a socket receive trains, where the kernel can.</summary>
    public static void ReceiveTrains(Socket socket) => TrySet(socket, TrainReceived, 1);

    /// <summary>Receives what is there, or waits for the first that comes. Returns how many came, or -1, and Error says
    /// why.</summary>
    public static int Receive(Socket socket, Packet[] packets, bool waits)
    {
        int flags = waits ? WaitsForOne : WaitsForNone;
        return ReceiveMany(socket.SafeHandle, AddressOf(packets, 0), packets.Length, flags, timeout: 0);
    }

    /// <summary>Sends packets, of a socket that does not wait as many as it takes. Returns how many went, or -1, and
    /// Error says why the first did not.</summary>
    public static int Send(Socket socket, Packet[] packets, int first, int count)
    {
        return SendMany(socket.SafeHandle, AddressOf(packets, first), count, flags: 0);
    }

    /// <summary>What the system said of this thread's last call that failed.</summary>
    public static int Error => Marshal.GetLastPInvokeError();

    /// <summary>The address of an element of an array that stays where it is.</summary>
    public static nint AddressOf<T>(T[] pinned, int index) => Marshal.UnsafeAddrOfPinnedArrayElement(pinned, index);

    // What sends trains unasked would send them as one long datagram where the kernel knows none.
    static bool HasTrains
    {
        get
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            return TrySet(socket, TrainSent, 0);
        }
    }

    static bool TrySet(Socket socket, int option, int value)
    {
        try
        {
            socket.SetRawSocketOption(OfUdp, option, BitConverter.GetBytes(value));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    [LibraryImport("libc", EntryPoint = "recvmmsg", SetLastError = true)]
    private static partial int ReceiveMany(SafeSocketHandle socket, nint packets, int count, int flags, nint timeout);

    [LibraryImport("libc", EntryPoint = "sendmmsg", SetLastError = true)]
    private static partial int SendMany(SafeSocketHandle socket, nint packets, int count, int flags);
}
