using System.Globalization;
using System.Text.RegularExpressions;

/// <summary>CONTRACT.md holds in itself and says what the executables do.</summary>
public sealed class ContractTests
{
    public static TheoryData<string> RecordNames => [.. Contract.Examples.Keys];

    [Theory, MemberData(nameof(RecordNames))]
    public void An_example_line_has_exactly_the_fields_of_its_table(string name)
    {
        var example = Record.Parse(Contract.Examples[name]);
        Assert.Equal(name, Record.KindOf(example));
        Assert.Equal(7, (int)example["v"]!);
        Assert.Empty(Contract.Faults(example, name));
    }

    [Fact]
    public void Every_record_that_is_spoken_of_has_a_table_and_an_example()
    {
        Assert.Equal(
            ["closed", "error", "info", "launch", "machine", "ready", "slice"],
            Contract.Examples.Keys.Order());
        Assert.Equal(["link", "outcomes", "outside", "rounds", "settings"], Contract.Tables.Keys.Except(Contract.Examples.Keys).Order());
    }

    [Fact]
    public void The_example_of_a_slice_adds_up_and_has_the_bytes_of_its_messages()
    {
        var slice = Record.Parse(Contract.Examples["slice"]);
        Record.AssertAddsUp(slice);
        var payload = Record.Parse(Contract.Examples["ready"])["flags"]!["payload_bytes"]!;
        Assert.Equal(Record.Sum(slice, "bytes"), Record.Sum(slice, "completed") * (long)payload);
    }

    [Fact]
    public void Settings_are_the_flags_of_a_run_by_name() =>
        Assert.Equal(Contract.SharedFlags.Concat(Contract.FlagsOfRun).Select(NameOf).Order(),
            Contract.Tables["settings"].Select(field => field.Name).Order());

    [Fact]
    public void The_example_of_flags_has_those_of_a_bench_by_name() =>
        Assert.Equal(Contract.Flags.Select(NameOf),
            Record.Parse(Contract.Examples["ready"])["flags"]!.Children<Newtonsoft.Json.Linq.JProperty>()
                .Select(flag => flag.Name));

    [Fact]
    public void Exit_codes_are_those_of_the_programs()
    {
        Assert.Equal(Contract.ExitCodes, CodesIn("Done", "report", "Records", "Exit.cs"));
        Assert.Subset(Contract.ExitCodes.ToHashSet(), CodesIn("Measured", Bench.Model, "Program.cs").ToHashSet());
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Verbs_and_flags_of_a_bench_are_those_of_its_help(string bench)
    {
        Assert.Equal(Contract.Verbs, VerbsIn(Bench.Run(bench, "--help")));
        var flags = Contract.Verbs.SelectMany(verb => FlagsIn(Bench.Run(bench, verb, "--help"))).ToLookup(
            flag => flag.Name, flag => flag.Default);
        Assert.Equal(Contract.NamedFlags, flags.Select(flag => flag.Key).Order());
        foreach (var flag in Contract.Flags)
            Assert.All(flags[flag.Name], value => AssertDefault(flag, flag.Name == "--work" ? "echo" : flag.Name == "--variant" ? "default" : flag.Name == "--certificate-sha256" ? ""
                : flag.Default == "the library's first" ? Bench.DeliveriesOf(bench)[0] : flag.Default, value));
    }

    [Fact]
    public void Verbs_and_flags_of_the_runner_are_those_of_its_help()
    {
        Assert.Equal(Contract.VerbsOfRunner.Order(), VerbsIn(Tool.Lead("--help")).Order());
        var flags = FlagsIn(Tool.Lead("run", "--help"));
        var known = Contract.SharedFlags.Concat(Contract.FlagsOfRun).Select(flag => flag.Name);
        Assert.All(flags.Select(flag => flag.Name).Except(known), name => Assert.Contains(name, Contract.FlagsNamedOfRunner));
        foreach (var flag in Contract.SharedFlags.Concat(Contract.FlagsOfRun))
        {
            var shown = Assert.Single(flags, other => other.Name == flag.Name).Default;
            // A free port, and off: said in other words or not at all.
            if (flag.Name is not ("--port" or "--awake" or "--trace")) AssertDefault(flag, flag.Default, shown);
        }
    }

    static void AssertDefault(Contract.Flag flag, string expected, string shown)
    {
        if (flag.Least == null || !double.TryParse(expected, CultureInfo.InvariantCulture, out var number)) Assert.Equal(expected, shown);
        else Assert.Equal(number, double.Parse(shown, CultureInfo.InvariantCulture));
    }

    static string NameOf(Contract.Flag flag) => flag.Name[2..].Replace('-', '_');

    static IEnumerable<int> CodesIn(string first, params string[] path) =>
        Regex.Match(File.ReadAllText(Repo.PathOf(path)), $"public const int ({first}[^;]+);").Groups[1].Value
            .Split(',').Select(part => int.Parse(part.Split('=')[1]));

    static IEnumerable<string> VerbsIn(Ended help) => Regex.Matches(
        string.Join('\n', help.WithCode(0).Out).Split("Commands:")[1], @"(?m)^  ([a-z]+) ").Select(match => match.Groups[1].Value);

    static (string Name, string Default)[] FlagsIn(Ended help) =>
        [.. Regex.Matches(string.Join('\n', help.WithCode(0).Out), @"(?m)^ +(--[a-z0-9-]+) .*?(?:\[default: (.*)\])?$")
            .Select(match => (match.Groups[1].Value, match.Groups[2].Value))];
}
