using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Where the time goes, as a report tells it of the traces of a run. Beside other tests its clients would do
/// little but wait.</summary>
[Collection(Measuring.Name)]
public sealed class TracePageTests : IClassFixture<TracePageTests.TracedRun>
{
    const string Heading = "## Where the time goes\n";
    const string Harness = $"harness ({Bench.Model})";

    /// <summary>A run whose traces all these tests read.</summary>
    public sealed class TracedRun : IDisposable
    {
        readonly Scratch scratch = new();

        public TracedRun()
        {
            if (!Tool.IsBuilt || !Bench.IsBuilt(Bench.Model))
                return;
            string[] load = ["--parallel", "10", "--payload-bytes", "128", "--warmup-seconds", "0.5", "--seconds", "2"];
            string[] flags = ["--trace", "--run-id", "traced", "--out", scratch.PathOf("raw.jsonl")];
            Bench.Lead(Bench.Model, [.. load, .. flags]).WithCode(0);
        }

        public JObject[] Records => Record.In(scratch.PathOf("raw.jsonl"));

        /// <summary>Copies its records and traces, as of a library and run of other names.</summary>
        public void CopyTo(string folder, string run = "traced", string library = "udp", bool withPerf = false)
        {
            foreach (var side in new[] { "client", "server" })
            {
                File.Copy(scratch.PathOf($"traced-{side}.nettrace"), Path.Combine(folder, $"{run}-{side}.nettrace"));
                var perf = scratch.PathOf($"traced-{side}.perf.txt");
                if (withPerf && File.Exists(perf))
                    File.Copy(perf, Path.Combine(folder, $"{run}-{side}.perf.txt"));
            }
            var records = MadeUp.With(Records, ("run_id", run), ("library", library));
            File.AppendAllLines(Path.Combine(folder, "raw.jsonl"), records.Select(LineOf));
        }

        public void Dispose() => scratch.Dispose();
    }

    readonly TracedRun run;

    public TracePageTests(TracedRun run)
    {
        Assert.SkipUnless(Tool.IsBuilt && Bench.IsBuilt(Bench.Model), "report or the model bench is not built.");
        this.run = run;
    }

    [Fact]
    public void Each_side_has_the_methods_that_took_its_time_and_those_of_the_harness_are_named()
    {
        using var scratch = new Scratch();
        run.CopyTo(scratch.Folder);
        var section = Section(Render(scratch));
        foreach (var side in new[] { "the server", "the clients" })
        {
            var rows = Rows(section, $"#### CPU time of {side}\n");
            Assert.InRange(rows.Length, 2, 20);
            Assert.InRange(rows.Sum(row => Number(row[1])), 80, 100.5);
            Assert.Equal(rows.OrderByDescending(row => Number(row[1])), rows);
            // Without perf the system's own code has the name of what calls it.
            var sends = rows.Where(row => row[0].Contains("Sys.Send") || row[0].Contains(".TryCompleteSend")).ToArray();
            Assert.Contains(sends, row => row[^1].StartsWith("native, called by "));
            Assert.All(rows.Where(row => IsOwn(row[0])), row => Assert.EndsWith(Harness, row[^1]));
        }
        // The clients make messages and check answers; what a server does for an echo is next to nothing.
        Assert.Contains(Rows(section, "#### CPU time of the clients\n"), row => row[^1] == Harness && IsOwn(row[0]));
    }

    [Fact]
    public void Threads_that_wait_are_not_counted()
    {
        using var scratch = new Scratch();
        run.CopyTo(scratch.Folder);
        var section = Section(Render(scratch));
        // The one that reads stdin waits all the time, and so does the main thread of a client for its end. To begin to
        // wait takes CPU time, of which a sample or two may tell: under 1 %.
        var waits = Rows(section).Where(row => row[0].Contains("Sys.Read") || row[0].Contains("Monitor.Wait"));
        Assert.DoesNotContain(waits, row => Number(row[1]) >= 1);
        // All CPU time is that of one thread on either side; of threads that wait there are several.
        foreach (var row in Rows(section, Heading).Where(row => row[2] is "server" or "client"))
        {
            Assert.InRange(Number(row[4]), 1, 99);
            Assert.InRange(Number(row[6]), 0, 20);
            Assert.InRange(Number(row[8]), 0, 60);
        }
    }

    [Fact]
    public void The_same_traces_give_the_same_bytes()
    {
        using var scratch = new Scratch();
        run.CopyTo(scratch.Folder, withPerf: true);
        var before = Directory.GetFiles(scratch.Folder).Length;
        var first = Render(scratch);
        var page = File.ReadAllText(scratch.PathOf("report.html"));
        Assert.Equal(first, Render(scratch));
        Assert.Equal(page, File.ReadAllText(scratch.PathOf("report.html")));
        Assert.Contains(">Where the time goes<", page);
        Assert.Contains(Harness, page);
        // Nothing is left of what reading them takes.
        Assert.Equal(before + 3, Directory.GetFiles(scratch.Folder).Length);
    }

    [Fact]
    public void Of_two_versions_the_largest_difference_comes_first()
    {
        using var scratch = new Scratch();
        run.CopyTo(scratch.Folder, "old", "udp@1.2.9");
        run.CopyTo(scratch.Folder, "new", "udp@1.2.10");
        // To the newer's server came half as many messages in the same time: each of its methods took twice as much.
        var raw = scratch.PathOf("raw.jsonl");
        JObject[] records = [.. Record.In(raw).Where(record => (string?)record["run_id"] == "new")];
        var window = Record.Slices(records, "server").Single(slice => (string?)slice["phase"] == "window");
        window["received"] = (long)window["received"]! / 2;
        var all = Record.In(raw).Where(record => (string?)record["run_id"] == "old").Concat(records);
        File.WriteAllLines(raw, [.. all.Select(LineOf)]);
        var section = Section(Render(scratch));
        var title = section.Split('\n').First(line => line.Contains(" less "));
        Assert.StartsWith("### udp@\u20601.2.10 less udp@\u20601.2.9: the server, ", title);
        var rows = Rows(section, title + "\n");
        Assert.InRange(rows.Length, 2, 20);
        Assert.Equal(rows.OrderByDescending(row => Math.Abs(Number(row[3]))), rows);
        Assert.All(rows.Take(2), row => Assert.InRange(Number(row[3]) / Number(row[1]), 0.98, 1.02));
    }

    [Theory]
    [InlineData("missing", "is missing")]
    [InlineData("empty", "is empty")]
    [InlineData("no trace", "cannot be read")]
    [InlineData("half", "cannot be read")]
    public void A_trace_that_says_nothing_is_told_in_a_sentence_and_the_rest_is_rendered(string fault, string says)
    {
        using var scratch = new Scratch();
        run.CopyTo(scratch.Folder);
        var trace = scratch.PathOf("traced-server.nettrace");
        var bytes = File.ReadAllBytes(trace);
        File.Delete(trace);
        if (fault != "missing")
        {
            File.WriteAllBytes(trace, fault switch
            {
                "empty" => [],
                "no trace" => "This is no trace."u8.ToArray(),
                _ => bytes[..(bytes.Length / 2)],
            });
        }
        var page = Render(scratch);
        Assert.Contains($"\nThe trace traced-server.nettrace {says}.\n", page);
        var section = Section(page);
        Assert.DoesNotContain("of the server", section);
        Assert.Contains(Rows(section, "#### CPU time of the clients\n"), row => row[^1] == Harness);
        Assert.Contains("## How sure is it?\n", page);
    }

    [Fact]
    public void Without_traces_a_traced_sweep_says_so_once()
    {
        using var scratch = new Scratch();
        MadeUp.Write(scratch.Folder, run.Records);
        var section = Section(Render(scratch));
        Assert.Equal("\nThe sweep was traced, but none of its traces lies beside raw.jsonl.\n\n", section);
        MadeUp.Write(scratch.Folder, MadeUp.With(run.Records, ("settings.trace", false)));
        Assert.DoesNotContain(Heading, Render(scratch));
    }

    [Fact]
    public void Where_perf_has_looked_native_code_has_names()
    {
        using var scratch = new Scratch();
        run.CopyTo(scratch.Folder);
        // By perf of the server, half of it is .NET's.
        File.WriteAllLines(scratch.PathOf("traced-server.perf.txt"),
        [
            " 200  |memfd:doublemapper (deleted)  |[.] 0x00007f0000000000",
            " 100  |System.Net.Sockets.dll  |[.] 0x0000000000001234",
            " 200  |libenet.so  |[.] enet_host_service",
            " 100  |[kernel.kallsyms]  |[k] udp_sendmsg",
        ]);
        var rows = Rows(Section(Render(scratch)), "#### CPU time of the server\n");
        var native = rows.First(row => row[0] == "enet_host_service");
        Assert.Equal(["33.3", "200", "libenet.so"], [native[1], native[3], native[4]]);
        Assert.Contains(rows, row => row[0] == "system calls and interrupts" && row[1] == "16.7");
        Assert.DoesNotContain(rows, row => row[0].Contains("native") || row[^1] == "native");
        var ofDotnet = rows.Where(row => row[^1] is not ("libenet.so" or "kernel"));
        Assert.InRange(ofDotnet.Sum(row => Number(row[1])), 45, 50.1);
    }

    static string LineOf(JObject record) => record.ToString(Formatting.None);

    static bool IsOwn(string method) =>
        new[] { "Server.", "Client.", "Exchange.", "Echo.", "Load.", "Message." }.Any(method.StartsWith);

    static string Render(Scratch scratch)
    {
        Tool.Run("render", scratch.Folder, "--charts", "none").WithCode(0);
        return Pages.In(scratch.Folder);
    }

    static string Section(string page)
    {
        Assert.Contains(Heading, page);
        var from = page[(page.IndexOf(Heading, StringComparison.Ordinal) + Heading.Length)..];
        return from[..from.IndexOf("## How sure is it?", StringComparison.Ordinal)];
    }

    // Of the first table below a heading.
    static string[][] Rows(string section, string heading)
    {
        if (heading == Heading)
            return Rows(section[..section.IndexOf("\n### ", StringComparison.Ordinal)]);
        Assert.Contains(heading, section);
        var from = section[(section.IndexOf(heading, StringComparison.Ordinal) + heading.Length)..];
        var rows = from.Split('\n').SkipWhile(line => !line.StartsWith('|')).TakeWhile(line => line.StartsWith('|'));
        return Rows(string.Join('\n', rows));
    }

    static string[][] Rows(string text) =>
    [
        .. text.Split('\n')
            .Where(line => line.StartsWith("| ", StringComparison.Ordinal))
            .Where(line => !line.StartsWith("| method ") && !line.StartsWith("| library "))
            .Select(line => line.Trim('|').Split(" | ").Select(cell => cell.Trim()).ToArray()),
    ];

    static double Number(string cell) => double.Parse(cell.Replace("<", ""));
}
