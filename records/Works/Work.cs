/// <summary>What clients do. All that runner and report have to know of a work is said here, by an object of each.
/// </summary>
abstract class Work(string name)
{
    /// <summary>As settings have it.</summary>
    public string Name => name;

    /// <summary>What is counted, one of it.</summary>
    public virtual string Noun => "message";

    /// <summary>What was measured, many of it.</summary>
    public abstract string Plural { get; }

    /// <summary>What is counted, short and many of it.</summary>
    public virtual string Unit => "msg";

    /// <summary>Whether answers come. Then clients count what is completed and may have several in flight; else the
    /// server counts what comes to it.</summary>
    public virtual bool IsAnswered => true;

    /// <summary>Whether clients have slots in a closed loop, each of which sends on when its message is answered. What
    /// has none gets steady as slowly as at a given rate.</summary>
    public virtual bool HasSlots => IsAnswered;

    /// <summary>Whether its messages are of a size that a setting says; else it has data of its own.</summary>
    public bool HasPayload => Setting.Named("payload_bytes").IsOf(Name);

    /// <summary>How long .NET compiles for it, about, on a machine with two CPUs.</summary>
    public virtual double CompilingSeconds => 3;

    /// <summary>Whether clients live in rooms, to whose members the server sends; what arrives there are deliveries.
    /// </summary>
    public virtual bool HasRooms => false;

    /// <summary>Whether delays are those of deliveries; else those of answers.</summary>
    public virtual bool DelaysAreOfDeliveries => false;

    /// <summary>Whether it has no closed loop: its messages are due by a schedule.</summary>
    public virtual bool IsAlwaysPaced => false;

    /// <summary>How many of it a library usually makes in a second, in a closed loop.</summary>
    public virtual double UsualRate => 200_000;

    /// <summary>What its sections in a report have in common; null: nothing that must be said.</summary>
    public virtual string? Group => null;

    /// <summary>Whether it is another thing in another delivery mode; else it is the same in all.</summary>
    public virtual bool DiffersByDelivery => true;

    /// <summary>The settings that it has no use for.</summary>
    public virtual IReadOnlyList<string> Unused => [];

    /// <summary>Whether the size is said of it where others have another one.</summary>
    public virtual bool SaysSize(int payloadBytes) => HasPayload;

    /// <summary>How large they are, such as "32-byte messages".</summary>
    public virtual string SizeInWords(long bytes) => $"{bytes:N0}-byte messages";

    /// <summary>Words of a report about messages, as they are said of it.</summary>
    public virtual string InWords(string words) => words;

    /// <summary>As ids of launches have it.</summary>
    public abstract string IdOf(int payloadBytes);

    /// <summary>What the rows of one table do.</summary>
    public abstract string KindOf(string delivery);

    /// <summary>The same where nothing beside it says what is counted.</summary>
    public virtual string KindInWords(string delivery) => KindOf(delivery);

    /// <summary>What the title of a load says of it, behind the clients.</summary>
    public virtual string InTitle(int payloadBytes)
    {
        bool isUsual = !HasPayload || payloadBytes == LaunchSettings.Default.PayloadBytes;
        return $" {Name}" + (isUsual ? "" : $" of {payloadBytes} bytes");
    }

    /// <summary>Whether the bench in a folder may do it, by the files that it has.</summary>
    public virtual bool IsDoneIn(string folder) => !HasCalls(folder);

    /// <summary>Why no bench can do it with so many messages in flight per client, as a sentence; null: one may.
    /// </summary>
    public virtual string? Refusal(int parallel) => null;

    /// <summary>Why a launch of it must not count, as a sentence; null: it may.</summary>
    public virtual string? Fault(LaunchSettings settings, ILaunchCounts counts)
    {
        // What a reliable mode must not have.
        long wrong = counts.OfOutcomes(outcomes => outcomes.WithoutAnswer + outcomes.Duplicates + outcomes.Foreign);
        if (wrong > 0 && Wrong(settings.Delivery, wrong, counts) is { } fault)
        {
            return fault;
        }
        bool isSilent = counts.OfOutcomes(outcomes => outcomes.Lost, "window", "other") > 0
            && counts.OfOutcomes(Came, "window") == 0;
        return isSilent ? "The server stopped answering." : null;
    }

    /// <summary>What shows that the server is there.</summary>
    protected virtual long Came(OutcomesPart outcomes) => outcomes.Completed;

    /// <summary>Why so many wrong answers, late ones or none must not be; null: they may.</summary>
    protected virtual string? Wrong(string delivery, long wrong, ILaunchCounts counts) => delivery == "unreliable"
        ? null
        : $"{delivery} delivery lost, repeated or changed {wrong} messages.";

    /// <summary>Whether the bench in a folder does calls, and so nothing else.</summary>
    protected static bool HasCalls(string folder) => File.Exists(Path.Combine(folder, "Calls.cs"));
}
