using System.Buffers.Binary;
using System.Net.Sockets;

/// <summary>What TLS reads and writes on a socket that does not wait: it reads one record at a time, so that TLS holds
/// none back. Only a handshake, and what comes before its last byte, waits.</summary>
sealed class RecordStream(Socket socket, int handshakeMicroseconds, int mostWaitMicroseconds)
    : NetworkStream(socket, ownsSocket: false)
{
    /// <summary>Bytes in front of a record, of which the last two tell how many follow.</summary>
    public const int HeaderBytes = 5;

    const int LengthOffset = 3;

    // The record at hand begins at its first byte that was not read yet; behind it may stand others.
    readonly byte[] records = new byte[Tls.MostRecordBytes];
    int begin;
    // 0 until the header of the record at hand is there.
    int end;
    int filled;

    /// <summary>Whether the next record is there as a whole; for what is missing it waits at most so long. Where it is
    /// not, the error is WouldBlock or what happened to the socket; none: the other side has left.</summary>
    public bool TryFill(int waitMicroseconds, out SocketError error)
    {
        error = SocketError.Success;
        while (!HasRecord())
        {
            MoveToFront();
            int count = Socket.Receive(records.AsSpan(filled), SocketFlags.None, out error);
            filled += count;
            bool mayStillCome = error == SocketError.WouldBlock && waitMicroseconds > 0
                && Socket.Poll(waitMicroseconds, SelectMode.SelectRead);
            if (count == 0 && !mayStillCome)
            {
                return false;
            }
        }
        return true;
    }

    public override int Read(Span<byte> into)
    {
        if (begin == end && !TryFill(handshakeMicroseconds, out SocketError error))
        {
            throw new IOException(error == SocketError.Success
                ? "The server closed the connection."
                : "The other side does not shake hands for TLS.");
        }
        int count = Math.Min(into.Length, end - begin);
        records.AsSpan(begin, count).CopyTo(into);
        begin += count;
        return count;
    }

    public override void Write(ReadOnlySpan<byte> bytes) => Connection.SendAll(Socket, bytes, mostWaitMicroseconds);

    bool HasRecord()
    {
        if (filled - begin < HeaderBytes)
        {
            return false;
        }
        int contentBytes = BinaryPrimitives.ReadUInt16BigEndian(records.AsSpan(begin + LengthOffset));
        end = begin + HeaderBytes + contentBytes;
        return filled >= end;
    }

    void MoveToFront()
    {
        records.AsSpan(begin, filled - begin).CopyTo(records);
        filled -= begin;
        begin = 0;
        end = 0;
    }
}
