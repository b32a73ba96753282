using System.Buffers.Binary;

/// <summary>The messages in what one connection of TCP or TLS receives: each stands behind its length.</summary>
sealed class Frames(int mostBytes)
{
    /// <summary>Bytes of a length.</summary>
    public const int LengthBytes = 4;

    // The beginning of a message whose rest is to come, and how much of it there is.
    byte[] kept = [];
    int filled;

    // What the calling thread writes.
    [ThreadStatic] static byte[]? own;

    /// <summary>A message behind its length; it holds until the calling thread's next one.</summary>
    public static ReadOnlySpan<byte> Of(ReadOnlySpan<byte> message)
    {
        if (own == null || own.Length < LengthBytes + message.Length)
        {
            own = new byte[LengthBytes + message.Length];
        }
        BinaryPrimitives.WriteInt32LittleEndian(own, message.Length);
        message.CopyTo(own.AsSpan(LengthBytes));
        return own.AsSpan(0, LengthBytes + message.Length);
    }

    /// <summary>What was kept of the last message and what came now.</summary>
    public ReadOnlySpan<byte> Append(byte[] buffer, long offset, long size)
    {
        Span<byte> received = buffer.AsSpan((int)offset, (int)size);
        if (filled == 0)
        {
            return received;
        }
        if (kept.Length < filled + received.Length)
        {
            Array.Resize(ref kept, filled + received.Length);
        }
        received.CopyTo(kept.AsSpan(filled));
        return kept.AsSpan(0, filled + received.Length);
    }

    /// <summary>Takes the next whole message off the front, with its length; false: none is whole, and what is left is
    /// to be kept. Throws at a length that no message has.</summary>
    public bool TryTake(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> frame)
    {
        int length = rest.Length < LengthBytes ? 0 : BinaryPrimitives.ReadInt32LittleEndian(rest);
        if (length < 0 || length > mostBytes)
        {
            throw new InvalidDataException("What answers there is no server of this bench.");
        }
        if (rest.Length < LengthBytes + length)
        {
            frame = default;
            return false;
        }
        frame = rest[..(LengthBytes + length)];
        rest = rest[frame.Length..];
        return true;
    }

    /// <summary>Keeps the beginning of a message. It may lie in what was kept before.</summary>
    public void Keep(ReadOnlySpan<byte> rest)
    {
        if (kept.Length < rest.Length)
        {
            kept = new byte[LengthBytes + mostBytes];
        }
        rest.CopyTo(kept);
        filled = rest.Length;
    }
}
