using System.Reflection;

/// <summary>Plain UDP sockets: the floor that a library on UDP is held against.</summary>
static class Library
{
    public const string Name = "udp";
    public static readonly Assembly Assembly = typeof(System.Net.Sockets.Socket).Assembly;
    public static readonly string Version = Environment.Version.ToString();
    public static readonly string[] Deliveries = ["unreliable"];

    /// <summary>What the figures' readers must know; null: nothing.</summary>
    public const string? Note = null;

    /// <summary>Socket buffers that every bench asks for, in bytes.</summary>
    public const int SocketBufferBytes = 1 << 20;

    /// <summary>The limit that these settings break, as a sentence; null: none.</summary>
    public static string? Limit(Settings settings) => null;
}
