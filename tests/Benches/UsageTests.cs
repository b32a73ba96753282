using System.Globalization;

/// <summary>What a bench or the runner does not understand is refused in one sentence before anything starts.</summary>
public sealed class UsageTests
{
    [Fact]
    public void No_verb_an_unknown_verb_and_an_unknown_flag_are_wrong_usage()
    {
        Run().WrongUsage();
        Run("measure").WrongUsage();
        Run("client", "--client", "2").WrongUsage();
        Run("client", "2").WrongUsage();
        Run("client", "--clients").WrongUsage();
        Run("client", "--clients", "1", "--clients", "2").WrongUsage();
        Run("server", "--out", "file").WrongUsage();
        Tool.Lead().WrongUsage();
        Tool.Lead("measure").WrongUsage();
        Tool.Lead("run").WrongUsage();
        Lead("--client", "2").WrongUsage();
        Lead("2").WrongUsage();
        Lead("--clients").WrongUsage();
        Lead("--clients", "1", "--clients", "2").WrongUsage();
    }

    [Fact]
    public void A_library_without_a_bench_and_what_is_no_name_of_one_are_wrong_usage()
    {
        foreach (var verb in new[] { "run", "manual" })
        {
            Assert.Contains("bench-nosuch", Tool.Lead(verb, "nosuch").WrongUsage());
            foreach (var name in new[] { "..", "a b", "", "UDP", "udp." })
                Assert.Contains("is no name of a library", Tool.Lead(verb, name).WrongUsage());
        }
        Assert.Contains("is no name of a library", Tool.Lead("manual", "../bench-udp").WrongUsage());
        Tool.Lead("side", "udp", "info").WrongUsage();
    }

    [Fact]
    public void A_number_outside_of_its_range_is_wrong_usage()
    {
        Assert.All(Contract.Flags.Where(flag => flag.Least != null), flag =>
            Assert.All(Odd(flag), value => Run("info", flag.Name, value).WrongUsage()));
        // Port 0 is a free one there.
        Assert.All(Contract.SharedFlags.Concat(Contract.FlagsOfRun).Where(flag => flag.Least != null), flag =>
            Assert.All(Odd(flag), value => _ = flag.Name == "--port" && value == "0" ? "" : Lead(flag.Name, value).WrongUsage()));
    }

    [Fact]
    public void The_ends_of_every_range_are_understood()
    {
        foreach (var end in new Func<Contract.Flag, string?>[] { flag => flag.Least, flag => flag.Most })
        {
            string[] Flags(IEnumerable<Contract.Flag> flags) => [.. flags.Where(flag => flag.Least != null)
                .SelectMany(flag => new[] { flag.Name, end(flag)! })];
            Run(["info", .. Flags(Contract.Flags)]).WithCode(0);
            // Refused is only the file, when all flags are understood and before anything starts.
            Assert.Contains("cannot be written", Lead(["--out", "/no/such/folder/file", .. Flags(
                Contract.SharedFlags.Concat(Contract.FlagsOfRun).Where(flag => flag.Name is not ("--client-machines" or "--rounds")))]) // those go without --rtt-ms
                .WithCode(4).Sentence());
        }
    }

    [Fact]
    public void A_word_that_is_no_value_of_its_flag_is_wrong_usage()
    {
        string[] words =
        [
            "--run-id", "a/b", "--run-id", "", "--run-id", "a\n", "--run-id", new('a', 101),
            "--payload", "twos", "--server-cpus", "x", "--client-cpus", "0-", "--server-cpus", "0\n",
            "--profile", "fast", "--address", "", "--address", "a b",
        ];
        Assert.All(words.Chunk(2), word => Lead(word[0], word[1]).WrongUsage());
        Assert.All(new[] { "--payload", "twos", "--profile", "fast" }.Chunk(2), word => Run("info", word[0], word[1]).WrongUsage());
    }

    [Fact]
    public void A_span_of_no_time_or_between_minus_one_and_that_is_wrong_usage() =>
        Assert.All(["-0.5", "0", "0.05"], seconds => Lead("--seconds", seconds).WrongUsage());

    [Fact]
    public void An_invented_delivery_name_is_wrong_usage()
    {
        var invented = $"{Contract.Deliveries[0]}-{Random.Shared.Next():x}";
        Assert.Contains(invented, Run("client", "--delivery", invented).WrongUsage());
        Assert.Contains(invented, Lead("--delivery", invented).WrongUsage());
    }

    [Theory, MemberData(nameof(Bench.WithLackingDeliveries), MemberType = typeof(Bench))]
    public void A_delivery_that_the_library_lacks_is_unsupported(string bench, string delivery)
    {
        var byHand = Bench.Run(bench, "server", "--delivery", delivery).Failure(3);
        var led = Bench.Lead(bench, "--delivery", delivery).Failure(3);
        Assert.All([byHand, led], error =>
        {
            Assert.Equal("unsupported", (string?)error["kind"]);
            Assert.Equal($"{Bench.LibraryOf(bench)} has no {delivery} delivery.", (string?)error["reason"]);
        });
        Assert.Equal(delivery, (string?)led["settings"]!["delivery"]);
        Assert.Empty(Contract.Unknown(byHand));
        Assert.Empty(Contract.Faults(led, "error"));
    }

    [Fact]
    public void More_threads_than_clients_are_wrong_usage()
    {
        Assert.Contains("--client-threads", Run("client", "--clients", "2", "--client-threads", "3").WrongUsage());
        Assert.Contains("--client-threads", Lead("--clients", "2", "--client-threads", "3").WrongUsage());
    }

    [Fact]
    public void A_share_of_the_clients_that_there_is_not_is_wrong_usage()
    {
        string[][] shares =
        [
            ["--clients", "2", "--client-machines", "2", "--client-machine", "2"], ["--clients", "2", "--client-machine", "1"],
            ["--clients", "2", "--client-machines", "3"], ["--clients", "4", "--client-machines", "2", "--client-threads", "3"],
        ];
        Assert.All(shares, share => Assert.Contains("--client-", Run(["client", .. share]).WrongUsage()));
        Assert.Contains("--client-", Lead("--clients", "2", "--client-machines", "2").WrongUsage());
    }

    [Fact]
    public void A_host_or_folder_that_could_be_more_than_that_is_wrong_usage()
    {
        string[] words =
        [
            "--server-host", "-oProxyCommand=x", "--server-host", "a b", "--server-host", "a@b@c", "--server-host", "",
            "--server-host", "a$(x)", "--server-host", "a\n", "--client-hosts", "a;b", "--client-hosts", "a,,b",
            "--client-hosts", "a,-b", "--remote-folder", "../x y", "--remote-folder", "-x", "--remote-folder", "x`y`",
            "--remote-folder", "x;y", "--remote-folder", "", "--remote-folder", "x\n",
        ];
        Assert.All(words.Chunk(2), word => Assert.Matches("is no (host|value)",
            Lead("--address", "192.0.2.1", "--clients", "3", word[0], word[1]).WrongUsage()));
    }

    [Fact]
    public void Hosts_that_cannot_be_reached_so_are_wrong_usage()
    {
        Assert.Contains("--address", Lead("--client-hosts", "a").WrongUsage());
        Assert.Contains("--clients", Lead("--client-hosts", "a,b", "--address", "192.0.2.1").WrongUsage());
        Assert.Contains("--trace", Lead("--trace", "--server-host", "h").WrongUsage());
        foreach (var verb in Contract.Verbs) Run(verb, "--server-host", "h").WrongUsage();
        Tool.Lead("manual", Bench.LibraryOf(Bench.Model), "--server-host", "h").WrongUsage();
    }

    static Ended Run(params IEnumerable<string> args) => Bench.Run(Bench.Model, args);

    static Ended Lead(params IEnumerable<string> args) => Bench.Lead(Bench.Model, args);

    static string[] Odd(Contract.Flag flag) => [Beside(flag.Least!, -1), Beside(flag.Most!, +1), "x", "1,5", "NaN", ""];

    static string Beside(string number, int step) =>
        (double.Parse(number, CultureInfo.InvariantCulture) + step).ToString(CultureInfo.InvariantCulture);
}
