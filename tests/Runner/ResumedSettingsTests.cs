using Newtonsoft.Json.Linq;

/// <summary>`runner sweep`: the settings of a sweep that goes on, and where its sides are.</summary>
public sealed class ResumedSettingsTests : InSuiteFolder
{
    [Fact]
    public void A_sweep_that_goes_on_has_the_settings_that_it_began_with()
    {
        File.WriteAllLines(suite.Raw, [SuiteFolder.Info("udp"), Machine(), Machine(m => m["sweep"]!["clients"] = "5")]);
        string[] resumed = ["sweep", "--resume", suite.Folder];
        var settings = suite.Run(resumed).WithCode(0).Out;
        Assert.Equal(SuiteFolder.With(("delivery", "reliable-ordered,unreliable"), ("repeats", "2")), settings);
        void Same(params string[] flags) =>
            Assert.Equal(settings, suite.Run([.. resumed, .. flags]).WithCode(0).Out);
        Same("--clients", "1,100", "--seed", "1", "--trace", "no");

        var told = suite.Run([.. resumed, "--clients", "1,10"]).WrongUsage();
        Assert.Matches("clients is '1,100' in .*, but '1,10' is given", told);
        Assert.Contains("'2'", suite.Run([.. resumed, "--seed", "2"]).WrongUsage());
        Assert.Contains("preset is 'quick'", suite.Run([.. resumed, "--preset", "scale"]).WrongUsage());
        Assert.Contains("delivery is ", suite.Run([.. resumed, "--preset", "quick"]).WrongUsage());
        Same("--preset", "quick", "--delivery", "reliable-ordered,unreliable", "--repeats", "2");
        suite.Run([.. resumed, "--preset", "nosuch"]).WrongUsage();
        suite.Run([.. resumed, "--clients", "0"]).WrongUsage();
    }

    [Fact]
    public void A_sweep_whose_settings_are_not_recorded_or_unsound_cannot_go_on()
    {
        string Told() => suite.Run("sweep", "--resume", suite.Folder).WrongUsage();
        Assert.Contains("raw.jsonl", Told());
        File.WriteAllLines(suite.Raw, [Machine(m => m.Remove("sweep")), SuiteFolder.Info("udp")]);
        Assert.Contains("no machine record", Told());
        File.WriteAllLines(suite.Raw, [Machine(m => m["sweep"]!["libraries"] = "gone")]);
        Assert.Contains("'gone' is no value", Told());
        File.WriteAllLines(suite.Raw, [Machine(m => ((JObject)m["sweep"]!).Remove("only"))]);
        Assert.Contains("'only' is missing", Told());
        File.WriteAllLines(suite.Raw, [Machine(m => ((JObject)m["sweep"]!).Remove("payload"))]);
        Assert.Contains("'payload' is missing", Told());
        File.WriteAllLines(suite.Raw, [Machine(m => m["v"] = 8)]);
        Assert.Contains("v is 8, not 11", Told());
        File.WriteAllLines(suite.Raw, [Machine(m => m["sweep"]!["other"] = "1")]);
        Assert.Contains("'other'", Told());
    }

    [Fact]
    public void Hosts_are_settings_that_are_given_each_time_and_have_no_plan_of_CPUs()
    {
        string[] hosts = ["sweep", "--client-hosts", "a,u@b", "--address", "10.0.0.1"];
        Assert.Equal([.. SuiteFolder.Quick, "client_hosts=a,u@b", "remote_folder=netbench", "address=10.0.0.1"],
            suite.Run(hosts).WithCode(0).Out);
        Assert.Contains("server_host=a", suite.Run("sweep", "--server-host", "a").WithCode(0).Out);
        Assert.Contains("pin=7,9/1", suite.Run([.. hosts, "--pin", "7,9/1"]).WithCode(0).Out);
        Assert.Contains("as in 0/1", suite.Run("sweep", "--server-host", "a", "--pin", "auto").WrongUsage());
        Assert.Contains("needs the --address", suite.Run(hosts[..3]).WrongUsage());
        File.WriteAllLines(suite.Raw, [Machine()]);
        Assert.Equal(["client_hosts=a,u@b", "remote_folder=netbench", "address=10.0.0.1"],
            suite.Run([.. hosts, "--resume", suite.Folder]).WithCode(0).Out[SuiteFolder.Quick.Length..]);
        File.WriteAllLines(suite.Raw, [Machine(machine => machine["sweep"]!["client_hosts"] = "a")]);
        Assert.Contains("'client_hosts'", suite.Run("sweep", "--resume", suite.Folder).WrongUsage());
    }

    [Theory]
    [InlineData("server_host=-oProxyCommand=touch${IFS}odd")]
    [InlineData("server_host=a,b")]
    [InlineData("client_hosts=a,$(touch odd)")]
    [InlineData("remote_folder=../netbench")]
    public void Settings_with_odd_hosts_are_wrong_usage(string setting)
    {
        var parts = setting.Split('=', 2);
        var flag = $"--{parts[0].Replace('_', '-')}";
        suite.Run("sweep", flag, parts[1], "--address", "a").WrongUsage();
        suite.RunWith([.. SuiteFolder.Quick, setting], "plan").WrongUsage();
        Assert.False(File.Exists(suite.PathOf("odd")));
    }

    static string Machine(Action<JObject>? change = null)
    {
        var machine = MadeUp.Machine();
        change?.Invoke(machine);
        return SuiteFolder.Lines(machine)[0];
    }
}
