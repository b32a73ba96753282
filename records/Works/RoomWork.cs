/// <summary>A work of clients that live in rooms.</summary>
abstract class RoomWork(string name, string file) : Work(name)
{
    /// <inheritdoc/>
    public override bool HasRooms => true;

    /// <inheritdoc/>
    public override string? Group => "rooms";

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => $"{Name}-{payloadBytes}";

    /// <inheritdoc/>
    public override string KindOf(string delivery) => $"{delivery} {Name}";

    /// <inheritdoc/>
    public override bool IsDoneIn(string folder) => File.Exists(Path.Combine(folder, file));

    /// <inheritdoc/>
    public override string? Fault(LaunchSettings settings, ILaunchCounts counts)
    {
        return base.Fault(settings, counts)
            ?? (settings.Delivery == "unreliable" ? null : FaultOfDeliveries(settings, counts));
    }

    /// <summary>Of a large room all may lack one or the other message.</summary>
    protected override long Came(OutcomesPart outcomes) => outcomes.Deliveries;

    // What a reliable mode must not have of deliveries and, as the server counts them, of a game's inputs.
    static string? FaultOfDeliveries(LaunchSettings settings, ILaunchCounts counts)
    {
        bool isOrdered = settings.Delivery == "reliable-ordered";
        // A run may end while a snapshot is sent again that later ones have overtaken.
        bool mayMiss = settings.Work == Works.Game && !isOrdered;
        long missing = mayMiss ? 0 : counts.OfOutcomes(outcomes => outcomes.DeliveriesDue - outcomes.Deliveries);
        long changed = counts.OfServer(slice => slice.StreamCorrupt);
        long repeated = counts.OfServer(slice => slice.StreamRepeated);
        long disordered = isOrdered
            ? counts.OfServer(slice => slice.StreamDisordered)
            : 0;
        return missing == 0 && changed == 0 && repeated == 0 && disordered == 0
            ? null
            : $"{settings.Delivery} delivery lost {missing:N0}, repeated {repeated:N0}, changed {changed:N0} and "
                + $"disordered {disordered:N0} deliveries.";
    }
}
