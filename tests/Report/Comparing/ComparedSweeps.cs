using Newtonsoft.Json.Linq;

/// <summary>
/// Two sweeps to compare, made of tests/data's records and measured separately: 1 client x 1 in flight, each launch
/// with a rate of its own.
/// </summary>
public abstract class ComparedSweeps : OfReport
{
    /// <summary>The exit code where a cell is worse.</summary>
    protected const int Worse = 1;

    protected const double Rate = 10_000;

    static readonly string[] tiny = File.ReadAllLines(Repo.PathOf("tests", "data", "tiny.jsonl"));

    // Parsed once, as a sweep takes hundreds.
    static readonly JObject[] run = [.. tiny.Where(IsOfRun).Select(Record.Parse)];

    /// <summary>Compares two sweeps and returns the page. Exit code null: 0 or 1, whichever chance brings.</summary>
    protected string Compare(JObject[] before, JObject[] after, int? exitCode, params string[] flags)
    {
        Write("base", before);
        Write("new", after);
        return Run(exitCode, flags);
    }

    /// <summary>Compares what was written.</summary>
    protected string Run(int? exitCode, params string[] flags) => PageOf(Command(flags), exitCode);

    private protected Ended Command(params string[] flags) => Compared("base", "new", flags);

    /// <summary>Compares two sweeps that were written.</summary>
    private protected Ended Compared(string before, string after, params string[] flags) =>
        Tool.Run(["compare", scratch.PathOf(before), scratch.PathOf(after), .. flags]);

    /// <summary>The page of sweeps that were compared. Exit code null: 0 or 1, whichever chance brings.</summary>
    private protected static string PageOf(Ended compared, int? exitCode)
    {
        Assert.DoesNotContain(compared.Error, line => line.StartsWith("Skipped"));
        return string.Join('\n', compared.WithCode(exitCode ?? Math.Min(compared.ExitCode, Worse)).Out);
    }

    /// <summary>Writes a sweep's folder, such as base or new.</summary>
    protected void Write(string folder, JObject[] records, bool withMachine = true)
    {
        var all = withMachine ? records.Prepend(Machine()) : records;
        var lines = all.Select(record => record.ToString(Newtonsoft.Json.Formatting.None));
        Directory.CreateDirectory(scratch.PathOf(folder));
        File.WriteAllLines(scratch.PathOf(folder, "raw.jsonl"), lines);
    }

    /// <summary>The row of the cell that most tests change.</summary>
    protected static string RowOf(string page) =>
        page.Split('\n').First(line => line.StartsWith("| udp | unreliable | 1 | 1 |"));

    /// <summary>The number of cells that are called better or worse.</summary>
    protected static int Called(string page) =>
        page.Split('\n').Count(row => row.EndsWith("| worse |") || row.EndsWith("| better |"));

    protected static void Say(string what) => TestContext.Current.TestOutputHelper!.WriteLine(what);

    /// <summary>Cells without a difference, each launch's rate drawn from a normal distribution of 4 %.</summary>
    protected static JObject[] Null(int cells, int launches, int seed)
    {
        var random = new Random(seed);
        double Normal()
        {
            var distance = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble()));
            return distance * Math.Cos(2 * Math.PI * random.NextDouble());
        }
        var records = new List<JObject>();
        for (var parallel = 1; parallel <= cells; parallel++)
        {
            var rates = Enumerable.Range(0, launches).Select(_ => Rate * (1 + 0.04 * Normal())).ToArray();
            records.AddRange(Cell(rates, parallel: parallel));
        }
        return [.. records];
    }

    /// <summary>A launch with each of the rates, times the factor.</summary>
    protected static IEnumerable<JObject> Cell(double[] rates, double factor = 1, int parallel = 1)
    {
        var launches = rates.Select((rate, launch) => MadeUp.With(
            Launch(launch, rate * factor, parallel * 1e9 / (rate * factor)),
            ("settings.parallel", parallel),
            ("run_id", $"r{launch}-{parallel}")));
        return launches.SelectMany(records => records);
    }

    /// <summary>10,000 round trips, all in one bucket, measured separately.</summary>
    protected static JObject[] Launch(int launch, double rate, double rttNs) => MadeUp.With(
        [.. run.Select(record => (JObject)record.DeepClone())],
        [
            ("run_id", $"r{launch}"),
            ("settings.seconds", 0.1),
            ("settings.rounds", 0),
            ("launch.block", null),
            ("launch.rounds", null),
            .. MadeUp.Lasting(10_000 / rate),
            .. MadeUp.Answered(10_000, (long)rttNs),
        ]);

    // Without its rounds, as it is to have been measured separately.
    static bool IsOfRun(string line) =>
        line.Contains("\"run_id\":\"r1-udp-unreliable-1x1-32\"") && !line.Contains("\"phase\":\"rounds\"");

    protected static JObject Machine(params (string, object?)[] facts) =>
        MadeUp.With([Record.Parse(tiny[0])], [("hypervisor", null), .. facts])[0];
}
