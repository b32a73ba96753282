using System.Text.RegularExpressions;

/// <summary>What README.md, CONTRIBUTING.md and the pages under docs/ name is there: links, files, commands, flags,
/// presets, verbs, versions and figures.</summary>
public sealed class DocsTests
{
    const string ReadMe = "README.md";
    const int MostColumns = 120;

    // Of dotnet itself.
    static readonly string[] foreignFlags = ["--project", "--severity", "--folder"];
    // Of the scripts alone; all others are the runner's, too.
    static readonly string[] flagsWithValue = ["--out", "--resume"];
    static readonly string[] flagsWithout = ["--dry-run", "--strict"];
    // What a reader puts in place of them.
    static readonly string[] placeholders =
        ["DATE-PRESET-MACHINE", "NAME", "PART", "bench-yours", "results/base", "results/new"];
    // They write, so that a test does not run them.
    static readonly string[] writingVerbs = ["index", "noise", "render"];

    public static TheoryData<string> Pages
    {
        get
        {
            var docs = Directory.GetFiles(Repo.PathOf("docs"), "*.md").Select(Path.GetFileName);
            return [ReadMe, "CONTRIBUTING.md", .. docs.Select(file => $"docs/{file}").Order()];
        }
    }

    [Theory, MemberData(nameof(Pages))]
    public void Links_lead_somewhere(string page)
    {
        var broken = Regex.Matches(TextOf(page), @"\]\(([^)\s]+)\)")
            .Select(link => link.Groups[1].Value)
            .Where(link => !link.StartsWith("https://") && !Exists(page, link));
        Assert.Empty(broken);
    }

    [Theory, MemberData(nameof(Pages))]
    public void Files_that_are_named_exist(string page)
    {
        var folders = Directory.GetDirectories(Repo.Root).Select(Path.GetFileName).ToHashSet();
        var missing = Regex.Matches(TextOf(page), @"(?<![\w./:-])([a-z][a-z0-9-]*)/[\w./-]*[\w/]")
            .Where(path => folders.Contains(path.Groups[1].Value))
            .Select(path => path.Value)
            .Where(path => !placeholders.Any(path.Contains) && !path.Contains("/bin/"))
            .Where(path => !Path.Exists(Repo.PathOf(path)));
        Assert.Empty(missing);
    }

    [Theory, MemberData(nameof(Pages))]
    public void Flags_that_are_named_are_some_program_s(string page)
    {
        SkipUnlessBuilt();
        var named = Regex.Matches(TextOf(page), @"(?<![\w-])--[a-z][a-z0-9-]*").Select(flag => flag.Value);
        Assert.Empty(named.Except(knownFlags.Value).Except(foreignFlags));
    }

    // As far as one takes a moment: settings are read, not measured; and what is shown is a committed sweep.
    [Theory, MemberData(nameof(Pages))]
    public void Commands_are_taken(string page)
    {
        SkipUnlessBuilt();
        foreach (var command in CommandsOf(page))
        {
            string[] words = [.. command.Split(' ', StringSplitOptions.RemoveEmptyEntries).SkipWhile(IsVariable)];
            if (words[0] == "scripts/run-all.sh")
            {
                AssertSweep(command, words[1..]);
            }
            else if (words is ["dotnet", "build", "-c", "Release", var folder])
            {
                Assert.True(File.Exists(Repo.PathOf(folder, $"{folder}.csproj")), command);
            }
            else if (words is ["dotnet", "run", "-c", "Release", "--project", var project, "--", ..])
            {
                Assert.True(File.Exists(Repo.PathOf(project, $"{project}.csproj")), command);
                AssertVerb(command, project, words[7..]);
            }
        }
    }

    [Fact]
    public void Presets_are_those_that_there_are()
    {
        var there = Directory.GetFiles(Repo.PathOf("scripts", "presets")).Select(Path.GetFileNameWithoutExtension);
        var told = Regex.Matches(Section("docs/cli.md", "Presets"), @"(?m)^\| `([a-z-]+)` \|");
        Assert.Equal(there.Order(), told.Select(row => row.Groups[1].Value).Order());
    }

    [Fact]
    public void Verbs_of_report_are_those_of_its_help()
    {
        SkipUnlessBuilt();
        var told = Regex.Matches(Section("docs/cli.md", "Verbs of report"), @"(?m)^\| `([a-z]+)\b");
        Assert.Equal(VerbsOfReport().Order(), told.Select(row => row.Groups[1].Value).Order());
    }

    [Fact]
    public void Every_bench_stands_in_the_readme_with_the_version_that_it_pins_and_in_fairness()
    {
        foreach (var bench in Repo.AllBenches)
        {
            var library = bench["bench-".Length..];
            // All but the plain sockets lead to what they got.
            string[] names = [$"(`{library}`)", $"([`{library}`](docs/fairness.md#"];
            var row = RowsIn(TextOf(ReadMe)).SingleOrDefault(row => names.Any(row[0].Contains));
            Assert.True(row != null, $"{bench} has no row with {names[0]} in README's table of libraries.");
            var project = File.ReadAllText(Repo.PathOf(bench, $"{bench}.csproj"));
            // Behind it stands what the loaded library says of itself, where that is another version.
            var version = row[1].Split(" (")[0];
            Assert.True(
                version == "of .NET" || project.Contains($">{version}<") || project.Contains($"\"[{version}]\""),
                $"{bench} does not pin {version}.");
            Assert.True(TextOf("docs/fairness.md").Contains($"`{library}`"), $"fairness.md has no `{library}`.");
        }
    }

    [Fact]
    public void Lines_of_the_readme_are_as_long_as_people_read()
    {
        var tooLong = TextOf(ReadMe).Split('\n').Where(line => line.Length > MostColumns && !line.StartsWith('|'));
        Assert.Empty(tooLong);
    }

    static readonly Lazy<HashSet<string>> knownFlags = new(() =>
    {
        var verbs = VerbsOfReport().Select(verb => Tool.Run(verb, "--help").WithCode(0));
        string[] helps =
        [
            File.ReadAllText(Repo.PathOf("scripts", "run-all.help")),
            TextOf("proof/run.sh"),
            .. verbs.Append(Tool.Lead("run", "--help")).Append(Bench.AskModel("--help"))
                .Select(help => string.Join('\n', help.Out)),
            // The verbs that scripts and runners use among themselves.
            .. new[] { "rate-percent", "until-stdin-closes" }.Select(flag => $"--{flag}"),
        ];
        return [.. helps.SelectMany(help => Regex.Matches(help, "--[a-z][a-z0-9-]*")).Select(flag => flag.Value)];
    });

    // A committed sweep with intervals, for the verbs that read one.
    static string Sweep => Directory.GetDirectories(Repo.PathOf("results"))
        .MinBy(folder => Directory.GetFiles(folder, "raw.jsonl*").Sum(file => new FileInfo(file).Length))!;

    static void SkipUnlessBuilt() => Assert.SkipUnless(
        Tool.IsBuilt && Tool.CanLead && Bench.IsBuilt(Bench.Model),
        $"report, runner or {Bench.Model} is not built.");

    // Of the scripts, whose own flags stand in their help; the others the runner reads.
    static void AssertSweep(string command, string[] words)
    {
        var help = File.ReadAllText(Repo.PathOf("scripts", "run-all.help"));
        Assert.All(words.Where(word => word.StartsWith("--")), flag => Assert.Contains($"  {flag} ", help));
        List<string> given = [];
        words = [.. words.Where(word => !flagsWithout.Contains(word))];
        for (var at = 0; at < words.Length; at += 2)
        {
            if (!flagsWithValue.Contains(words[at]))
            {
                given.AddRange(words[at..Math.Min(at + 2, words.Length)]);
            }
        }
        var ended = Worker.Run(Tool.LeadPath, Repo.Root, "", ["sweep", "--folder", Repo.Root, .. given]);
        Assert.True(ended.ExitCode == 0, $"'{command}' is refused: {string.Join(' ', ended.Error)}");
    }

    static void AssertVerb(string command, string project, string[] words)
    {
        if (project == "report")
        {
            Assert.DoesNotContain(words[0], writingVerbs);
            var ended = Tool.Run(words.Select(word => word.StartsWith("results/") ? Sweep : word));
            var error = string.Join(' ', ended.Error);
            // What is committed need not be what is asked of a contribution.
            var isJudged = words[0] == "check" && ended.ExitCode == 1;
            Assert.True(ended.ExitCode == 0 || isJudged, $"'{command}' ends with {ended.ExitCode}: {error}");
            return;
        }
        var help = project == "runner" ? Tool.Lead(words[0], "--help") : Bench.AskModel(words[0], "--help");
        var text = string.Join('\n', help.WithCode(0).Out);
        Assert.All(words.Where(word => word.StartsWith("--")), flag => Assert.Matches($@"{flag}\b", text));
    }

    static bool IsVariable(string word) => Regex.IsMatch(word, @"^\w+=");

    static IEnumerable<string> CommandsOf(string page) =>
        Regex.Matches(TextOf(page), "(?s)```bash\n(.*?)```")
            .SelectMany(block => block.Groups[1].Value.Split('\n'))
            .SelectMany(line => Regex.Replace(line, @"\s+#.*", "").Trim().Split(" && "))
            // There is no such library before a reader makes it.
            .Select(command => command.Replace("yours,", ""))
            .Where(command => command != "");

    static string[] VerbsOfReport()
    {
        var commands = string.Join('\n', Tool.Run("--help").WithCode(0).Out).Split("Commands:")[1];
        return [.. Regex.Matches(commands, "(?m)^  ([a-z]+) ").Select(verb => verb.Groups[1].Value)];
    }

    static IEnumerable<string[]> RowsIn(string text) =>
        text.Split('\n')
            .Where(line => line.StartsWith('|'))
            .Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries));

    static bool Exists(string page, string link)
    {
        var parts = link.Split('#');
        var target = parts[0] == ""
            ? Repo.PathOf(page)
            : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(Repo.PathOf(page))!, parts[0]));
        return Path.Exists(target) && (parts.Length == 1 || AnchorsOf(target).Contains(parts[1]));
    }

    // As GitHub makes anchors of headings, and those that a page has besides.
    static IEnumerable<string> AnchorsOf(string file)
    {
        var text = File.ReadAllText(file);
        return Regex.Matches(text, "(?m)^#+ (.+)$")
            .Select(heading => heading.Groups[1].Value.ToLowerInvariant())
            .Select(heading => Regex.Replace(heading, @"[^\w -]", "").Replace(' ', '-'))
            .Concat(Regex.Matches(text, "<a id=\"([^\"]+)\"></a>").Select(anchor => anchor.Groups[1].Value));
    }

    static string Section(string page, string heading) =>
        TextOf(page).Split("\n## ").Single(section => section.StartsWith($"{heading}\n"));

    static string TextOf(string page) => File.ReadAllText(Repo.PathOf(page));
}
