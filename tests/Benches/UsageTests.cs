using System.Globalization;

/// <summary>What a bench does not understand is refused in one sentence before anything starts.</summary>
public sealed class UsageTests
{
    // Said of a client whose flags are all understood, and before anything starts.
    const string NoPort = "needs the --port";

    [Fact]
    public void No_verb_an_unknown_verb_and_an_unknown_flag_are_wrong_usage()
    {
        Run().WrongUsage();
        Run("measure").WrongUsage();
        Run("run", "--client", "2").WrongUsage();
        Run("run", "2").WrongUsage();
        Run("run", "--clients").WrongUsage();
        Run("run", "--clients", "1", "--clients", "2").WrongUsage();
        Run("server", "--out", "file").WrongUsage();
    }

    [Fact]
    public void A_number_outside_of_its_range_is_wrong_usage() =>
        Assert.All(Contract.Flags.Where(flag => flag.Least != null), flag =>
        {
            foreach (var value in new[] { Beside(flag.Least!, -1), Beside(flag.Most!, +1), "x", "1,5", "NaN", "" })
                AssertRefused(flag.Name, value);
        });

    [Fact]
    public void The_ends_of_every_range_are_understood()
    {
        foreach (var end in new Func<Contract.Flag, string?>[] { flag => flag.Least, flag => flag.Most })
            Assert.Contains(NoPort, Run(["client", .. Contract.Flags
                .Where(flag => flag.Least != null && flag.Name != "--port")
                .SelectMany(flag => new[] { flag.Name, end(flag)! })]).WrongUsage());
    }

    [Fact]
    public void A_word_that_is_no_value_of_its_flag_is_wrong_usage()
    {
        string[] words =
        [
            "--run-id", "a/b", "--run-id", "", "--run-id", "a\n", "--run-id", new('a', 101),
            "--payload", "twos", "--server-cpus", "x", "--client-cpus", "0-", "--server-cpus", "0\n",
            "--address", "",
        ];
        Assert.All(words.Chunk(2), word => AssertRefused(word[0], word[1]));
    }

    [Fact]
    public void A_span_between_minus_one_and_zero_seconds_is_wrong_usage() =>
        AssertRefused("--seconds", "-0.5");

    [Fact]
    public void An_invented_delivery_name_is_wrong_usage()
    {
        var invented = $"{Contract.Deliveries[0]}-{Random.Shared.Next():x}";
        Assert.Contains(invented, Run("run", "--delivery", invented).WrongUsage());
    }

    [Theory, MemberData(nameof(Bench.WithLackingDeliveries), MemberType = typeof(Bench))]
    public void A_delivery_that_the_library_lacks_is_unsupported(string bench, string delivery)
    {
        foreach (var verb in new[] { "run", "server" })
        {
            var error = Bench.Run(bench, verb, "--delivery", delivery).Failure(3);
            Assert.Equal("unsupported", (string?)error["kind"]);
            Assert.Equal(delivery, (string?)error["settings"]!["delivery"]);
            Assert.Empty(Contract.Faults(error, "error"));
        }
    }

    [Fact]
    public void A_client_without_a_port_is_wrong_usage() =>
        Assert.Contains("--port", Run("client").WrongUsage());

    [Fact]
    public void More_threads_than_clients_are_wrong_usage() =>
        Run("run", "--clients", "2", "--client-threads", "3").WrongUsage();

    [Fact]
    public void A_share_of_the_clients_that_there_is_not_is_wrong_usage()
    {
        string[][] shares =
        [
            ["client", "--port", "1", "--clients", "2", "--client-machines", "2", "--client-machine", "2"],
            ["client", "--port", "1", "--clients", "2", "--client-machine", "1"],
            ["client", "--port", "1", "--clients", "2", "--client-machines", "3"],
            ["client", "--port", "1", "--clients", "4", "--client-machines", "2", "--client-threads", "3"],
            ["run", "--clients", "2", "--client-machines", "2"],
            ["run", "--clients", "2", "--client-machines", "3"],
        ];
        Assert.All(shares, share => Assert.Contains("--client-", Run(share).WrongUsage()));
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
            Run("run", "--address", "192.0.2.1", "--clients", "3", word[0], word[1]).WrongUsage()));
    }

    [Fact]
    public void Hosts_that_cannot_be_reached_so_are_wrong_usage()
    {
        Assert.Contains("--address", Run("run", "--client-hosts", "a").WrongUsage());
        Assert.Contains("--clients", Run("run", "--client-hosts", "a,b",
            "--address", "192.0.2.1").WrongUsage());
        Assert.Contains("--trace", Run("run", "--trace", "--server-host", "h").WrongUsage());
        foreach (var verb in new[] { "server", "client", "manual" })
            Run(verb, "--server-host", "h").WrongUsage();
    }

    static void AssertRefused(string flag, string value) =>
        Assert.DoesNotContain(NoPort, Run("client", flag, value).WrongUsage());

    static Ended Run(params IEnumerable<string> args) => Bench.Run(Bench.Model, args);

    static string Beside(string number, int step) =>
        (long.Parse(number, CultureInfo.InvariantCulture) + step).ToString(CultureInfo.InvariantCulture);
}
