/// <summary>scripts/completion.bash, asked as Bash asks it.</summary>
public sealed class CompletionTests
{
    // What is typed, and what it is completed to.
    static readonly (string Typed, string Completed)[] words =
    [
        ("--pre", "--preset"),
        ("--cli", "--client-hosts --clients"),
        ("--preset qui", "quick"),
        ("--libraries udp,lit", "udp,litenetlib"),
        ("--libraries netc", "netcoreserver"),
        ("--delivery unreliable,reliable-o", "unreliable,reliable-ordered"),
        ("--trace y", "yes"),
        ("--interleaved n", "no"),
        ("--until 3", ""),
        ("--profile tuned,d", "tuned,default"),
        ("--pin a", "auto"),
        ("--clients 1", ""),
        ("--out script", "scripts"),
    ];

    [Fact]
    public void Words_are_completed()
    {
        Assert.SkipWhen(Runner.Missing("bash") != null, "There is no bash here.");
        const string Ask = """
            source scripts/completion.bash
            for typed; do
                read -ra COMP_WORDS <<<"scripts/run-all.sh $typed"
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                COMPREPLY=()
                _run_all
                echo "$typed: ${COMPREPLY[*]}"
            done
            """;
        string[] typed = [.. words.Select(word => word.Typed)];
        using var asked = Command.StartIn(Repo.Root, [], "bash", ["-c", Ask, "bash", .. typed]);
        Assert.Equal(
            words.Select(word => $"{word.Typed}: {word.Completed}"),
            asked.Wait().WithCode(0).Out.Select(InOrder));
    }

    // Where several are offered.
    static string InOrder(string line)
    {
        var parts = line.Split(": ");
        return $"{parts[0]}: {string.Join(' ', parts[1].Split(' ').Order(StringComparer.Ordinal))}";
    }
}
