using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>`runner folder`, `built` and `begin`: where the results of a sweep go, and what stands there before its
/// first run.</summary>
public sealed class BeginTests : InSuiteFolder
{
    const string CannotDo = "udp has no reliable-ordered delivery.";
    const string AnotherThing = "udp has no reliable-unordered delivery.";

    // Compared with another machine are all fields but these.
    static readonly string[] notOfMachine =
    [
        "v", "record", "run_id", "date_utc", "preset", "changed", "sweep_seed", "repeats", "role", "client_machine",
        "sweep",
    ];

    [Fact]
    public void A_folder_is_named_by_minute_preset_and_machine_and_never_has_results()
    {
        var machine = Assert.Single(suite.Run("name").WithCode(0).Out);
        Assert.Matches($"^[a-z0-9-]+-{Environment.ProcessorCount}cpu$", machine);
        string Named(string preset) =>
            Assert.Single(suite.RunWith(SuiteFolder.With(("preset", preset)), "folder").WithCode(0).Out);
        string Given(string folder) => Assert.Single(suite.Run("folder", folder).WithCode(0).Out);
        var first = Named("my-own");
        Assert.Matches($@"^results/\d{{4}}-\d\d-\d\dT\d{{4}}-my-own-{machine}$", first);
        const string Minute = "yyyy-MM-ddTHHmm";
        var minute = DateTime.ParseExact(first[8..23], Minute, CultureInfo.InvariantCulture);
        Assert.InRange((DateTime.UtcNow - minute).TotalMinutes, 0, 3);
        Assert.Equal("my own", Given("my own"));
        Assert.False(Directory.Exists(suite.PathOf(first)) || Directory.Exists(suite.PathOf("my own")));
        // Others of the same minute, whichever it is by now.
        foreach (var suffix in new[] { "", "-2" })
        {
            for (var minutes = 0; minutes < 5; minutes++)
            {
                var name = $"{minute.AddMinutes(minutes).ToString(Minute)}-my-own-{machine}{suffix}";
                Directory.CreateDirectory(suite.PathOf("results", name));
            }
            Assert.EndsWith($"{machine}-{(suffix == "" ? 2 : 3)}", Named("my-own"));
            Assert.EndsWith($"-quick-{machine}", Named("quick"));
        }
        Assert.Equal(first, Given(first)); // there, but empty
        Assert.True(Directory.Exists(suite.PathOf(first)));
        File.WriteAllText(suite.PathOf(first, "raw.jsonl"), "");
        Assert.Contains("exists; results are never overwritten", suite.Run("folder", first).WithCode(1).Sentence());
        Assert.Contains("cannot be written", suite.Run("folder", "/proc/x").WithCode(1).Sentence());
        Assert.Contains("never overwritten", suite.Begin(suite.PathOf(first), []).WithCode(1).Sentence());
    }

    [Theory]
    [InlineData("AMD EPYC", "epyc")]
    [InlineData("AMD EPYC 7763 64-Core Processor", "epyc-7763")]
    [InlineData("AMD Ryzen 7 PRO 5850U with Radeon Graphics", "ryzen-7-5850u")]
    [InlineData("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz", "xeon-platinum-8370c")]
    [InlineData("12th Gen Intel(R) Core(TM) i7-12700K", "core-i7-12700k")]
    [InlineData("Intel(R) Processor", "intel-r-processor")]
    public void A_CPU_has_a_short_name(string model, string name) =>
        Assert.Equal([name], suite.Run("name", "--cpu-model", model).WithCode(0).Out);

    [Theory]
    [InlineData(
        "/root/s/bench-x/x.csproj : error NU1101: Unable to find package X. No packages exist with this id in "
        + "source(s): nuget.org [/root/s/bench-x/x.csproj]",
        "unavailable",
        "NU1101: Unable to find package X. No packages exist with this id in source(s): nuget.org")]
    [InlineData(
        "Restored.\n/home/me/my bench/A.cs(1,2): error CS1002: ; expected [/home/me/x.csproj]\nmore: error CS1003: x",
        "failed",
        "CS1002: ; expected")]
    [InlineData("The file '/tmp/a b/c.dll' has an error.", "failed", "The file 'c.dll' has an error.")]
    [InlineData("", "failed", "The build said nothing.")]
    public void A_failed_build_is_told_in_a_sentence_without_paths(string log, string kind, string reason)
    {
        string[] built = ["built", "--library", "x", "--failed"];
        var told = suite.RunWith(log.Split('\n'), [.. built, "--out", suite.PathOf("notes")]);
        told.WithCode(kind == "failed" ? 1 : 0);
        Assert.Equal([$"bench-x is {kind}: {reason}"], told.Out);
        var error = Assert.Single(Record.In(suite.PathOf("notes")));
        Assert.Equal("build", (string?)error["side"]);
        Assert.Equal(kind, (string?)error["kind"]);
        Assert.Equal(1, (int)error["exit_code"]!);
        Assert.Equal(reason, (string?)error["reason"]);
        Assert.Empty(Contract.Faults(error, "error"));
        suite.RunWith(log.Split('\n'), [.. built, "--strict"]).WithCode(1);
    }

    [Fact]
    public void A_bench_that_was_built_says_what_it_can_do_or_has_failed()
    {
        Assert.SkipUnless(Bench.IsBuilt("bench-udp"), "bench-udp is not built.");
        var info = Assert.Single(suite.Run("built", "--library", "udp").WithCode(0).Records);
        Assert.Empty(Contract.Faults(info, "info"));
        var told = suite.Run("built", "--library", "nosuch", "--out", suite.PathOf("notes")).WithCode(1);
        Assert.StartsWith("bench-nosuch is failed: There is no built bench-nosuch", Assert.Single(told.Out));
        Assert.Equal("info", (string?)Assert.Single(Record.In(suite.PathOf("notes")))["side"]);
        suite.Run("built", "--library", "../udp").WrongUsage();
    }

    [Fact]
    public void A_sweep_begins_with_its_machine_its_benches_and_what_could_not_be_built()
    {
        var info = SuiteFolder.Info(SuiteFolder.Unbuilt);
        var error = SuiteFolder.Error("build", "unavailable", 1, side: "build");
        Assert.Empty(suite.Begin("my sweep", [info, error]).WithCode(0).Out);
        var lines = File.ReadAllLines(suite.PathOf("my sweep", "raw.jsonl"));
        Assert.Equal([info, error.Replace("\"run_id\":\"build\"", "\"run_id\":\"my-sweep\"")], lines[1..]);

        var machine = Record.Parse(lines[0]);
        Assert.Empty(Contract.Faults(machine, "machine"));
        Assert.Equal("my-sweep", (string?)machine["run_id"]);
        Assert.Equal("quick", (string?)machine["preset"]);
        Assert.Empty(machine["changed"]!);
        Assert.Equal(1, (int)machine["sweep_seed"]!);
        Assert.Equal(1, (int)machine["repeats"]!);
        Assert.Equal("all", (string?)machine["role"]);
        var settings = ((JObject)machine["sweep"]!).Properties();
        Assert.Equal(SuiteFolder.Quick, settings.Select(setting => $"{setting.Name}={setting.Value}"));
        Assert.Equal(Environment.ProcessorCount, (int)machine["cpu_count"]!);
        Tool.Run("check", suite.PathOf("my sweep", "raw.jsonl")).WithCode(0);
    }

    [Fact]
    public void What_flags_changed_of_a_preset_is_in_the_record_with_its_values()
    {
        File.WriteAllText(suite.PathOf("mine.preset"),
            "delivery=unreliable\nclients=1\nparallel=1\nwarmup_seconds=1\nseconds=1\nrepeats=1\nslo=p99=5ms\n");
        string[] Changed(params string[] flags)
        {
            var settings = suite.Run(["sweep", .. flags]).WithCode(0).Out;
            var folder = Guid.NewGuid().ToString();
            suite.BeginWith(settings, folder, []).WithCode(0);
            var machine = Record.In(suite.PathOf(folder, "raw.jsonl"))[0];
            Assert.Empty(Contract.Faults(machine, "machine"));
            return [.. machine["changed"]!.Select(one => (string)one!)];
        }
        Assert.Equal(["security none,tls"], Changed("--security", "none,tls", "--clients", "1,100", "--seed", "7"));
        Assert.Equal(["libraries udp", "rounds 9"], Changed("--rounds", "9", "--libraries", "udp"));
        Assert.Equal(["slo none"], Changed("--preset", "mine.preset", "--slo", "", "--interleaved", "yes"));
        Assert.Equal(["trace yes"], Changed("--trace", "yes", "--interleaved", "no", "--libraries", "tcp,udp"));
    }

    [Fact]
    public void A_machine_record_has_the_suites_commit_and_names_neither_host_nor_user_nor_folder()
    {
        File.WriteAllText(suite.PathOf("built"), "");
        string[] words = ["begin", suite.PathOf("here"), "--built", suite.PathOf("built")];
        Worker.Run(Tool.LeadPath, Repo.Root, string.Join('\n', SuiteFolder.Quick), words).WithCode(0);
        var line = Assert.Single(File.ReadAllLines(suite.PathOf("here", "raw.jsonl")));
        var machine = Record.Parse(line);
        Assert.Matches("^[0-9a-f]{40}$", (string?)machine["suite_commit"] ?? new('0', 40));
        var texts = machine.PropertyValues().Where(value => value.Type == JTokenType.String);
        Assert.DoesNotContain(texts, text => (string)text! == Environment.MachineName);
        Assert.DoesNotContain(texts, text => (string)text! == Environment.UserName);
        Assert.DoesNotContain(Repo.Root, line);
        Assert.DoesNotContain(suite.Folder, line);
    }

    [Fact]
    public void Settings_that_are_none_of_a_sweep_begin_nothing()
    {
        File.WriteAllText(suite.PathOf("built"), "");
        string Told(params string[] lines) => suite.RunWith(lines, "begin", "x", "--built", "built").WrongUsage();
        Told();
        Assert.Contains("'at_most' is missing", Told(SuiteFolder.Quick[..^1]));
        Assert.Contains("'trace'", Told([.. SuiteFolder.Quick, "trace=no"]));
        Assert.Contains("'odd'", Told([.. SuiteFolder.Quick, "odd=1"]));
        Assert.Contains("'odd'", Told([.. SuiteFolder.Quick, "odd"]));
        Assert.Contains("'odd'", Told([.. SuiteFolder.Quick, "changed=clients,odd"]));
        Assert.Contains("'x'", Told([SuiteFolder.Quick[0], "seed=x", .. SuiteFolder.Quick[2..]]));
        suite.RunWith(SuiteFolder.Quick, "begin", "x").WrongUsage();
        suite.RunWith(SuiteFolder.Quick, "begin", "--built", "built").WrongUsage();
        suite.RunWith(SuiteFolder.Quick, "begin", "x", "--built", "nosuch").WrongUsage();
        Assert.False(Directory.Exists(suite.PathOf("x")));
    }

    [Fact]
    public void A_sweep_goes_on_only_on_the_machine_that_it_began_on()
    {
        var first = Record.Parse(SuiteFolder.BegunHere());
        Ended GoOn(JObject machine)
        {
            File.WriteAllLines(suite.Raw, SuiteFolder.Lines(machine));
            var ended = suite.Begin(suite.Folder, [], "--resume");
            Assert.Equal(SuiteFolder.Lines(machine), File.ReadAllLines(suite.Raw));
            return ended;
        }
        foreach (var field in Contract.Tables["machine"].Where(field => !notOfMachine.Contains(field.Name)))
        {
            var other = (JObject)first.DeepClone();
            other[field.Name] = field.Type.TrimEnd('?') switch
            {
                "int" => 77,
                "number" => 7.5,
                "bool" => (bool?)first[field.Name] != true,
                "object" => new JObject { ["DOTNET_gcServer"] = "1" },
                _ => "other",
            };
            var told = GoOn(other).WithCode(1).Sentence();
            Assert.Contains(field.Name, told);
            if (field.Type.StartsWith("int"))
                Assert.Contains("77", told);
        }
        var alike = (JObject)first.DeepClone();
        alike["date_utc"] = "other";
        alike["preset"] = "other";
        alike["sweep_seed"] = 77;
        alike["repeats"] = 77;
        GoOn(alike).WithCode(0);
        alike["role"] = "server";
        Assert.Contains("no record of a machine for all", GoOn(alike).WithCode(1).Sentence());
    }

    [Fact]
    public void A_bench_of_another_version_is_refused_and_a_new_one_is_added()
    {
        var one = SuiteFolder.Info(SuiteFolder.Unbuilt);
        var two = SuiteFolder.Info("another");
        string[] before = [SuiteFolder.BegunHere(), one, .. SuiteFolder.Whole("r1")];
        Ended GoOn(params string[] built)
        {
            File.WriteAllLines(suite.Raw, before);
            return suite.Begin(suite.Folder, built, "--resume");
        }
        foreach (var field in new[] { "library_version", "library_sha256", "bench_sha256" })
        {
            var told = GoOn(two, SuiteFolder.Info(SuiteFolder.Unbuilt, (field, "other"))).WithCode(1).Sentence();
            Assert.Contains($"{field} of bench-made is other, but {Record.Parse(one)[field]}", told);
            Assert.Equal(before, File.ReadAllLines(suite.Raw));
        }
        GoOn(one).WithCode(0);
        Assert.Equal(before, File.ReadAllLines(suite.Raw));
        GoOn(one, two).WithCode(0);
        Assert.Equal([.. before, two], File.ReadAllLines(suite.Raw));
        Assert.Contains("built:2: ", GoOn(one, "garbage").WrongUsage());
    }

    [Fact]
    public void What_a_library_cannot_do_is_said_each_time_and_written_once_a_reason()
    {
        Assert.SkipUnless(Bench.IsBuilt("bench-udp"), "bench-udp is not built.");
        var udp = Assert.Single(suite.Run("built", "--library", "udp").WithCode(0).Out);
        for (var time = 0; time < 3; time++)
        {
            var told = suite.Begin("sweep", [udp], time == 0 ? [] : ["--resume"]).WithCode(0);
            Assert.Equal([$"bench-udp does without: {CannotDo} {AnotherThing}"], told.Out);
            var records = Record.In(suite.PathOf("sweep", "raw.jsonl"));
            var errors = records.Where(record => Record.KindOf(record) == "error").ToArray();
            Assert.Equal([CannotDo, AnotherThing], errors.Select(error => (string?)error["reason"]));
            Assert.All(errors, error =>
            {
                Assert.Equal("unsupported", (string?)error["kind"]);
                Assert.Equal("info", (string?)error["side"]);
                Assert.Equal(3, (int)error["exit_code"]!);
            });
        }
        Tool.Run("check", suite.PathOf("sweep", "raw.jsonl")).WithCode(0);
    }
}
