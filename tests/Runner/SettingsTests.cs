/// <summary>`runner sweep`: the settings of a sweep, by flags, else by its preset.</summary>
public sealed class SettingsTests : InSuiteFolder
{
    [Fact]
    public void Without_flags_the_settings_are_those_of_quick_for_every_bench_folder() =>
        Assert.Equal(SuiteFolder.Quick, suite.Run("sweep").WithCode(0).Out);

    [Fact]
    public void A_flag_of_every_key_wins_over_the_preset()
    {
        string[] given =
        [
            "preset=quick",
            "seed=999999999",
            "libraries=udp",
            "work=echo,game,sum",
            "delivery=unreliable,reliable-ordered",
            "clients=100000,9",
            "parallel=10000,3",
            "payload_bytes=262144,24",
            "payload=ones,zeros",
            "rate=10000000,7,1000/client,200%",
            "tick_hz=10000,1",
            "room=9",
            "snapshot_bytes=56",
            "stalled_clients=1",
            "churn=2/s",
            "profile=tuned,default",
            "variant=default,h2",
            "security=tls,none",
            "warmup_seconds=0",
            "seconds=0.125",
            "rounds=10000",
            "slice_ms=1",
            "settle_ms=1000",
            "awake=yes",
            "trace=no",
            "rtt_ms=10000,none",
            "jitter_ms=0.5",
            "loss_percent=90,0",
            "loss_burst_packets=1000",
            "rate_mbit=100000,0.1",
            "queue=64kB,0.5bdp",
            "only=9x3",
            "loads=clients=9 parallel=3; clients=9 parallel=3 payload=ones",
            "ladder=yes",
            "slo=p99.9=999999999.999s,loss=100%,p50=0.001us,p90=7ms,p99=8ms",
            "pin=0/0",
            "interleaved=yes",
            "repeats=1000",
            "until=0.1%",
            "players_until=p50=1ms,late-ticks=1.5%,loss=2%",
            "at_most=1.5h",
        ];
        var flags = new List<string>();
        foreach (var line in given[1..])
        {
            var setting = line.Split('=', 2);
            flags.Add("--" + setting[0].Replace('_', '-'));
            flags.Add(setting[1]);
        }
        // Of what a preset says only the trace is as it was.
        var names = given[2..].Select(line => line.Split('=')[0]).Where(name => name is not ("trace" or "interleaved"));
        Assert.Equal(
            [.. given, $"changed={string.Join(',', names)}"],
            suite.Run(["sweep", .. flags]).WithCode(0).Out);
    }

    [Fact]
    public void Every_preset_of_the_suite_is_sound_and_has_the_libraries_that_do_its_work()
    {
        const string OfMessages = "datachannel,enet,kcp2k,litenetlib,netcoreserver,riptide,standardnetworklibrary";
        foreach (var bench in OfMessages.Split(',').Append("called"))
            suite.AddBench(bench);
        File.WriteAllText(suite.PathOf("bench-called", "Calls.cs"), "");
        File.WriteAllText(suite.PathOf("bench-called", "Broadcast.cs"), "");
        File.WriteAllText(suite.PathOf("bench-tcp", "Game.cs"), "");
        var files = Directory.GetFiles(Repo.PathOf("scripts", "presets"));
        Assert.All(files.Select(path => Path.GetFileNameWithoutExtension(path)!), preset =>
        {
            var settings = suite.Run("sweep", "--preset", preset).WithCode(0).Out;
            Assert.Contains($"preset={preset}", settings);
            var libraries = preset switch
            {
                _ when preset.StartsWith("calls") => "called",
                "streams-of-echoes" => "tcp,netcoreserver,standardnetworklibrary",
                // Over a link plain datagrams are led too, by which it is measured.
                "rooms-links" => "called,tcp,udp",
                _ when preset.StartsWith("rooms") => "called,tcp",
                "releases" or "players" => NamedIn(preset),
                _ => $"{OfMessages},tcp,udp",
            };
            Assert.Contains($"libraries={libraries}", settings);
        });
        static string NamedIn(string preset) => File.ReadLines(Repo.PathOf("scripts", "presets", $"{preset}.preset"))
            .Single(line => line.StartsWith("libraries="))["libraries=".Length..];
        var ofBothWorks = suite.Run("sweep", "--work", "sum,echo").WithCode(0).Out;
        Assert.Contains($"libraries=called,{OfMessages},tcp,udp", ofBothWorks);
    }

    [Theory]
    [InlineData("--clients", "0")]
    [InlineData("--clients", "100001")]
    [InlineData("--clients", "x")]
    [InlineData("--clients", "1.0")]
    [InlineData("--clients", "01")]
    [InlineData("--clients", "+1")]
    [InlineData("--clients", " 1")]
    [InlineData("--clients", "1\n")]
    [InlineData("--clients", "1e3")]
    [InlineData("--clients", "١")]
    [InlineData("--clients", "")]
    [InlineData("--clients", "1,,2")]
    [InlineData("--clients", "1,")]
    [InlineData("--clients", ",1")]
    [InlineData("--clients", "1,2,1")]
    [InlineData("--parallel", "0")]
    [InlineData("--parallel", "10001")]
    [InlineData("--payload-bytes", "23")]
    [InlineData("--payload-bytes", "262145")]
    [InlineData("--repeats", "0")]
    [InlineData("--repeats", "1001")]
    [InlineData("--repeats", "1,2")]
    [InlineData("--warmup-seconds", "3600.001")]
    [InlineData("--warmup-seconds", "1,5")]
    [InlineData("--seconds", "0.099")]
    [InlineData("--seconds", "86400.001")]
    [InlineData("--seconds", "1.2345")]
    [InlineData("--seconds", "1.")]
    [InlineData("--seconds", "NaN")]
    [InlineData("--seconds", "-0.5")]
    [InlineData("--seconds", "-1")]
    [InlineData("--seed", "-1")]
    [InlineData("--seed", "1000000000")]
    [InlineData("--profile", "fast")]
    [InlineData("--rate", "1.5")]
    [InlineData("--rate", "10000001")]
    [InlineData("--rate", "0%")]
    [InlineData("--rate", "201%")]
    [InlineData("--rate", "12.5%")]
    [InlineData("--rate", "0/client")]
    [InlineData("--rate", "1000001/client")]
    [InlineData("--rate", "5/clients")]
    [InlineData("--ladder", "maybe")]
    [InlineData("--slo", "p95=5ms")]
    [InlineData("--slo", "p99=0ms")]
    [InlineData("--slo", "loss=1")]
    [InlineData("--slo", "loss=100.1%")]
    [InlineData("--slo", "loss=1%,p99=1s,loss=2%")]
    [InlineData("--slo", "p99=1s\n")]
    [InlineData("--pin", "0/")]
    [InlineData("--pin", "1-0/0")]
    [InlineData("--pin", "9999/0")]
    [InlineData("--pin", "auto,none")]
    [InlineData("--interleaved", "maybe")]
    [InlineData("--rounds", "0")]
    [InlineData("--rounds", "10001")]
    [InlineData("--rounds", "5,6")]
    [InlineData("--slice-ms", "0")]
    [InlineData("--slice-ms", "1.5")]
    [InlineData("--settle-ms", "1001")]
    [InlineData("--churn", "2/min")]
    [InlineData("--snapshot-bytes", "55")]
    [InlineData("--players-until", "p95=5ms")]
    [InlineData("--players-until", "late-ticks=101%")]
    [InlineData("--slo", "late-ticks=1%")]
    [InlineData("--loads", "clients")]
    [InlineData("--loads", "clients=0")]
    [InlineData("--loads", "clients=1; repeats=1")]
    [InlineData("--loads", "clients=1 clients=2")]
    [InlineData("--until", "3")]
    [InlineData("--until", "0.09%")]
    [InlineData("--until", "50.1%")]
    [InlineData("--until", "3%,4%")]
    [InlineData("--at-most", "20min")]
    [InlineData("--awake", "true")]
    [InlineData("--trace", "true")]
    [InlineData("--trace", "yes,no")]
    [InlineData("--delivery", "invented")]
    [InlineData("--delivery", "unreliable,unreliable")]
    [InlineData("--libraries", "nosuch")]
    [InlineData("--libraries", "../udp")]
    [InlineData("--libraries", "UDP")]
    [InlineData("--libraries", "")]
    [InlineData("--only", "1")]
    [InlineData("--only", "1x0")]
    [InlineData("--only", "1x1x1")]
    [InlineData("--only", "7x7")]
    [InlineData("--only", "1x1,1x1")]
    [InlineData("--preset", "nosuch")]
    [InlineData("--preset", "../presets/quick")]
    [InlineData("--client", "1")]
    public void A_value_that_no_sweep_can_have_is_wrong_usage(string flag, string value) =>
        suite.Run("sweep", flag, value).WrongUsage();

    [Fact]
    public void A_refusal_names_the_flag_and_the_value()
    {
        Assert.Contains("'0' is no value for --clients", suite.Run("sweep", "--clients", "1,0").WrongUsage());
        Assert.Contains("--clients names '1' twice", suite.Run("sweep", "--clients", "1,1").WrongUsage());
        Assert.Contains("--repeats takes one value", suite.Run("sweep", "--repeats", "1,2").WrongUsage());
        Assert.Contains(
            "A stream is not answered",
            suite.Run("sweep", "--work", "stream", "--parallel", "2,10", "--libraries", "udp").WrongUsage());
        Assert.Contains("'50' is no value for --pin", suite.Run("sweep", "--pin", "50").WrongUsage());
        Assert.Contains("--slo: 'p95=1ms' is no term", suite.Run("sweep", "--slo", "loss=1%,p95=1ms").WrongUsage());
        Assert.Contains("--slo names 'p99' twice", suite.Run("sweep", "--slo", "p99=1s,p99=2s").WrongUsage());
        Assert.Contains("rate of 101 clients is 101000000 messages/s",
            suite.Run("sweep", "--rate", "1000000/client", "--clients", "101").WrongUsage());
        Assert.Contains("--clients", suite.Run("sweep", "--clients").WrongUsage());
        Assert.Contains(
            "presets: calls, calls-essential, calls-sizes, classic, essential",
            suite.Run("sweep", "--preset", "nosuch").WrongUsage());
        Directory.CreateDirectory(suite.PathOf("bench-my_own"));
        var told = suite.Run("sweep", "--libraries", "my_own").WrongUsage();
        Assert.Contains("'my_own' is no value for --libraries", told);
        Assert.Contains("'my_own' is no value for libraries", suite.Run("sweep").WrongUsage());
        foreach (var bench in new[] { "udp", "tcp", "my_own" })
            Directory.Delete(suite.PathOf($"bench-{bench}"));
        Assert.Contains("bench-*", suite.Run("sweep").WrongUsage());
    }

    [Fact]
    public void Until_stopped_goes_with_one_launch()
    {
        string[] ofOneCell = ["--libraries", "udp", "--delivery", "unreliable", "--clients", "1,2", "--only", "2x1"];
        string[] one = ["sweep", "--seconds", "-1", .. ofOneCell];
        Assert.Contains("seconds=-1", suite.Run([.. one, "--repeats", "1"]).WithCode(0).Out);
        Assert.Contains("not of 2", suite.Run([.. one, "--repeats", "2"]).WrongUsage());
    }

    [Fact]
    public void What_is_of_one_library_at_a_time_is_measured_separately()
    {
        string[] one = ["sweep", "--libraries", "udp", "--delivery", "unreliable", "--clients", "1"];
        foreach (var flags in new string[][] { ["--trace", "yes"], ["--seconds", "-1"] })
        {
            Assert.Contains("interleaved=no", suite.Run([.. one, .. flags]).WithCode(0).Out);
            var told = suite.Run([.. one, .. flags, "--interleaved", "yes"]).WrongUsage();
            Assert.Contains("goes with interleaved no", told);
        }
        Assert.Contains("interleaved=no", suite.Run("sweep", "--preset", "sampling").WithCode(0).Out);
    }

    [Fact]
    public void A_precision_that_is_asked_for_has_a_time_and_libraries_interleaved()
    {
        Assert.Contains("at_most=20min", suite.Run("sweep", "--until", "3%").WithCode(0).Out);
        Assert.Contains("at_most=90s", suite.Run("sweep", "--until", "3%", "--at-most", "90s").WithCode(0).Out);
        Assert.Contains("needs until", suite.Run("sweep", "--at-most", "20min").WrongUsage());
        var told = suite.Run("sweep", "--until", "3%", "--interleaved", "no").WrongUsage();
        Assert.Contains("needs interleaved yes", told);
        foreach (var odd in new[] { "20", "min", "0.01min", "20 min", "20m", "1..5h", "1h,2h", "-1h" })
            Assert.Contains("--at-most", suite.Run("sweep", "--until", "3%", "--at-most", odd).WrongUsage());
    }

    [Theory]
    [InlineData("client=1", ":2: 'client=1' is no setting")]
    [InlineData("seed=1", ":2: 'seed=1' is no setting")]
    [InlineData("clients", ":2: 'clients' is no setting")]
    [InlineData("clients=0", ":2: clients")]
    [InlineData("# a comment\n\nclients=0", ":4: clients")]
    [InlineData("clients=1,,2", ":2: clients takes")]
    [InlineData("clients= 1", ":2: clients")]
    [InlineData("libraries=", ":2: libraries takes")]
    [InlineData("delivery=unreliable", ":2: delivery is there twice")]
    [InlineData("rate=50%,x", ":2: rate")]
    [InlineData("slo=p99=5ms,p99=6ms", ":2: slo names 'p99' twice")]
    [InlineData("load=clients=2 seconds=1", ":2: load: 'seconds=1' is no list of a sweep")]
    [InlineData("load=room=x", ":2: load: room")]
    [InlineData("pin=0", ":2: pin")]
    [InlineData("# nothing", " lacks a line 'clients=…'")]
    public void A_fault_of_a_preset_is_told_with_its_file_and_its_line(string line, string told)
    {
        File.WriteAllText(suite.PathOf("odd.preset"), $"delivery=unreliable\n{line}\n");
        Assert.Contains($"odd.preset{told}", suite.Run("sweep", "--preset", "odd.preset").WrongUsage());
    }

    [Fact]
    public void A_preset_may_come_from_another_folder_with_carriage_returns_and_without_a_last_line_end()
    {
        using var other = new Scratch();
        var lines = string.Join("\r\n", SuiteFolder.Quick[3..]);
        File.WriteAllText(other.PathOf("my own.preset"), "\uFEFF# mine\r\n\r\n" + lines);
        foreach (var preset in new[] { "my own.preset", other.PathOf("my own.preset") })
        {
            var settings = suite.Run("sweep", "--preset", preset, "--folder", other.Folder).WithCode(0).Out;
            Assert.Equal(["preset=my-own", .. SuiteFolder.Quick[1..]], settings);
        }
        suite.Run("sweep", "--preset", "my own.preset").WrongUsage();
    }

    [Fact]
    public void Culture_changes_no_setting()
    {
        (string, string)[] german =
        [
            ("LANG", "de_DE.UTF-8"),
            ("LC_ALL", "de_DE.UTF-8"),
            ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "0"),
        ];
        using var sweep = Command.StartIn(
            suite.Folder, german, "dotnet", Tool.LeadPath, "sweep", "--seconds", "1.25");
        Assert.Contains("seconds=1.25", sweep.Wait().WithCode(0).Out);
    }
}
