/// <summary>What a side answers to the command `count`.</summary>
/// <param name="Completed">Messages answered since the last drain.</param>
/// <param name="Lost">Messages given up.</param>
/// <param name="Corrupt">Messages that came back changed.</param>
/// <param name="Failed">Calls that the library says have failed.</param>
/// <param name="TimedOut">Calls without an answer in time.</param>
/// <param name="Streamed">Messages of a stream, since the process started.</param>
/// <param name="CompiledMethods">By .NET, since then.</param>
sealed record CountAnswer(
    long Completed, long Lost, long Corrupt, long Failed, long TimedOut, long Streamed, long CompiledMethods)
{
    /// <summary>Messages of which it is known what became of them.</summary>
    public long Ended => Completed + Lost + Corrupt + Failed + TimedOut;
}
