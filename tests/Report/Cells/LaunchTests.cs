using Newtonsoft.Json.Linq;

/// <summary>What the report says of a launch in which the machine slept, which was retried, traced, or ran until
/// stopped.</summary>
public sealed class LaunchTests : RunOfFive
{
    public static TheoryData<double?, double, string> Gaps => new()
    {
        { 12, 0, "invalid: the machine slept for 12 s" },
        { null, 40, "invalid: the machine slept or its clock was set forward by 40 s" },
        { 0, 40, "the wall clock was set by 40 s, which no figure uses" },
        { 0, -40, "the wall clock was set by -40 s, which no figure uses" },
        { null, -40, "the wall clock was set by -40 s, which no figure uses" },
        { 1, 1, "" },
        { null, -1, "" },
    };

    [Theory, MemberData(nameof(Gaps))]
    public void A_launch_in_which_the_machine_slept_is_invalid(double? suspended, double jump, string note)
    {
        (string, object?)[] fields =
        [
            ("client.window.outside.suspended_s", suspended),
            ("client.window.outside.clock_jump_s", jump),
        ];
        Assert.EndsWith($"| {note} |", RowOf(Render(MadeUp.With(OneMachine(), fields))));
        if (note == "")
            return;
        var records = TwoMachines();
        Set(records, 1, fields);
        Assert.Contains($"client machine 2: {note.Replace("invalid: ", "")} |", RowOf(Render(records)));
    }

    [Fact]
    public void A_clock_that_was_set_back_by_whole_seconds_is_a_good_record()
    {
        Render(MadeUp.With(OneMachine(), ("client.window.outside.clock_jump_s", -40)));
        Tool.Run("check", scratch.PathOf("raw.jsonl")).WithCode(0);
    }

    [Fact]
    public void A_retried_run_is_listed_but_no_failure()
    {
        var retried = MadeUp.Failed(OneMachine(), ("kind", "retried"), ("reason", "It hung."));
        var page = Render([retried, .. OneMachine()]);
        Assert.Contains("- udp retried (1 run): It hung.\n", page);
        Assert.DoesNotContain("Without figures:", page);
        Assert.EndsWith("| 0 | 0 / 0 | – | blocks |  |", RowOf(page));

        // Not measured again as yet: nothing is known of the cell.
        Assert.DoesNotContain("Without figures:", Render([retried]));
    }

    [Fact]
    public void A_traced_cell_says_so_and_is_held_apart()
    {
        var traced = MadeUp.With(OneMachine(), ("run_id", "r2"), ("settings.trace", true));
        var page = Render([.. OneMachine(), .. traced]);
        Assert.Contains("### unreliable, payload_bytes 32, trace no\n", page);
        Assert.Contains("### unreliable, payload_bytes 32, trace yes\n", page);
        var lines = Made.WithoutSeparately(page).Split('\n');
        var rows = lines.Where(line => line.StartsWith(Name) && line.Contains(" – ")).ToArray();
        Assert.EndsWith("| 0 | 0 / 0 | – | blocks |  |", rows[0]);
        Assert.EndsWith("| 0 | 0 / 0 | – | blocks | traced: slower than untraced |", rows[1]);
    }

    [Fact]
    public void A_run_until_stopped_did_not_stop_early()
    {
        var records = MadeUp.With(OneMachine(), ("settings.seconds", -1.0), ("window.elapsed_ns", 500_000_000));
        Assert.DoesNotContain("stopped early", Render(records));
        MadeUp.With(records, ("settings.seconds", 2.0));
        Assert.Contains("stopped early", Render(records));
    }

    [Fact]
    public void The_page_is_the_same_with_info_records()
    {
        var page = Render(OneMachine());
        Assert.Equal(page, Render([Record.Parse(Contract.Examples["info"]), .. OneMachine()]));
    }
}
