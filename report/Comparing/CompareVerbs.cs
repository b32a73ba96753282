using System.CommandLine;
using System.Globalization;
using Newtonsoft.Json.Linq;

/// <summary>The verbs that hold sweeps against each other.</summary>
static class CompareVerbs
{
    public static Command[] All => [Compare(), NoiseOf()];

    static Command Compare()
    {
        var before = Sweeps("BASE");
        var after = Sweeps("NEW");
        var versions = new Option<string>("--versions")
        {
            Description = "Instead, in one sweep: says where the newest version of a library is better or worse than "
                + "the others.",
            HelpName = "DIR",
        };
        var widest = new Option<string>("--widest")
        {
            Description = "With --versions: exit code 2 where a ratio is known less closely, as in 5%.",
            HelpName = "PERCENT",
        };
        var noise = new Option<string>("--noise")
        {
            Description = "Folder of the same machine whose noise.json counts too.",
            HelpName = "DIR",
        };
        var force = new Option<bool>("--force") { Description = "Compare different machines." };
        var outFile = Flags.Out("File to write. [default: stdout]");
        return Flags.Verb(
            "compare",
            "Says in which cells the sweep NEW is better or worse than BASE. Exit "
                + "code 0: none is worse, 1: at least one is, 2: wrong usage or refused.",
            [before, after, versions, widest, noise, force, outFile],
            parsed => OrRefused(() => parsed.GetValue(versions) is { } folder
                ? OfVersions(parsed, folder)
                : Compared(parsed))
        );

        int OfVersions(ParseResult parsed, string folder)
        {
            if (parsed.GetValue(before) != null)
                throw new Failure("--versions is of one sweep: it goes without BASE and NEW.", Exit.WrongUsage);
            var section = new VersionSection(Sweep.In(folder));
            if (section.Sentences.Length == 0)
                throw new Failure($"No library was measured in two versions in {folder}.", Exit.WrongUsage);
            var page = new Page();
            section.Write(page);
            Write(page.ToString().TrimStart('\n'), parsed.GetValue(outFile));
            if (section.IsWorse)
                return Exit.Failed;
            if (parsed.GetValue(widest) is { } text && section.WiderThan(ShareIn(text)) is { } wide)
            {
                Console.Error.WriteLine(Text.Plain(wide, int.MaxValue));
                return Exit.WrongUsage;
            }
            return section.IsAnythingKnown ? Exit.Done : Exit.WrongUsage;
        }

        static double ShareIn(string text) =>
            text.EndsWith('%')
            && double.TryParse(
                text[..^1], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent)
            && percent is > 0 and <= 100
                ? percent / 100
                : throw new Failure($"'{text}' is no value for --widest: a percentage, as in 5%.", Exit.WrongUsage);

        int Compared(ParseResult parsed)
        {
            if (parsed.GetValue(before) is not { } baseFolder || parsed.GetValue(after) is not { } newFolder)
                throw new Failure("compare takes two sweeps, BASE and NEW, or --versions DIR.", Exit.WrongUsage);
            var old = Sweep.In(baseFolder);
            var now = Sweep.In(newFolder);
            var oldMachine = Fingerprint.Of(old.Machines, "BASE");
            var newMachine = Fingerprint.Of(now.Machines, "NEW");
            if (!parsed.GetValue(force))
            {
                const string why = "different machines are compared with --force only";
                Fingerprint.AssertSame(oldMachine, "BASE", newMachine, "NEW", why);
            }

            var least = LeastChanges.Of(oldMachine, newMachine);
            if (NoiseFile.IsIn(baseFolder))
                least = Or(least, baseFolder, oldMachine, "BASE", "BASE");
            if (NoiseFile.IsIn(newFolder))
                least = Or(least, newFolder, newMachine, "NEW", "NEW");
            if (parsed.GetValue(noise) is { } other)
                least = Or(least, other, oldMachine, "BASE", "--noise");

            var comparison = new Comparison(old, now, least, [.. Fingerprint.Differences(oldMachine, newMachine)]);
            if (comparison.Comparable == 0)
                Console.Error.WriteLine("No cell is comparable.");
            Write(comparison.ToMarkdown(), parsed.GetValue(outFile));
            return comparison.Worse > 0 ? Exit.Failed : Exit.Done;
        }
    }

    static Argument<string?> Sweeps(string name) => new(name)
    {
        Description = "Folder that holds raw.jsonl.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    static Command NoiseOf()
    {
        var folder = Flags.Results();
        return Flags.Verb(
            "noise",
            "Measures the machine's noise floor out of a sweep with 10 or more "
                + "launches per cell; writes noise.json beside it, which compare reads.",
            [folder],
            parsed => OrRefused(() => Measured(parsed.GetValue(folder)!))
        );

        int Measured(string path)
        {
            var noise = new Noise(Sweep.In(path), path);
            NoiseFile.Write(path, noise.ToJson());
            Write(noise.ToMarkdown(), null);
            return Exit.Done;
        }
    }

    // Source: what the floor is called, of the machine of a sweep.
    static LeastChanges Or(LeastChanges least, string folder, JObject machine, string sweep, string source)
    {
        var (floor, isInterleaved, noisy) = NoiseFile.Read(folder);
        Fingerprint.AssertSame(machine, sweep, noisy, NoiseFile.PathIn(folder), "a noise floor is its machine's own");
        return least.Or(floor, isInterleaved, source);
    }

    static void Write(string page, string? path)
    {
        if (path == null)
            Console.Write(page);
        else
            WholeFile.Write(path, unfinished => File.WriteAllText(unfinished, page));
    }

    // Exit code 1 says that a cell is worse, so nothing else may end in it.
    static int OrRefused(Func<int> verb)
    {
        try
        {
            return verb();
        }
        catch (Exception fault) when (fault is not Failure)
        {
            throw new Failure(
                (fault as TypeInitializationException)?.InnerException?.Message ?? fault.Message,
                Exit.WrongUsage
            );
        }
    }
}
