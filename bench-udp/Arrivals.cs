using System.Net;
using System.Net.Sockets;

/// <summary>What one call of the system has received: datagrams of their own, and trains of several.</summary>
sealed class Arrivals
{
    // More than a datagram or a train can have; a little more than a power of two, as all would begin at the same place
    // of a CPU's cache.
    const int RoomBytes = 65_536 + 192;

    readonly byte[] bytes;
    readonly byte[] senders;
    readonly Batches.Place[] places;
    readonly Batches.Train[] trains;
    readonly Batches.Packet[] packets;
    int count;
    // Of the packet that the last message was taken from, its number and how many of its bytes have been taken.
    int current = -1;
    int taken;
    int messageBytes;

    /// <summary>Has room for so many packets, each of which may be a train.</summary>
    public Arrivals(int most)
    {
        bytes = GC.AllocateUninitializedArray<byte>(most * RoomBytes, pinned: true);
        senders = GC.AllocateArray<byte>(most * Batches.MostAddressBytes, pinned: true);
        places = GC.AllocateArray<Batches.Place>(most, pinned: true);
        trains = GC.AllocateArray<Batches.Train>(most, pinned: true);
        packets = GC.AllocateArray<Batches.Packet>(most, pinned: true);
        for (int packet = 0; packet < most; packet++)
        {
            places[packet] = new() { Bytes = Batches.AddressOf(bytes, packet * RoomBytes), Length = RoomBytes };
            packets[packet].Head = new()
            {
                Address = Batches.AddressOf(senders, packet * Batches.MostAddressBytes),
                Places = Batches.AddressOf(places, packet),
                PlaceCount = 1,
                Beside = Batches.AddressOf(trains, packet),
            };
        }
        count = most;
    }

    /// <summary>Receives what is there, or waits for the first that comes; what was not taken is forgotten. False, and
    /// Batches.Error says why.</summary>
    public bool TryReceive(Socket socket, bool waits)
    {
        // The system has written over how much room there is.
        for (int packet = 0; packet < count; packet++)
        {
            packets[packet].Head.AddressLength = Batches.MostAddressBytes;
            packets[packet].Head.BesideLength = Batches.TrainBytes;
        }
        current = -1;
        count = Math.Max(0, Batches.Receive(socket, packets, waits));
        return count > 0;
    }

    /// <summary>The next message, if there is one.</summary>
    public bool TryTake(out ReadOnlySpan<byte> message)
    {
        if (current < 0 || taken == packets[current].Length)
        {
            if (current + 1 >= count)
            {
                message = default;
                return false;
            }
            current++;
            taken = 0;
            messageBytes = MessageBytes(ref packets[current]);
        }
        int length = Math.Min(messageBytes, packets[current].Length - taken);
        message = bytes.AsSpan(current * RoomBytes + taken, length);
        taken += length;
        return true;
    }

    /// <summary>Reads who has sent the message that was taken last.</summary>
    public void CopySender(SocketAddress sender)
    {
        int length = packets[current].Head.AddressLength;
        senders.AsSpan(current * Batches.MostAddressBytes, length).CopyTo(sender.Buffer.Span);
        sender.Size = length;
    }

    // The last of a train may be shorter.
    int MessageBytes(ref Batches.Packet packet)
    {
        ref Batches.Train train = ref trains[current];
        bool isTrain = packet.Head.BesideLength > 0 && train.HasCome && train.DatagramBytes > 0;
        return isTrain ? train.DatagramBytes : packet.Length;
    }
}
