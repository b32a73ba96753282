using System.Net;
using System.Net.Sockets;

/// <summary>What one call of the system is to send on a socket. Messages of one length that go to the same receivers
/// are laid into a train; each receiver of it then is a packet.</summary>
sealed class Departures
{
    // Room for two of the largest trains.
    const int RoomBytes = 1 << 17;
    const int Most = Batches.MostInCall;

    readonly int mostTogether;
    readonly byte[] bytes = GC.AllocateUninitializedArray<byte>(RoomBytes, pinned: true);
    readonly byte[] receivers = GC.AllocateArray<byte>(Most * Batches.MostAddressBytes, pinned: true);
    readonly Batches.Packet[] packets = GC.AllocateArray<Batches.Packet>(Most, pinned: true);
    // Of each packet its train, and of each train where it lies, what goes beside it and its messages.
    readonly int[] trainOf = new int[Most];
    readonly Batches.Place[] places = GC.AllocateArray<Batches.Place>(Most, pinned: true);
    readonly Batches.Train[] trains = GC.AllocateArray<Batches.Train>(Most, pinned: true);
    readonly int[] messages = new int[Most];
    int usedBytes;
    int trainCount;
    int packetCount;
    int sentCount;
    // Bytes of each message of the train that is laid just now.
    int messageBytes;

    /// <summary>Lays so many messages together at most; 1: none.</summary>
    public Departures(int mostTogether)
    {
        this.mostTogether = mostTogether;
        for (int train = 0; train < Most; train++)
        {
            trains[train] = Batches.Train.Of(0);
        }
    }

    /// <summary>The socket that it is sent on.</summary>
    public Socket? Socket { get; set; }

    /// <summary>Nothing lies in it.</summary>
    public bool IsEmpty => packetCount == 0 && !IsOpen;

    /// <summary>A train is laid that nobody was named yet to receive, or not all.</summary>
    public bool IsOpen { get; private set; }

    /// <summary>No further receiver can be named before it is sent.</summary>
    public bool IsFull => packetCount == Most;

    /// <summary>Whether a message of this length can be laid to the open train or, where none is, into one of its own.
    /// </summary>
    public bool CanLay(int length)
    {
        if (usedBytes + length > RoomBytes)
        {
            return false;
        }
        return IsOpen
            ? length == messageBytes && length > 0 && messages[trainCount] < mostTogether
                && places[trainCount].Length + length <= Batches.MostTrainBytes
            : trainCount < Most && !IsFull;
    }

    /// <summary>Lays one that can be laid.</summary>
    public void Lay(ReadOnlySpan<byte> message)
    {
        ref Batches.Place place = ref places[trainCount];
        if (!IsOpen)
        {
            IsOpen = true;
            place.Bytes = Batches.AddressOf(bytes, usedBytes);
            place.Length = 0;
            messages[trainCount] = 0;
            messageBytes = message.Length;
            trains[trainCount].DatagramBytes = message.Length;
        }
        message.CopyTo(bytes.AsSpan(usedBytes));
        usedBytes += message.Length;
        place.Length += message.Length;
        messages[trainCount]++;
    }

    /// <summary>Names one who receives the open train; null: whom the socket is connected to.</summary>
    public void Address(SocketAddress? receiver)
    {
        bool isTrain = messages[trainCount] > 1;
        trainOf[packetCount] = trainCount;
        packets[packetCount].Head = new()
        {
            Address = receiver == null ? 0 : Batches.AddressOf(receivers, packetCount * Batches.MostAddressBytes),
            AddressLength = receiver == null ? 0 : receiver.Size,
            Places = Batches.AddressOf(places, trainCount),
            PlaceCount = 1,
            Beside = isTrain ? Batches.AddressOf(trains, trainCount) : 0,
            BesideLength = isTrain ? Batches.TrainBytes : 0,
        };
        receiver?.Buffer.Span[..receiver.Size].CopyTo(receivers.AsSpan(packetCount * Batches.MostAddressBytes));
        packetCount++;
    }

    /// <summary>Ends the open train: all who receive it are named.</summary>
    public void Close()
    {
        IsOpen = false;
        trainCount++;
    }

    /// <summary>Sends the packets. False where the system refuses one: the caller tries again or drops it.</summary>
    public bool TrySend(out int error)
    {
        error = 0;
        while (sentCount < packetCount)
        {
            int sent = Batches.Send(Socket!, packets, sentCount, packetCount - sentCount);
            if (sent > 0)
            {
                sentCount += sent;
                continue;
            }
            error = Batches.Error;
            if (error != Batches.Interrupted)
            {
                return false;
            }
        }
        packetCount = 0;
        sentCount = 0;
        if (!IsOpen)
        {
            usedBytes = 0;
            trainCount = 0;
        }
        return true;
    }

    /// <summary>Leaves the packet out that the system refuses; returns how many messages it has, and these one behind
    /// another.</summary>
    public int Drop(out ReadOnlySpan<byte> all)
    {
        int train = trainOf[sentCount];
        int at = (int)(places[train].Bytes - Batches.AddressOf(bytes, 0));
        all = bytes.AsSpan(at, (int)places[train].Length);
        sentCount++;
        return messages[train];
    }
}
