using Newtonsoft.Json.Linq;

/// <summary>Benches under one load, which a runner leads to their end one after another, with the records of each.
/// </summary>
sealed class LedBlock
{
    // So short that what a block costs is that its processes start.
    static readonly string[] turns = ["--rounds", "2", "--slice-ms", "5", "--settle-ms", "5"];

    // So few that on a busy machine nobody stands still until its library gives its peer up, which one does after 5 s.
    const int MostAtOnce = 8;

    /// <summary>How long one may take on a busy machine.</summary>
    public const double MostSeconds = 600;

    readonly Func<Member[], (Ended Ended, string[] Lines)> lead;
    readonly Member[] members;
    readonly Ended[] ended;
    readonly Dictionary<Member, LedBlock> again = [];

    /// <summary>Leads one whose records go to stdout.</summary>
    public LedBlock(IEnumerable<Member> members, params IEnumerable<string> flags)
        : this(members, some => Lead(some, [.. turns, .. flags]))
    {
    }

    /// <summary>Leads one as a test says, which returns the records.</summary>
    public LedBlock(IEnumerable<Member> members, Func<Member[], (Ended Ended, string[] Lines)> lead)
    {
        this.members = [.. members];
        this.lead = lead;
        var led = this.members.Chunk(MostAtOnce).Select(lead).ToArray();
        ended = Array.ConvertAll(led, block => block.Ended);
        Lines = [.. led.SelectMany(block => block.Lines)];
        Records = [.. Lines.Select(Record.Parse)];
    }

    /// <summary>A library of a block, as the runner's words name it.</summary>
    public sealed record Member(
        string Bench, string Delivery, string Profile = "default", string Variant = "default", string Security = "none")
    {
        string Library => global::Bench.LibraryOf(Bench);

        /// <summary>Its words.</summary>
        public override string ToString() => $"{Library}/{Delivery}/{Profile}/{Variant}/{Security}";

        /// <summary>True of the settings of its launch.</summary>
        public bool Has(JObject record) => record["settings"] is JObject settings
            && (string?)record["library"] == Library
            && (string?)settings["delivery"] == Delivery
            && (string?)settings["profile"] == Profile
            && (string?)settings["variant"] == Variant
            && (string?)settings["security"] == Security;
    }

    /// <summary>What people were told of outcomes, where the records go to a file.</summary>
    public IEnumerable<string> Told => ended.SelectMany(run => run.Out);

    /// <summary>The records of all as they were written.</summary>
    public string[] Lines { get; }

    public JObject[] Records { get; }

    /// <summary>Those of a library.</summary>
    public JObject[] Of(Member member)
    {
        var own = Records.FirstOrDefault(member.Has);
        var all = string.Join('\n', ended.Select(run => $"{run}"));
        Assert.True(own != null, $"There is neither a launch nor an error of {member}: {all}");
        return [.. Records.Where(record => (string?)record["run_id"] == (string?)own!["run_id"])];
    }

    /// <summary>Those of a library that was measured. Where the machine is so busy that a library gives its peer up
    /// while it stands still beside all others, it is measured once more, alone.</summary>
    public JObject[] Launched(Member member)
    {
        var own = Of(member);
        if (ReasonsIn(own).Length > 0 && members.Length > 1)
        {
            own = LaunchedAlone(member);
        }
        Assert.True(ReasonsIn(own).Length == 0, $"{member} failed: {string.Join(' ', ReasonsIn(own))}");
        Record.Single(own, "launch");
        return own;
    }

    /// <summary>Those of a library that is measured once more, alone.</summary>
    public JObject[] LaunchedAlone(Member member)
    {
        if (!again.TryGetValue(member, out var alone))
        {
            alone = new LedBlock([member], lead);
            again[member] = alone;
        }
        return alone.Of(member);
    }

    /// <summary>Asserts that all were measured, and that people were told nothing but what befell one.</summary>
    public void AssertAllLaunched()
    {
        Assert.All(members, member => Launched(member));
        var reasons = ReasonsIn(Records);
        Assert.All(ended.SelectMany(run => run.Error), line => Assert.Contains(reasons, line.Contains));
        Assert.Equal(reasons.Length == 0 ? 0 : 1, ended.Max(run => run.ExitCode));
    }

    /// <summary>Why a library was refused; null: it was measured.</summary>
    public string? RefusalOf(Member member)
    {
        var refusal = Of(member).FirstOrDefault(record => (string?)record["kind"] == "unsupported");
        if (refusal != null)
        {
            Assert.Equal(3, (int)refusal["exit_code"]!);
        }
        return (string?)refusal?["reason"];
    }

    static string[] ReasonsIn(JObject[] records)
    {
        var errors = records.Where(record => Record.KindOf(record) == "error");
        return [.. errors.Select(error => (string)error["reason"]!)];
    }

    /// <summary>Leads some under these flags alone, with records on stdout.</summary>
    public static (Ended, string[]) Lead(IEnumerable<Member> members, IEnumerable<string> flags)
    {
        var ended = Tool.LeadWithin(MostSeconds, ["run", string.Join(',', members), .. flags]);
        ended.AssertNoStackTrace();
        return (ended, ended.Out);
    }
}
