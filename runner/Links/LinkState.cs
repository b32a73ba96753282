/// <summary>What the process of a link says of it each time that it is asked, as a line of JSON.</summary>
sealed record LinkState
{
    /// <summary>`tun` or `netem`, as in the records.</summary>
    public required string Emulator { get; init; }

    /// <summary>The file that is the clients' network namespace.</summary>
    public required string Clients { get; init; }

    /// <summary>The file that is the server's.</summary>
    public required string Server { get; init; }

    /// <summary>What may wait for its rate; null: it has none.</summary>
    public required long? QueueBytes { get; init; }

    /// <summary>The longest IP packet.</summary>
    public required long MtuBytes { get; init; }

    /// <summary>CPU time of its process so far.</summary>
    public required double CpuS { get; init; }

    /// <summary>What it did so far from the clients to the server.</summary>
    public required OneWayCounts ToServer { get; init; }

    /// <summary>What it did so far from the server to the clients.</summary>
    public required OneWayCounts ToClients { get; init; }
}
