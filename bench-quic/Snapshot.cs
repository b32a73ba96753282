using System.Runtime.InteropServices;

/// <summary>What each snapshot of a game tells its player, behind the header of a message, whose sequence is the number
/// of the tick, and which --snapshot-bytes has room for; little endian.</summary>
struct Snapshot
{
    /// <summary>How long before the snapshot the last of the player's inputs came, by the server's clock.</summary>
    public long LastCameNsAgo;
    /// <summary>The furthest of the player's inputs that the server has applied; 0: none.</summary>
    public int LastInput;
    /// <summary>Ticks that the server has not made at all, so far.</summary>
    public int TicksMissed;
    /// <summary>Bit n: the input n before the last one has been applied.</summary>
    public UInt128 Applied;

    /// <summary>That of a message that is long enough.</summary>
    public static Snapshot Read(ReadOnlySpan<byte> message)
    {
        return MemoryMarshal.Read<Snapshot>(message[Message.HeaderBytes..]);
    }

    /// <summary>Writes it into a message's content.</summary>
    public readonly void Write(Span<byte> content) => MemoryMarshal.Write(content[Message.HeaderBytes..], this);
}
