using System.Buffers.Binary;

/// <summary>Pictures that `report render` or `report index` draws, where it can.</summary>
static class Pictures
{
    const int HeaderBytes = 33; // signature and first chunk
    const byte OfColorsAlone = 2; // without an alpha channel
    static readonly byte[] signature = [0x89, .. "PNG\r\n\u001a\n"u8];
    static readonly byte[] end = [.. "IEND"u8, 0xae, 0x42, 0x60, 0x82];

    /// <summary>Renders a folder with pictures; skips the test where there are none.</summary>
    public static Ended Render(string folder)
    {
        var ended = Tool.Run("render", folder).WithCode(0);
        SkipWithout(ended);
        return ended;
    }

    /// <summary>Skips the test where a verb said that there are no pictures.</summary>
    public static void SkipWithout(Ended ended)
    {
        var reason = Array.Find(ended.Error, line => line.StartsWith("There are no pictures"));
        Assert.SkipWhen(reason != null, reason ?? "");
    }

    /// <summary>Asserts that a file is a whole PNG without transparency, which is therefore seen on a dark page too;
    /// returns its size.</summary>
    public static (int WidthPx, int HeightPx) AssertPicture(string path)
    {
        var bytes = File.ReadAllBytes(path);
        Assert.True(bytes.Length > HeaderBytes, path);
        Assert.Equal(signature, bytes[..signature.Length]);
        Assert.Equal(end, bytes[^end.Length..]);
        Assert.Equal(OfColorsAlone, bytes[25]);
        return (BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(16)),
            BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(20)));
    }
}
