/// <summary>What bench-udp's server does with a message, without counting it: what comes goes back.</summary>
sealed class Service<TConnection>
{
    public readonly record struct Member(TConnection Connection, byte[] Snapshot);

    public Service(Settings _, Func<TConnection, TConnection> keep) => ArgumentNullException.ThrowIfNull(keep);

    public ReadOnlySpan<TConnection> Take(ref TConnection sender, ReadOnlySpan<byte> _) => new(ref sender);

    // Asked of an instance, as those of bench-udp.
#pragma warning disable CA1822
    public int MicrosecondsToTick => int.MaxValue;

    public Member[] Tick() => [];
#pragma warning restore CA1822
}
