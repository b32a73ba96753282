using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Prepares a sweep's file for going on: only whole runs stay in it.</summary>
static class Resume
{
    /// <summary>The ids of the runs that need not be run again.</summary>
    public static HashSet<string> WholeRuns(string raw, PlannedBlock[] blocks) => Whole(Read(raw).Runs, blocks);

    /// <summary>The ids of all runs, whatever came of them.</summary>
    public static IEnumerable<string> BegunRuns(string raw) => Read(raw).Runs.Keys;

    /// <summary>Moves the records of all other runs, lines that are no records and errors of builds
    /// to raw.superseded.jsonl.</summary>
    public static void Tidy(string raw, PlannedBlock[] blocks)
    {
        var (runs, fates) = Read(raw);
        var whole = Whole(runs, blocks).Select(id => runs[id]).ToHashSet();
        bool Stays(Fate fate) => fate.Always || fate.Run is { } run && whole.Contains(run);
        if (fates.TrueForAll(Stays) && RecordFile.EndsWhole(raw))
        {
            return;
        }
        // Killed before it is renamed, the old file is whole, and no line is lost in between.
        WholeFile.Write(raw, kept =>
        {
            using var keep = RecordFile.Create(kept);
            using var others = RecordFile.Append(Path.ChangeExtension(raw, ".superseded.jsonl"));
            foreach (var (text, fate) in RecordFile.Texts(raw).Zip(fates))
            {
                if (Stays(fate))
                {
                    keep.WriteLine(text);
                }
                else
                {
                    others.WriteLine(text);
                    if (fate.Run?.Retried == fate)
                    {
                        keep.WriteLine(fate.Run.RetriedText);
                    }
                }
            }
            RecordFile.Flush(others);
            RecordFile.Flush(keep);
        });
    }

    // Those of a block had their slices in the same rounds, so they stay or go together.
    static HashSet<string> Whole(Dictionary<string, Run> runs, PlannedBlock[] blocks)
    {
        var blockOf = blocks.SelectMany(block => block.Members.Select(member => (member.Name, block))).ToDictionary();
        bool IsWhole(string id) => runs.TryGetValue(id, out var run) && run.IsWhole;
        bool IsKept(string id)
        {
            var (launch, cell, _) = PlannedCell.Of(id);
            if (launch is not { } number || !blockOf.TryGetValue(cell, out var block))
            {
                return IsWhole(id);
            }
            return new PlannedLaunch(block, number).RunIds.All(IsWhole);
        }
        return [.. runs.Keys.Where(IsKept)];
    }

    static (Dictionary<string, Run> Runs, List<Fate> Fates) Read(string raw)
    {
        var runs = new Dictionary<string, Run>();
        var fates = new List<Fate>();
        foreach (var record in RecordFile.ReadRunsAlone(raw).Select(line => line.Record))
        {
            if (record is not LibraryRecord ofRun || IsOfNoRun(ofRun))
            {
                fates.Add(new(null, record is ErrorRecord error ? Stays(error) : record != null));
                continue;
            }
            if (!runs.TryGetValue(record.RunId, out var run))
            {
                run = new();
                runs[record.RunId] = run;
            }
            var fate = new Fate(run, false);
            fates.Add(fate);
            run.Add(ofRun, fate);
        }
        return (runs, fates);
    }

    static bool IsOfNoRun(LibraryRecord record) =>
        record is InfoRecord or ErrorRecord { Side: "build" or "info" } or ErrorRecord { Kind: "retried" };

    // Errors of benches come anew, but for what a library cannot do.
    static bool Stays(ErrorRecord ofNoRun) => ofNoRun.Kind is "retried" or "unsupported";

    // Of a line: the run that it belongs to, or that it stays whatever comes of the runs.
    sealed class Fate(Run? run, bool always)
    {
        public Run? Run => run;
        public bool Always => always;
    }

    sealed class Run
    {
        readonly List<SliceRecord> windows = [];
        readonly List<LaunchRecord> launches = [];
        bool unsupported;
        bool failed;
        bool interrupted;
        (Fate Fate, JObject Record)? firstFailure;

        // One launch with all its rounds, whose window all client machines measured to its end.
        public bool IsWhole
        {
            get
            {
                if (unsupported)
                {
                    return true;
                }
                if (failed || launches.Count != 1)
                {
                    return false;
                }
                var settings = launches[0].Settings;
                return HasRounds(launches[0])
                    && windows.Count == settings.ClientMachines
                    && windows.TrueForAll(window => WindowTime.IsWhole(window.ElapsedNs / 1e9, settings.Seconds));
            }
        }

        /// <summary>The line that stays as `retried`; null where the run was but interrupted.</summary>
        public Fate? Retried => interrupted ? null : firstFailure?.Fate;

        /// <summary>That line.</summary>
        public string RetriedText => firstFailure!.Value.Record.ToString(Formatting.None);

        static bool HasRounds(LaunchRecord launch)
        {
            if (Rounds.Of(launch) is { } rounds)
            {
                return rounds.Count == launch.Settings.Rounds;
            }
            return launch.Settings.Rounds == 0 || launch.SeparatelyBecause != null;
        }

        public void Add(LibraryRecord record, Fate fate)
        {
            switch (record)
            {
                case SliceRecord { Phase: "window", IsOfServer: false } window:
                    windows.Add(window);
                    break;
                case LaunchRecord launch:
                    launches.Add(launch);
                    break;
                case ErrorRecord { Kind: "unsupported" }:
                    unsupported = true;
                    break;
                case ErrorRecord error:
                    failed = true;
                    interrupted |= error.ExitCode == Exit.Interrupted;
                    if (error.Kind != "failed")
                    {
                        break;
                    }
                    error.Json["kind"] = "retried";
                    firstFailure ??= (fate, error.Json);
                    break;
            }
        }
    }
}
