using Newtonsoft.Json.Linq;

/// <summary>What a side has counted since its last drain.</summary>
/// <param name="Completed">Messages that clients had an answer to.</param>
/// <param name="Ended">Messages of which it is known what became of them.</param>
/// <param name="Streamed">Messages of a stream that clients sent, or that came to the server.</param>
/// <param name="CompiledMethods">By .NET.</param>
readonly record struct CountAnswer(long Completed, long Ended, long Streamed, long CompiledMethods)
{
    /// <summary>That of an answer to the commands `count` and `drain`.</summary>
    public static CountAnswer Of(JObject answer)
    {
        CountAnswer sum = default;
        foreach (JObject part in new[] { answer["window"], answer["other"] }.OfType<JObject>())
        {
            long Of(string field) => (long?)part[field] ?? (long?)(part["outcomes"] as JObject)?[field] ?? 0;
            sum = new CountAnswer(
                sum.Completed + Of("completed"),
                sum.Ended + Of("completed") + Of("lost") + Of("corrupt") + Of("failed"),
                sum.Streamed + Of("streamed"),
                sum.CompiledMethods + Of("compiled_methods"));
        }
        return sum;
    }
}
