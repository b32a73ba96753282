using System.Globalization;
using System.Reflection;

/// <summary>What a bench or the runner does not understand is refused in one sentence before anything starts. The
/// runner knows the ranges of flags, a bench refuses what makes no sense at all.</summary>
public sealed class UsageTests
{
    [Fact]
    public void No_verb_an_unknown_verb_and_an_unknown_flag_are_wrong_usage()
    {
        Assert.Equal("udp: There is no verb 'measure': server, client or info.", Run("measure").WrongUsage());
        Assert.Equal("udp client: There is no flag '--client'.", Run("client", "--client", "2").WrongUsage());
        Assert.Equal("There is no flag '2'.", Refusal("2"));
        Assert.Equal("--clients takes a value.", Refusal("--clients"));
        Assert.Equal("There is no flag '--out'.", Refusal("--out", "file"));
        Assert.Equal("--clients is given twice.", Refusal("--clients", "1", "--clients", "2"));
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
            {
                Assert.Contains("is no name of a library", Tool.Lead(verb, name).WrongUsage());
            }
        }
        Assert.Contains("is no name of a library", Tool.Lead("manual", "../bench-udp").WrongUsage());
        Tool.Lead("side", "udp", "info").WrongUsage();
    }

    [Fact]
    public void A_number_outside_of_its_range_is_wrong_usage_for_the_runner()
    {
        var flags = Contract.SharedFlags.Concat(Contract.FlagsOfRun).Where(flag => flag.Least != null);
        foreach (var flag in flags)
        {
            string[] odd = [Beside(flag.Least!, -1), Beside(flag.Most!, +1), .. noNumbers];
            // Port 0 is a free one there.
            foreach (var value in odd.Where(value => flag.Name != "--port" || value != "0"))
            {
                Lead(flag.Name, value).WrongUsage();
            }
        }
    }

    [Fact]
    public void A_number_that_makes_no_sense_is_wrong_usage_for_a_bench()
    {
        foreach (var flag in Contract.Flags.Where(flag => flag.Least != null))
        {
            // What is no number at all is told alike of all of them.
            string[] odd = flag.Name == "--clients" ? ["1.0", "99999999999", .. noNumbers] : [];
            Assert.All([Beside(flag.Least!, -1), .. odd], value =>
                Assert.Contains(flag.Name, Refusal(flag.Name, value)));
        }
        Assert.All(["-1", "x"], value => Assert.Contains("--seconds", Refusal("--seconds", value)));
        Assert.Contains("--port", Refusal("--port", "65536"));
    }

    [Fact]
    public void The_ends_of_every_range_are_understood()
    {
        foreach (var end in new Func<Contract.Flag, string?>[] { flag => flag.Least, flag => flag.Most })
        {
            string[] Words(IEnumerable<Contract.Flag> flags)
            {
                var ranges = flags.Where(flag => flag.Least != null);
                return [.. ranges.SelectMany(flag => new[] { flag.Name, end(flag)! })];
            }

            Bench.AskModel(["info", .. Words(Contract.Flags)]).WithCode(0);
            // Refused is only the file, when all flags are understood and before anything starts. Works in rooms alone
            // take some of them, and two go without --rtt-ms.
            string[] ofRooms = ["--room", "--tick-hz", "--stalled-clients", "--churn"];
            string[] besides = ["--client-machines", "--rounds", "--snapshot-bytes", .. ofRooms];
            var flags = Contract.SharedFlags.Concat(Contract.FlagsOfRun)
                .Where(flag => !besides.Contains(flag.Name));
            var said = Lead(["--out", "/no/such/folder/file", .. Words(flags)]).WithCode(4).Sentence();
            Assert.Contains("cannot be written", said);
        }
    }

    [Fact]
    public void A_word_that_is_no_value_of_its_flag_is_wrong_usage()
    {
        string[] words =
        [
            "--run-id", "a/b",
            "--run-id", "",
            "--run-id", "a\n",
            "--run-id", new('a', 201),
            "--payload", "twos",
            "--server-cpus", "x",
            "--client-cpus", "0-",
            "--server-cpus", "0\n",
            "--profile", "fast",
            "--work", "dream",
            "--security", "ssl",
            "--address", "",
            "--address", "a b",
        ];
        Assert.All(words.Chunk(2), word => Lead(word[0], word[1]).WrongUsage());
        Assert.Contains("'twos'", Refusal("--payload", "twos"));
    }

    [Fact]
    public void A_span_of_no_time_or_between_minus_one_and_that_is_wrong_usage() =>
        Assert.All(["-0.5", "0", "0.05"], seconds => Lead("--seconds", seconds).WrongUsage());

    [Fact]
    public void An_invented_delivery_name_is_wrong_usage_for_the_runner_and_unsupported_by_a_bench()
    {
        var invented = $"{Contract.Deliveries[0]}-{Random.Shared.Next():x}";
        Assert.Contains(invented, Lead("--delivery", invented).WrongUsage());
        Assert.Equal(
            $"udp has no {invented} delivery.",
            (string?)Run("client", "--delivery", invented).Failure(3)["reason"]);
    }

    // What decides it is the same in every bench, of which InfoTests holds that each knows its own; of works, profiles,
    // variants and securities too.
    [Fact]
    public void A_delivery_that_the_library_lacks_is_unsupported()
    {
        const string delivery = "reliable-ordered";
        var byHand = Run("server", "--delivery", delivery).Failure(3);
        var led = Bench.Lead(Bench.Model, "--delivery", delivery).Failure(3);
        foreach (var error in new[] { byHand, led })
        {
            Assert.Equal("unsupported", (string?)error["kind"]);
            Assert.Equal($"udp has no {delivery} delivery.", (string?)error["reason"]);
        }
        Assert.Equal(delivery, (string?)led["settings"]!["delivery"]);
        Assert.Empty(Counted.Faults(byHand));
        Assert.Empty(Contract.Faults(led, "error"));
    }

    [Fact]
    public void A_host_or_folder_that_could_be_more_than_that_is_wrong_usage()
    {
        string[] words =
        [
            "--server-host", "-oProxyCommand=x",
            "--server-host", "root@-oProxyCommand",
            "--server-host", "a b",
            "--server-host", "a@b@c",
            "--server-host", "",
            "--server-host", "a$(x)",
            "--server-host", "a\n",
            "--client-hosts", "a;b",
            "--client-hosts", "a,,b",
            "--client-hosts", "a,-b",
            "--client-hosts", "a,`touch odd`",
            "--remote-folder", "../netbench",
            "--remote-folder", "net bench",
            "--remote-folder", "$HOME",
            "--remote-folder", "~/netbench",
            "--remote-folder", "-x",
            "--remote-folder", "x`y`",
            "--remote-folder", "x;y",
            "--remote-folder", "",
            "--remote-folder", "x\n",
        ];
        foreach (var word in words.Chunk(2))
        {
            var said = Lead("--address", "192.0.2.1", "--clients", "3", word[0], word[1]).WrongUsage();
            Assert.Matches("is no (host|value)", said);
        }
    }

    // The same options as those of a run, and libraries.
    [Fact]
    public void Odd_names_for_deploying_are_wrong_usage_and_no_words_of_a_shell()
    {
        using var scratch = new Scratch();
        string[] words = ["--server-host", "a,b", "--server-host", "$(touch odd)", "--libraries", "../udp"];
        foreach (var word in words.Chunk(2))
        {
            Worker.Run(Tool.LeadPath, scratch.Folder, "", ["deploy", .. word]).WrongUsage();
        }
        Assert.Empty(Directory.GetFileSystemEntries(scratch.Folder));
    }

    [Fact]
    public void Hosts_that_cannot_be_reached_so_are_wrong_usage()
    {
        Assert.Contains("--address", Lead("--client-hosts", "a").WrongUsage());
        Assert.Contains("--clients", Lead("--client-hosts", "a,b", "--address", "192.0.2.1").WrongUsage());
        Assert.Contains("--trace", Lead("--trace", "--server-host", "h").WrongUsage());
        Assert.Contains("--server-host", Refusal("--server-host", "h"));
        Tool.Lead("manual", Bench.LibraryOf(Bench.Model), "--server-host", "h").WrongUsage();
    }

    static readonly string[] noNumbers = ["x", "1,5", "NaN", ""];

    static Ended Run(params IEnumerable<string> args) => Bench.Run(Bench.Model, args);

    // How the bench refuses flags, whatever the verb: its own code, called in this process. That it ends so, with its
    // name before the sentence, the processes of the first test hold.
    static string Refusal(params string[] words)
    {
        var settings = Assembly.LoadFrom(Bench.PathOf(Bench.Model)).GetType("Settings")!;
        var fault = Assert.Throws<TargetInvocationException>(() => settings.GetMethod("Parse")!.Invoke(null, [words]));
        var failure = fault.InnerException!;
        Assert.Equal(2, failure.GetType().GetProperty("ExitCode")?.GetValue(failure));
        return failure.Message;
    }

    // None of these runs begins.
    static Ended Lead(params IEnumerable<string> args) =>
        Tool.Lead(["run", Bench.LibraryOf(Bench.Model), .. args]);

    static string Beside(string number, int step)
    {
        var beside = double.Parse(number, CultureInfo.InvariantCulture) + step;
        return beside.ToString(CultureInfo.InvariantCulture);
    }
}
