/// <summary>Messages that the server sends to all who are in the sender's room. One is completed when its sender
/// has it, too.</summary>
sealed class BroadcastWork() : RoomWork(Works.Broadcast, "Broadcast.cs")
{
    /// <inheritdoc/>
    public override string Plural => "broadcasts";

    /// <inheritdoc/>
    public override bool DelaysAreOfDeliveries => true;
}
