using Newtonsoft.Json.Linq;

/// <summary>What `report check` says of a folder that somebody wants to share.</summary>
public sealed class SharedFolderTests : OfReport
{
    const string Name = "2026-11-20T0933-quick-epyc-2cpu";

    static readonly double[] three = [9_800, 10_000, 10_200];

    [Fact]
    public void A_rendered_sweep_in_a_folder_of_its_name_can_be_shared()
    {
        var folder = Rendered(Name, three);
        var ended = Tool.Run("check", folder).WithCode(0);
        Assert.Empty(ended.Error);
        Assert.EndsWith(", 0 bad lines, 0 faults of folders", ended.Out.Single());
    }

    [Fact]
    public void A_machine_that_no_record_tells_of_is_told() =>
        AssertFault(Rendered(Name, three, machine: null), "No record says on which machine it was measured: ");

    [Fact]
    public void A_suite_that_was_changed_or_is_unknown_is_told()
    {
        var changed = MadeUp.Machine(Date, ("suite_dirty", true), ("suite_commit", "0123456"));
        AssertFault(Rendered(Name, three, changed), "The suite was changed since its commit 0123456, so that nobody ");
        var unknown = MadeUp.Machine(Date, ("suite_commit", null));
        AssertFault(Rendered(Name, three, unknown), "No record says of which commit the suite was: ");
    }

    [Theory]
    [InlineData("2026-11-20-amd-epyc-2", "is not of the form 2026-11-24T0933-essential-epyc-2cpu (")]
    [InlineData("2026-11-20T0933 quick", "is not of the form ")]
    [InlineData("2026-11-21T0933-quick-epyc-2cpu", "The name says 2026-11-21, but the sweep began at 2026-11-20T")]
    public void A_name_that_is_not_the_sweep_s_is_told(string name, string fault) =>
        AssertFault(Rendered(name, three), fault);

    [Fact]
    public void Too_few_launches_are_told()
    {
        AssertFault(
            Rendered(Name, three[..2]),
            "2 cells of 2 had fewer than 3 launches (enet unreliable 1 x 1, udp unreliable 1 x 1): measure with ");
        AssertFault(Rendered(Name, []), "Nothing was measured.");
    }

    [Fact]
    public void A_launch_whose_end_nothing_tells_is_told()
    {
        var cut = MadeUp.Cell("enet", "unreliable", 1, three)
            .Where(record => Record.KindOf(record) != "launch" || !((string)record["run_id"]!).StartsWith("r2"));
        var folder = Rendered(Name, three, MadeUp.Machine(Date), [.. cut]);
        var ended = Tool.Run("check", folder).WithCode(1);
        Assert.Contains(ended.Error, line => line.Contains("Nothing says how 1 launch ended: finish the sweep with "));
    }

    [Fact]
    public void A_report_that_is_not_of_the_records_is_told()
    {
        var folder = Rendered(Name, three);
        File.AppendAllText(Path.Combine(folder, "report.md"), "Mine is the fastest.\n");
        const string Fault = "report.md or appendix.md is not what the records are rendered to, with charts: ";
        AssertFault(folder, $"{Fault}run `report render` on ");
        File.Delete(Path.Combine(folder, "report.md"));
        AssertFault(folder, "There is no report.md: run `report render` on the folder.");
    }

    [Fact]
    public void Charts_that_are_missing_and_files_of_nobody_are_told()
    {
        var folder = Rendered(Name, three);
        File.WriteAllText(Path.Combine(folder, "my-notes.txt"), "");
        AssertFault(folder, "'my-notes.txt' is no file of a sweep: remove it.");
        File.Delete(Path.Combine(folder, "my-notes.txt"));
        var chart = Directory.GetFiles(folder, "*.png").Order(StringComparer.Ordinal).First();
        File.Delete(chart);
        AssertFault(folder, $"1 chart of the report, such as {Path.GetFileName(chart)}, is missing: run ");
    }

    static (string, object?) Date => ("date_utc", "2026-11-20T09:33:12Z");

    string Rendered(string name, double[] rates) => Rendered(name, rates, MadeUp.Machine(Date));

    // With pictures, without which a sweep is not to be shared.
    string Rendered(string name, double[] rates, JObject? machine, JObject[]? ofEnet = null)
    {
        var folder = scratch.PathOf(name);
        JObject[] machines = machine == null ? [] : [machine];
        MadeUp.Write(folder,
        [
            .. machines,
            .. MadeUp.Cell("udp", "unreliable", 1, rates),
            .. ofEnet ?? MadeUp.Cell("enet", "unreliable", 1, rates),
        ]);
        Pictures.SkipWithout(Tool.Run("render", folder).WithCode(0));
        return folder;
    }

    static void AssertFault(string folder, string fault)
    {
        var ended = Tool.Run("check", folder).WithCode(1);
        var line = Assert.Single(ended.Error);
        Assert.StartsWith($"{folder}: ", line);
        Assert.Contains(fault, line);
        Assert.EndsWith(", 0 bad lines, 1 fault of folders", ended.Out.Single());
    }
}
