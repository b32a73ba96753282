/// <summary>Calls of a method, each with its result.</summary>
sealed class CallWork(string name) : Work(name)
{
    /// <inheritdoc/>
    public override string Noun => "call";

    /// <inheritdoc/>
    public override string Unit => "calls";

    /// <inheritdoc/>
    public override string Plural => "calls";

    /// <inheritdoc/>
    public override double CompilingSeconds => 5.4;

    /// <inheritdoc/>
    public override double UsualRate => 30_000;

    /// <inheritdoc/>
    public override string? Group => "calls";

    /// <inheritdoc/>
    public override bool DiffersByDelivery => false;

    /// <summary>At the usual size it stands beside calls that have none.</summary>
    public override bool SaysSize(int payloadBytes) =>
        base.SaysSize(payloadBytes) && payloadBytes != LaunchSettings.Default.PayloadBytes;

    /// <summary>Beside what each call carries.</summary>
    public override string SizeInWords(long bytes) => $"{bytes:N0} bytes of data";

    /// <inheritdoc/>
    public override string InWords(string words) =>
        words.Replace("message", "call").Replace("msg", "call");

    /// <inheritdoc/>
    public override string IdOf(int payloadBytes) => SaysSize(payloadBytes) ? $"{Name}-{payloadBytes}" : Name;

    /// <inheritdoc/>
    public override string KindOf(string delivery) => $"{Name} calls";

    /// <inheritdoc/>
    public override bool IsDoneIn(string folder) => HasCalls(folder);

    /// <inheritdoc/>
    protected override string? Wrong(string delivery, long wrong, ILaunchCounts counts) =>
        $"{Text.Count(wrong, "call")} failed, were answered wrongly, late or not at all{counts.Failures}.";
}
