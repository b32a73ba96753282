/// <summary>What PowerShell's users expect of a script: help and completion out of its parameters.</summary>
public sealed class PowerShellTests
{
    static readonly string script = Repo.PathOf("scripts", Runner.PowerShell);

    // By the line that is typed; all at once, as PowerShell takes a second to start.
    static readonly Lazy<Dictionary<string, string>> completions = new(Complete);

    public PowerShellTests() => Assert.SkipWhen(Runner.Missing("pwsh") != null, "There is no pwsh here.");

    [Fact]
    public void Get_Help_shows_what_it_does_with_examples_and_every_flag_of_the_help()
    {
        var help = Run($"Get-Help '{script}' -Full | Out-String -Width 4096 -Stream");
        string[] Below(string heading)
        {
            var after = help.SkipWhile(line => line != heading).Skip(1);
            var section = after.TakeWhile(line => line == "" || line.StartsWith(' '));
            return [.. section.Select(line => line.Trim()).Where(line => line != "")];
        }
        Assert.StartsWith("Builds every bench-*", Below("SYNOPSIS")[0]);
        Assert.Equal(2, help.Count(line => line.StartsWith("    PS > scripts/run-all.ps1 ")));
        var parameters = Below("PARAMETERS");
        var lines = File.ReadLines(Repo.PathOf("scripts", "run-all.help")).Where(line => line.StartsWith("  --"));
        // And one parameter takes the words that are spelt as in Bash.
        string[] flags = [.. lines.Select(line => line.Trim().Split(' ')[0].Replace("-", "")), "words"];
        foreach (var flag in flags)
        {
            var start = $"-{flag} ";
            var at = Array.FindIndex(parameters, line => line.StartsWith(start, StringComparison.OrdinalIgnoreCase));
            Assert.True(at >= 0, $"There is no parameter {flag}.");
            Assert.DoesNotContain("Required?", parameters[at + 1]); // what it is for
        }
        Assert.Equal(flags.Length, parameters.Count(line => line.StartsWith('-')));
    }

    public static TheoryData<string, string> Completed => new()
    {
        { "-Pre", "-Preset" },
        { "-Client", "-ClientHosts -Clients" },
        { "-Dry", "-DryRun" },
        { "-Preset qui", "quick" },
        { "-Libraries udp,lit", "litenetlib" },
        { "-Libraries netc", "netcoreserver" },
        { "-Delivery unreliable,reliable-o", "reliable-ordered" },
        { "-Trace y", "yes" },
        { "-Ladder n", "no" },
        { "-Interleaved y", "yes" },
        { "-Profile tuned,d", "default" },
        { "-Pin a", "auto" },
    };

    [Theory, MemberData(nameof(Completed))]
    public void A_word_is_completed(string typed, string completed) =>
        Assert.Equal(completed, completions.Value[typed]);

    static Dictionary<string, string> Complete()
    {
        const string Sorted =
            "((TabExpansion2 $line $line.Length).CompletionMatches.CompletionText | Sort-Object) -join ' '";
        string[] all = [.. Completed.Select(row => row.Data.Item1)];
        var commands = all.Select(typed => $"$line = \"& '{script}' {typed}\"; {Sorted}");
        var found = Run(string.Join("; ", commands));
        return all.Zip(found).ToDictionary(line => line.First, line => line.Second);
    }

    static string[] Run(string command)
    {
        using var pwsh = Command.StartIn(Repo.Root, [], "pwsh", "-NoProfile", "-Command", command);
        return pwsh.Wait().WithCode(0).Out;
    }
}
