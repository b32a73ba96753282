/// <summary>Loads that no bench can do, whatever its library.</summary>
static class Refusal
{
    // Of a bench: 16 bytes and what the collector of garbage keeps for them, which a test holds against what a process
    // takes.
    const long SlotBytes = 20;

    /// <summary>Why a load cannot be done on this machine, as a sentence; null: it can. Rate 0: a closed
    /// loop.</summary>
    public static string? Of(Work work, int clients, int parallel, int rate)
    {
        if (work.Refusal(parallel) is { } reason)
        {
            return reason;
        }
        long needed = SlotBytes * clients * parallel;
        long held = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        if (rate > 0 || !work.HasSlots || needed <= held)
        {
            return null;
        }
        return $"{clients:N0} x {parallel:N0} messages in flight need {needed / 1e9:0.0} GB of memory, "
            + $"and this machine has {held / 1e9:0.0} GB.";
    }
}
