using System.Diagnostics;
using System.Reflection;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>What goes wrong around a bench is told in one sentence, leaves no process behind and keeps what was
/// measured. Each bench once, with its first delivery mode; what only the copied files and the runner have a part in,
/// on one.</summary>
public sealed class FaultTests : IDisposable
{
    static readonly string[] said = ["ready", "closed"];

    static readonly Lazy<Dictionary<string, Ended[]>> strangers = new(MeetStrangers);

    readonly Scratch scratch = new();

    string OutFile => scratch.PathOf("raw.jsonl");

    public FaultTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "These tests find processes in /proc.");

    public void Dispose() => scratch.Dispose();

    // Its Load.cs is that of every bench, as CopiesTests holds.
    [Fact]
    public async Task Clients_that_open_one_connection_after_another_are_waited_for()
    {
        // The two together take longer than a bench waits for the next one, and each takes less.
        var each = TimeSpan.FromSeconds(7);
        CancellationToken ended = TestContext.Current.CancellationToken;
        var own = Assembly.LoadFrom(Bench.PathOf(Bench.Model));
        object settings = own.GetType("Settings")!.GetMethod("Parse")!.Invoke(null, [new[] { "--clients", "2" }])!;
        Type type = own.GetType("Load")!;
        object load = Activator.CreateInstance(type, settings)!;
        var waiting = Task.Run(() => type.GetMethod("WaitUntilConnected")!.Invoke(load, []), ended);
        await Task.Delay(each, ended);
        type.GetMethod("OnOpen")!.Invoke(load, [0]);
        await Task.Delay(each, ended);
        Assert.False(waiting.IsCompleted);
    }

    // An address is asked for before a library gets it, by what every bench has alike.
    [Theory, MemberData(nameof(Bench.AllAndOfCalls), MemberType = typeof(Bench))]
    public void What_cannot_be_listened_on_is_told_in_one_sentence(string bench)
    {
        using var foreign = new ForeignProgram(answers: false);
        string[] taken = ["--port", foreign.Port];
        string[] nowhere = ["--address", "no-such-host.invalid"];
        List<Ended> refused = [Bench.Run(bench, ["server", .. taken])];
        List<Ended> unresolved = [];
        if (bench == Bench.Model)
        {
            refused.Add(Bench.Lead(bench, taken));
            unresolved.AddRange([Bench.Lead(bench, nowhere), Bench.Run(bench, ["client", .. nowhere])]);
        }
        foreach (var error in refused.Select(ended => ended.Failure()))
        {
            Assert.Equal("failed", (string?)error["kind"]);
            Assert.Equal("server", (string?)error["side"]);
            Assert.StartsWith($"Cannot listen on 127.0.0.1:{foreign.Port}: ", (string?)error["reason"]);
        }
        Assert.All(unresolved, ended => Assert.Contains("no-such-host.invalid", (string)ended.Failure()["reason"]!));
    }

    // What the runner makes of it: in a block, too, FaultInBlockTests hold, and what each library does, LinesTests.
    // Clients of TCP see that their server is gone, a server of UDP never knows.
    [Fact]
    public void A_server_killed_in_mid_run_fails_the_run()
    {
        AssertFailsWithoutLosses("bench-tcp", "server");
        Assert.NotEmpty(Record.Slices(Record.In(OutFile), "client"));
    }

    [Fact]
    public void Clients_killed_in_mid_run_fail_the_run()
    {
        AssertFailsWithoutLosses(Bench.Model, "client");
        Assert.True(Record.Sum(Record.Slices(Record.In(OutFile), "server"), "received") > 0);
    }

    [Fact]
    public void A_killed_runner_leaves_no_child()
    {
        using var run = Bench.StartMeasuring(Bench.Model, OutFile);
        var children = Bench.ChildrenOf(run.Id);
        Assert.Equal(2, children.Count);
        run.Kill();
        Command.Until(() => !children.Values.Any(Bench.IsRunning));
    }

    // That each library lets who leads decide about it, LinesTests holds.
    [Fact]
    public void Ctrl_C_ends_the_window_and_writes_it() => AssertWritesWindow(Bench.Model, run => run.PressCtrlC());

    // A library may heed the signal as well, which all processes are sent, but not a stdin that is the runner's.
    // Clients that were stopped in the window are no machine that sleeps.
    [Fact]
    public void A_run_whose_stdin_closes_ends_as_on_Ctrl_C()
    {
        void Close(Command run)
        {
            run.Type("what a parent may say");
            Assert.False(run.HasExited);
            Command.Pause(Bench.ChildrenOf(run.Id)["client"], 0.6);
            run.CloseInput();
        }

        AssertWritesWindow(Bench.Model, Close, "--until-stdin-closes");
        PauseTests.AssertAwakeByAnEvenClock(Record.Slice(Record.In(OutFile), "client", "window"));
    }

    [Fact]
    public void Ctrl_C_in_the_warm_up_ends_the_run_with_an_error_record()
    {
        string[] flags = ["--warmup-seconds", "20", "--rate", "200", "--out", OutFile];
        using var run = Bench.StartLedGroup(Bench.Model, flags);
        Command.Until(() => Record.In(OutFile).Any(record => (string?)record["side"] == "client"));
        run.PressCtrlC();
        run.Wait().WithCode(130).Sentence();
        var error = Record.Single(Record.In(OutFile), "error");
        Assert.Equal((Bench.NoWindow, 130), ((string?)error["reason"], (int)error["exit_code"]!));
        Assert.DoesNotContain(Record.In(OutFile), record => Record.KindOf(record) == "launch");
    }

    // Nothing is measured yet that could be lost.
    [Fact]
    public void Clients_that_still_connect_end_on_the_first_SIGTERM()
    {
        using var silent = new ForeignProgram(answers: false);
        using var client = Bench.Start(Bench.Model, "client", "--port", silent.Port);
        Command.Until(() => silent.IsMet);
        client.Stop();
        Assert.Empty(client.Wait().WithCode(130).Out);
    }

    // Another thread ends it than does what it is told: what it counted must not be half of a window then.
    [Fact]
    public void A_server_stopped_as_windows_open_and_close_tells_of_whole_ones_and_then_nothing()
    {
        var servers = Enumerable.Range(0, 3)
            .Select(_ => Bench.StartServer(Bench.Model, "--until-stdin-closes").Server)
            .ToArray();
        foreach (var server in servers)
        {
            using (server)
            {
                server.Press(string.Concat(Enumerable.Repeat("begin\nend\ndrain\n", 1_000)));
                server.LineBehind(100);
                server.Stop();
                var records = server.Wait().WithCode(0).Records;
                // It was stopped before it had done all.
                Assert.InRange(records.Length, 100, 3_000);
                var closed = Record.Single(records, "closed");
                Assert.Same(closed, records[^1]);
                var counts = closed.Descendants().OfType<JValue>().Where(value => value.Type == JTokenType.Integer);
                Assert.All(counts, count => Assert.True((long)count >= 0, $"{count.Path} is {count}."));
            }
        }
    }

    [Theory, MemberData(nameof(Bench.AllAndOfCalls), MemberType = typeof(Bench))]
    public void A_foreign_program_or_nobody_on_the_port_is_told_in_one_sentence(string bench) =>
        Assert.All(strangers.Value[bench], ended => ended.Failure());

    [Fact]
    public void A_file_that_cannot_be_written_fails_before_anything_starts()
    {
        foreach (var path in new[] { scratch.PathOf("missing", "raw.jsonl"), scratch.Folder, "/proc/x" })
        {
            var ended = Tool.Lead("run", Bench.LibraryOf(Bench.Model), "--out", path).WithCode(4);
            Assert.StartsWith($"runner: '{path}' cannot be written: ", ended.Sentence());
            Assert.Empty(ended.Out);
        }
    }

    [Fact]
    public void A_full_disk_lets_the_records_go_to_stdout_of_a_pinned_side_and_of_a_warm_up_as_well()
    {
        var allowed = File.ReadLines("/proc/self/status").First(line => line.StartsWith("Cpus_allowed_list"));
        var cpu = allowed.Split(':')[1].Split(',', '-')[0].Trim();
        string[] flags = ["--server-cpus", cpu, "--out", "/dev/full"];
        string[] load = ["--clients", "2", "--rate", "500", "--warmup-seconds", "0.1", "--seconds", "0.3"];
        var run = Bench.Lead(Bench.Model, [.. load, .. flags]).WithCode(4);
        run.Sentence();
        foreach (var side in Measured.Sides)
        {
            Assert.All(said, kind => Record.Of(run.Records, side, kind));
        }
        Assert.Equal(1, (int)Record.Of(run.Records, "server", "ready")["processor_count"]!);
        var launch = Record.Single(run.Records, "launch");
        Assert.Equal(cpu, (string?)launch["settings"]!["server_cpus"]);
        // What is sent to warm up is not of the window, and how late or slow that was is not written.
        var other = Record.Slice(run.Records, "client", "other");
        Assert.True(Record.Sum(other, "sent") > 0);
        Assert.Empty(other["outcomes"]!["send_lag_ns"]!);
        Assert.Empty(other["outcomes"]!["rtt_ns"]!);
        Assert.NotEmpty(Record.Slice(run.Records, "client", "window")["outcomes"]!["send_lag_ns"]!);
        Assert.InRange((double)launch["warmup_s"]!, 0.1, (double)other["elapsed_ns"]! / 1e9 + 0.5);
    }

    [Fact]
    public void A_server_that_never_gets_ready_fails_the_run()
    {
        // The server is started through taskset: one that only sleeps stands for it.
        string[] words = [Tool.LeadPath, "run", Bench.LibraryOf(Bench.Model), "--server-cpus", "0"];
        using var run = scratch.StartWithProgram("taskset", "exec sleep 60", "dotnet", words);
        var error = run.Wait().Failure();
        Assert.Equal("The server did not get ready within 15 s.", (string?)error["reason"]);
    }

    [Fact]
    public void A_side_that_says_what_is_no_record_says_it_to_people()
    {
        // As a library that logs to stdout.
        using var run = StartSidesBy("echo 'no record'; exec \"$@\"");
        var ended = run.Wait().WithCode(0);
        ended.AssertNoStackTrace();
        Assert.Equal(["udp client: no record", "udp server: no record"], ended.Error.Order());
        Assert.Empty(ended.Records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
    }

    [Fact]
    public void A_side_that_fails_as_it_ends_fails_the_run()
    {
        const string Reason = "A peer was lost.";
        var error = new JObject
        {
            ["v"] = 11,
            ["record"] = "error",
            ["library"] = "udp",
            ["side"] = "client",
            ["kind"] = "failed",
            ["exit_code"] = 1,
            ["reason"] = Reason,
        };
        // The client says so in place of what it counted.
        using var run = StartSidesBy($"""
            case "$*" in *" server "*) exec "$@" ;; esac
            "$@" | sed -u '/"record":"closed"/c {error.ToString(Formatting.None)}'
            """);
        var ended = run.Wait().WithCode(1);
        ended.AssertNoStackTrace();
        Assert.Equal(Reason, (string?)Record.Single(ended.Records, "error")["reason"]);
        Assert.DoesNotContain(ended.Records, record => Record.KindOf(record) == "launch");
    }

    // A short run whose sides are started by a script of sh, which has their command as its words: it stands for
    // taskset.
    Command StartSidesBy(string script)
    {
        string[] pins = ["--server-cpus", "0", "--client-cpus", "0"];
        string[] words = [Tool.LeadPath, "run", Bench.LibraryOf(Bench.Model), .. pins, .. Bench.Short];
        return scratch.StartWithProgram("taskset", $"shift 2\n{script}", "dotnet", words);
    }

    // All benches at once, because a client may take 10 s to give up.
    static Dictionary<string, Ended[]> MeetStrangers()
    {
        using var silent = new ForeignProgram(answers: false);
        using var answering = new ForeignProgram(answers: true);
        var gone = new ForeignProgram(answers: false);
        var portOfNobody = gone.Port;
        gone.Dispose();
        var clients = new Dictionary<string, Command[]>();
        foreach (var bench in Repo.AllBenches.Where(Bench.IsBuilt))
        {
            // How long a client waits for who is silent is decided alike in every bench. Who sends datagrams back as
            // they came is a server of plain datagrams, and to KCP, whose sides say the same.
            string[] others = bench switch
            {
                "bench-udp" => [silent.Port],
                "bench-tcp" => [silent.Port, answering.Port],
                "bench-kcp2k" => [],
                _ => [answering.Port],
            };
            string[] ports = [portOfNobody, .. others];
            clients[bench] = Array.ConvertAll(ports, port => Bench.Start(bench, "client", "--port", port));
        }
        return clients.ToDictionary(
            bench => bench.Key,
            bench => Array.ConvertAll(bench.Value, client => client.Wait()));
    }

    void AssertWritesWindow(string bench, Action<Command> stop, params string[] flags)
    {
        var (ended, children) = Bench.EndInWindow(bench, OutFile, stop, flags);
        Assert.Empty(ended.WithCode(130).Error);
        var records = Record.In(OutFile);
        var window = Record.Slice(records, "client", "window");
        Assert.All(Record.Slices(records, "client"), Record.AssertAddsUp);
        Assert.InRange((double)window["elapsed_ns"]! / 1e9, 0.01, 10);
        Assert.True(Record.Sum(Record.Slice(records, "server", "window"), "received") > 0);
        Assert.True(Record.Sum(window, "received") > 0);
        Record.Single(records, "launch");
        Assert.DoesNotContain(children.Values, Bench.IsRunning);
    }

    void AssertFailsWithoutLosses(string bench, string killed)
    {
        using var run = Bench.StartMeasuring(bench, OutFile);
        var children = Bench.ChildrenOf(run.Id);
        Assert.Equal(["client", "server"], children.Keys.Order());
        var before = Record.In(OutFile);
        Assert.Equal(children[killed], (int)Record.Of(before, killed, "ready")["process_id"]!);
        using (var child = Process.GetProcessById(children[killed]))
        {
            child.Kill();
        }
        run.Wait().WithCode(1).AssertNoStackTrace();
        var records = Record.In(OutFile);
        Assert.True(records.Length > before.Length);
        Assert.Contains(records, record => Record.KindOf(record) == "error");
        Assert.Empty(records.SelectMany(record => Contract.Faults(record, Record.KindOf(record))));
        Assert.DoesNotContain(children.Values, Bench.IsRunning);
    }
}
