/// <summary>What one panel of a chart shows, in the units of its axes and without a word on how that is drawn. What is
/// written in it is plain text.</summary>
abstract record Panel(string Title, Axis X)
{
    /// <summary>What sort of panel it is, in one word.</summary>
    public abstract string Kind { get; }
}
