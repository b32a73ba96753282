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

    /// <summary>Whether it is of calls, which tell of failures and bring data of their own.</summary>
    public virtual bool IsCall => false;

    /// <summary>What its sections in a report have in common; null: nothing that must be said.</summary>
    public virtual string? Group => null;

    /// <summary>Whether it is another thing in another delivery mode; else it is the same in all.</summary>
    public virtual bool DiffersByDelivery => true;

    /// <summary>What its rows are told apart by, beside clients and messages in flight.</summary>
    public virtual string RowsDifferIn => "delivery mode";

    /// <summary>The settings that it has no use for.</summary>
    public virtual IReadOnlyList<string> Unused => [];

    /// <summary>Words of a report about messages, as they are said of it.</summary>
    public virtual string InWords(string words) => words;

    /// <summary>As ids of launches have it.</summary>
    public abstract string IdOf(int payloadBytes);

    /// <summary>What the rows of one table do.</summary>
    public abstract string KindOf(string delivery);
}
