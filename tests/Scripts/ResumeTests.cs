using System.Text.RegularExpressions;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>`--resume` of both runners: nothing that was measured is lost or changed, the rest is measured. What runner
/// alone decides is tried with one of them.</summary>
public sealed class ResumeTests(MiniTree tree) : IClassFixture<MiniTree>
{
    const int Runs = MiniTree.Runs;
    const double OrphanSeconds = 20;
    const double MostShortS = 0.05;

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void A_sweep_that_is_killed_again_and_again_loses_but_the_cells_in_progress(string script)
    {
        var seed = Random.Shared.Next();
        TestContext.Current.TestOutputHelper!.WriteLine($"Kills by seed {seed}");
        var random = new Random(seed);
        var folder = tree.PathOf($"killed-{script}");
        string[] start = ["--out", folder, .. MiniTree.FewRuns];
        string[] again = ["--resume", folder];
        // What is killed is the script; how its runs end does not depend on its language.
        var kills = script == Runner.Bash ? 2 : 1;
        for (var kill = 0; kill < kills; kill++)
        {
            var kept = Whole(folder);
            using (var sweep = tree.StartAll(script, kill == 0 ? start : again))
            {
                if (kill == 0)
                    Command.Until(() => Kinds(folder).Contains("info"));
                Thread.Sleep(random.Next(100, kill == 0 ? 1500 : 3000));
                if (!sweep.HasExited)
                    sweep.Kill();
            }
            Thread.Sleep(TimeSpan.FromSeconds(0.1));
            Command.Until(() => tree.RunningBenches().Length == 0, OrphanSeconds);
            AssertHolds(folder, kept);
        }
        var last = Whole(folder);
        tree.RunAll(script, again).WithCode(0);
        AssertHolds(folder, last);
        Assert.Equal(Whole(tree.Finished).Keys.Order(), Whole(folder).Keys.Order());
        Assert.Equal(Runs, Kinds(folder).Count(kind => kind == "launch"));
        tree.Report("check", Raw(folder)).WithCode(0);
        Assert.Equal(Rows(tree.Finished), Rows(folder));
    }

    [Fact]
    public void Other_settings_are_refused_with_both_values()
    {
        var before = File.ReadAllText(Raw(tree.Finished));
        // Which settings runner refuses ResumedSettingsTests says.
        var ended = tree.RunAll(Runner.Bash, "--resume", tree.Finished, "--clients", "1,7");
        var sentence = ended.AfterBuilds().WrongUsage();
        Assert.All(["1,7", "clients", "1,2"], word => Assert.Contains(word, sentence));
        Assert.Equal(before, File.ReadAllText(Raw(tree.Finished)));
    }

    // Which machines and versions runner refuses BeginTests says.
    [Fact]
    public void Another_version_is_refused_and_nothing_is_changed()
    {
        const string Other = "0.0.1";
        var folder = tree.CopyOfFinished("version");
        var lost = Whole(folder).Keys.First();
        Rewrite(folder, record =>
        {
            if (Record.KindOf(record) == "info")
                record["library_version"] = Other;
            return (string?)record["run_id"] == lost ? [] : [record];
        });
        var before = File.ReadAllText(Raw(folder));
        var sentence = tree.RunAll(Runner.Bash, "--resume", folder).WithCode(1).Sentence();
        Assert.All(["library_version", Other], word => Assert.Contains(word, sentence));
        Assert.Equal(before, File.ReadAllText(Raw(folder)));
        Assert.Equal(Raw(folder), Assert.Single(Directory.GetFiles(folder)));
    }

    [Fact]
    public void A_failed_cell_is_measured_again_and_its_error_stays_as_retried()
    {
        var folder = tree.CopyOfFinished("failed");
        var others = Whole(folder);
        var failed = others.Keys.Max()!;
        var cutOff = others.Keys.Min()!; // before its clients started
        Assert.True(others.Remove(failed) && others.Remove(cutOff));
        Rewrite(folder, record =>
        {
            var id = (string?)record["run_id"];
            var kind = Record.KindOf(record);
            if (id == failed && kind == "launch")
                return [ErrorOf(record)];
            if (id == cutOff && kind != "ready")
                return [];
            return [record];
        });
        var sweep = tree.RunAll(Runner.Bash, "--resume", folder).WithCode(0);
        Assert.Equal(2, sweep.Out.Count(line => Regex.IsMatch(line, @"^\[\d/2\] udp ")));
        AssertHolds(folder, others);
        Assert.Equal(Runs, Whole(folder).Count);
        var error = Record.Single(Record.In(Raw(folder)), "error");
        Assert.Equal("retried It went wrong.", $"{error["kind"]} {error["reason"]}");
        Assert.Contains("It went wrong.", Pages.In(folder));
        tree.Report("check", Raw(folder)).WithCode(0);
    }

    [Fact]
    public void A_finished_sweep_is_rendered_and_not_measured_again()
    {
        var folder = tree.CopyOfFinished("rendered");
        var sweep = tree.RunAll(Runner.Bash, "--resume", folder).WithCode(0);
        Assert.Equal($"results: {folder}/report.md and report.html", sweep.AfterBuilds().Out[0]);
        Assert.Equal(File.ReadAllText(Raw(tree.Finished)), File.ReadAllText(Raw(folder)));
        Assert.Equal(Rows(tree.Finished), Rows(folder));
    }

    [Theory, MemberData(nameof(Runner.Both), MemberType = typeof(Runner))]
    public void A_full_disk_stops_the_sweep_which_goes_on_when_there_is_room(string script)
    {
        using var disk = new SmallDisk("300k");
        disk.Fill(leaveBytes: 24_000);
        var folder = disk.PathOf("results");
        var full = tree.RunAll(script, ["--out", folder, .. MiniTree.FewRuns]).WithCode(1);
        full.AssertNoStackTrace();
        Assert.Contains("make room, then go on with --resume", full.Error[^1]);
        var cells = full.Out.Where(line => line.StartsWith('[')).ToArray();
        Assert.InRange(cells.Length, 1, Runs - 1);
        var kept = Whole(folder);
        Assert.True(kept.Count == cells.Length - 1, string.Join('\n', [.. full.Out, .. full.Error]));
        disk.Remount("size=50m");
        if (script == Runner.PowerShell)
            return; // how it goes on is the same as after it was killed
        tree.RunAll(script, "--resume", folder).WithCode(0);
        AssertHolds(folder, kept);
        Assert.Equal(Runs, Whole(folder).Count);
        tree.Report("check", Raw(folder)).WithCode(0);
    }

    [Fact]
    public void A_results_folder_that_only_can_be_read_is_told_in_one_sentence()
    {
        using var disk = new SmallDisk("1m");
        var folder = Directory.CreateDirectory(disk.PathOf("half")).FullName;
        File.WriteAllLines(Raw(folder), File.ReadLines(Raw(tree.Finished)).Take(10));
        disk.Remount("ro");
        tree.RunAll(Runner.Bash, "--resume", folder).WithCode(1).Sentence();
        var refused = tree.RunAll(Runner.Bash, ["--out", disk.PathOf("new"), .. MiniTree.FewRuns]).WithCode(1);
        Assert.Contains("cannot be written", refused.Sentence());
    }

    static string Raw(string folder) => Path.Combine(folder, "raw.jsonl");

    static IEnumerable<string> Kinds(string folder) => Record.In(Raw(folder)).Select(Record.KindOf);

    // The lines of each run that ended as a launch with its whole window, as far as a busy machine gives it: one killed
    // in it is shorter.
    static Dictionary<string, string[]> Whole(string folder)
    {
        var text = File.Exists(Raw(folder)) ? File.ReadAllText(Raw(folder)) : "";
        var runs = text.Split('\n')[..^1]
            .Select(line => (Line: line, Record: TryParse(line)))
            .Where(line => line.Record != null)
            .GroupBy(line => (string)line.Record!["run_id"]!);
        return runs
            .Where(run => IsWhole([.. run.Select(line => line.Record!)]))
            .ToDictionary(run => run.Key, run => run.Select(line => line.Line).ToArray());
    }

    static bool IsWhole(JObject[] run)
    {
        var launches = run.Where(record => Record.KindOf(record) == "launch");
        var windows = run.Where(MiniTree.IsClientWindow);
        return launches.Any(launch => windows.Any(window => LastsFor(window, launch)));
    }

    static bool LastsFor(JObject window, JObject launch)
    {
        var asked = (double)launch["settings"]!["seconds"]!;
        return (double)window["elapsed_ns"]! / 1e9 >= asked - MostShortS;
    }

    // What a killed writer tore is no record.
    static JObject? TryParse(string line)
    {
        try
        {
            return Record.Parse(line);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    static void AssertHolds(string folder, Dictionary<string, string[]> kept)
    {
        var now = Whole(folder);
        Assert.All(kept, run => Assert.Equal(run.Value, now[run.Key]));
    }

    // The headings and the first three columns of each row: library, clients, parallel.
    static string[] Rows(string folder)
    {
        const string Begins = @"^# .*, |^##.*|^\| udp[^|]*\| (unreliable|[\d,]+ \| [\d,]+) ";
        var lines = Pages.In(folder).Split('\n');
        // At which load each carried most is chance.
        var all = lines.Where(line => line.StartsWith('#') || line.StartsWith("| udp ")).ToArray();
        var best = Array.FindIndex(all, line => line.EndsWith(": each at its best load"));
        var behind = best < 0 ? best : Array.FindIndex(all, best + 1, line => line.StartsWith('#'));
        var rows = best < 0 ? all : [.. all[..best], .. all[behind..]];
        return [.. rows.Select(row => Regex.Match(row, Begins).Value)];
    }

    static void Rewrite(string folder, Func<JObject, JObject[]> change)
    {
        var records = Record.In(Raw(folder)).SelectMany(change);
        var lines = records.Select(record => record.ToString(Formatting.None) + "\n");
        File.WriteAllText(Raw(folder), string.Concat(lines));
    }

    static JObject ErrorOf(JObject launch) =>
        MadeUp.Failed([launch], ("reason", "It went wrong."), ("kind", "failed"), ("exit_code", 1));
}
