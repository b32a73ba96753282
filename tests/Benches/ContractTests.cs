using System.Globalization;
using System.Text.RegularExpressions;
using Newtonsoft.Json.Linq;

/// <summary>docs/cli.md, docs/flags.md and docs/records.md hold in themselves and say what the executables do.
/// </summary>
public sealed class ContractTests
{
    public static TheoryData<string> RecordNames => [.. Contract.Examples.Keys];

    [Theory, MemberData(nameof(RecordNames))]
    public void An_example_line_has_exactly_the_fields_of_its_table(string name)
    {
        var example = Record.Parse(Contract.Examples[name]);
        Assert.Equal(name, Record.KindOf(example));
        Assert.Equal(11, (int)example["v"]!);
        Assert.Empty(Contract.Faults(example, name));
    }

    [Fact]
    public void Every_record_that_is_spoken_of_has_a_table_and_an_example()
    {
        Assert.Equal(
            ["closed", "error", "info", "launch", "machine", "ready", "slice"],
            Contract.Examples.Keys.Order());
        Assert.Equal(
            ["link", "outcomes", "outside", "rounds", "settings", "trouble"],
            Contract.Tables.Keys.Except(Contract.Examples.Keys).Order());
    }

    [Fact]
    public void The_example_of_a_slice_adds_up() =>
        Record.AssertAddsUp(Record.Parse(Contract.Examples["slice"]));

    [Fact]
    public void The_example_of_flags_has_those_of_a_bench_by_name()
    {
        var flags = (JObject)Record.Parse(Contract.Examples["ready"])["flags"]!;
        Assert.Equal(FlagsOfRecords.Select(NameOf).Order(), flags.Properties().Select(flag => flag.Name).Order());
    }

    // Each of them a test gets from a program: of benches and the runner UsageTests and FaultTests.
    [Fact]
    public void Exit_codes_are_those_that_tests_get() => Assert.Equal([0, 1, 2, 3, 4, 130], Contract.ExitCodes);

    // The help is the same in every bench but for the library's name.
    [Fact]
    public void Verbs_and_flags_of_a_bench_are_those_of_its_help()
    {
        static string Help(params string[] words) => string.Join('\n', Bench.AskModel(words).WithCode(0).Out);

        var help = Help("--help");
        Assert.All(Contract.Verbs, verb => Assert.Matches($@"\b{verb}\b", help));
        Assert.Equal(Contract.NamedFlags, FlagsIn(help));
        foreach (var verb in Contract.Verbs)
        {
            Assert.Equal(help, Help(verb, "--help"));
        }
        // Whoever starts a bench to see what it is is told.
        Assert.Equal(help, Help());
    }

    // What is its own of them info tells; the rest is the same in every bench.
    [Theory, InlineData("bench-udp"), InlineData("bench-http")]
    public void A_bench_has_the_defaults_of_the_contract_and_its_server_that_nobody_met_ends_well_on_SIGTERM(
        string bench)
    {
        Assert.SkipUnless(Bench.IsBuilt(bench), $"{bench} is not built.");
        var (server, port) = Bench.StartServer(bench);
        using (server)
        {
            // Elsewhere the same call follows the signal as follows closed stdin.
            if (OperatingSystem.IsLinux())
            {
                server.Stop();
                Counted.ByHand(server.Wait().WithCode(0).Records);
            }
        }
        var shown = (JObject)Record.Parse(server.Lines[0])["flags"]!;
        var library = Bench.InfoOf(bench);
        foreach (var flag in FlagsOfRecords)
        {
            var expected = flag.Name switch
            {
                "--work" => (string)library["works"]![0]!,
                "--delivery" => (string)library["deliveries"]![0]!,
                "--variant" => ((JObject)library["variants"]!).Properties().First().Name,
                "--certificate-sha256" => "",
                "--port" => port,
                _ => flag.Default,
            };
            Assert.Equal((flag.Name, expected), (flag.Name, (string?)shown[NameOf(flag)]));
        }
    }

    // An address that no machine has: it stands in documentation.
    [Fact]
    public void The_default_port_of_a_bench_is_that_of_the_contract()
    {
        var port = Contract.Flags.Single(flag => flag.Name == "--port").Default;
        var error = Bench.Run(Bench.Model, "server", "--address", "192.0.2.1").Failure();
        Assert.StartsWith($"Cannot listen on 192.0.2.1:{port}: ", (string?)error["reason"]);
    }

    [Fact]
    public void Verbs_and_flags_of_the_runner_are_those_of_its_help()
    {
        Assert.Equal(Contract.VerbsOfRunner.Order(), VerbsOfRunnerIn(Tool.Lead("--help")).Order());
        var shown = FlagsOfRunnerIn(Tool.Lead("run", "--help"));
        var flags = Contract.SharedFlags.Concat(Contract.FlagsOfRun).ToArray();
        var named = flags.Select(flag => flag.Name).Concat(Contract.FlagsNamedOfRunner);
        Assert.Empty(shown.Select(flag => flag.Name).Except(named));
        foreach (var flag in flags)
        {
            var own = Assert.Single(shown, other => other.Name == flag.Name);
            // A free port, and off: said in other words or not at all.
            if (flag.Name is not ("--port" or "--awake" or "--trace"))
            {
                AssertDefault(flag, own.Default);
            }
        }
    }

    // A file is named in no record.
    static IEnumerable<Contract.Flag> FlagsOfRecords => Contract.Flags.Where(flag => flag.Name != "--certificate");

    static void AssertDefault(Contract.Flag flag, string shown)
    {
        var isNumber = double.TryParse(flag.Default, CultureInfo.InvariantCulture, out var number);
        if (flag.Least != null && isNumber)
        {
            Assert.Equal(number, double.Parse(shown, CultureInfo.InvariantCulture));
        }
        else
        {
            Assert.Equal(flag.Default, shown);
        }
    }

    static string NameOf(Contract.Flag flag) => flag.Name[2..].Replace('-', '_');

    static IEnumerable<string> FlagsIn(string help)
    {
        return Regex.Matches(help, "--[a-z0-9-]+").Select(match => match.Value).Distinct().Order();
    }

    static IEnumerable<string> VerbsOfRunnerIn(Ended help)
    {
        var commands = string.Join('\n', help.WithCode(0).Out).Split("Commands:")[1];
        return Regex.Matches(commands, "(?m)^  ([a-z]+) ").Select(match => match.Groups[1].Value);
    }

    static (string Name, string Default)[] FlagsOfRunnerIn(Ended help)
    {
        var text = string.Join('\n', help.WithCode(0).Out);
        var lines = Regex.Matches(text, @"(?m)^ +(--[a-z0-9-]+) .*?(?:\[default: (.*)\])?$");
        return [.. lines.Select(match => (match.Groups[1].Value, match.Groups[2].Value))];
    }
}
