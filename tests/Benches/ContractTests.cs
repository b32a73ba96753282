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
        Assert.Equal(1, (int)example["v"]!);
        Assert.Empty(Contract.Faults(example, name));
    }

    [Fact]
    public void Every_record_that_is_spoken_of_has_a_table_and_an_example()
    {
        Assert.Equal(
            ["canary", "client", "error", "info", "interval", "machine", "ready", "server"],
            Contract.Examples.Keys.Order());
        Assert.Equal(["cost", "runtime", "settings"], Contract.Tables.Keys.Except(Contract.Examples.Keys).Order());
    }

    [Fact]
    public void The_example_of_the_clients_adds_up() =>
        Record.AssertAddsUp(Record.Parse(Contract.Examples["client"]));

    [Fact]
    public void The_example_of_the_server_has_the_bytes_of_its_messages()
    {
        var server = Record.Parse(Contract.Examples["server"]);
        Assert.Equal((long)server["bytes_received"]!,
            (long)server["received"]! * (long)server["settings"]!["payload_bytes"]!);
    }

    [Fact]
    public void Settings_are_the_flags_by_name() =>
        Assert.Equal(Contract.Flags.Select(flag => flag.Name[2..].Replace('-', '_')),
            Contract.Tables["settings"].Select(field => field.Name));

    [Fact]
    public void Exit_codes_are_those_of_the_program()
    {
        var program = File.ReadAllText(Repo.PathOf(Repo.Benches[0], "Program.cs"));
        var constants = Regex.Match(program, "public const int (Measured[^;]+);").Groups[1].Value;
        Assert.Equal(Contract.ExitCodes, constants.Split(',').Select(part => int.Parse(part.Split('=')[1])));
    }

    [Theory, MemberData(nameof(Bench.All), MemberType = typeof(Bench))]
    public void Verbs_and_flags_are_those_of_the_help(string bench)
    {
        var help = HelpOf(bench);
        Assert.All(Contract.Verbs, verb => Assert.Matches($"(?m)^  {verb} ", help));
        var flags = new[] { "run", "server", "client", "manual" }.SelectMany(verb => FlagsOf(bench, verb)).ToLookup(
            flag => flag.Name, flag => flag.Default);
        Assert.Equal(Contract.NamedFlags, flags.Select(flag => flag.Key).Order());
        foreach (var flag in Contract.Flags)
            Assert.All(flags[flag.Name], value => AssertDefault(bench, flag, value));
    }

    static void AssertDefault(string bench, Contract.Flag flag, string shown)
    {
        if (flag.Default == "date and time") Assert.Matches(@"^\d{8}-\d{6}-\d{3}$", shown);
        else if (flag.Default == "the library's first") Assert.Equal(Bench.DeliveriesOf(bench)[0], shown);
        else if (flag.Least == null) Assert.Equal(flag.Default, shown);
        else Assert.Equal(double.Parse(flag.Default, CultureInfo.InvariantCulture),
            double.Parse(shown, CultureInfo.InvariantCulture));
    }

    static string HelpOf(string bench, params string[] verb) =>
        string.Join('\n', Bench.Run(bench, [.. verb, "--help"]).WithCode(0).Out);

    static IEnumerable<(string Name, string Default)> FlagsOf(string bench, string verb) =>
        Regex.Matches(HelpOf(bench, verb), @"(?m)^ +(--[a-z-]+) .*?(?:\[default: (.*)\])?$")
            .Select(match => (match.Groups[1].Value, match.Groups[2].Value));
}
