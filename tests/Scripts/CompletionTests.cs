/// <summary>scripts/completion.bash, asked as Bash asks it.</summary>
public sealed class CompletionTests
{
    public CompletionTests() => Assert.SkipWhen(Runner.Missing("bash") != null, "There is no bash here.");

    [Theory]
    [InlineData("--pre", "--preset")]
    [InlineData("--cli", "--client-hosts --clients")]
    [InlineData("--preset qui", "quick")]
    [InlineData("--libraries udp,lit", "udp,litenetlib")]
    [InlineData("--libraries net", "netcoreserver")]
    [InlineData("--delivery unreliable,reliable-o", "unreliable,reliable-ordered")]
    [InlineData("--trace y", "yes")]
    [InlineData("--interleaved n", "no")]
    [InlineData("--until 3", "")]
    [InlineData("--profile tuned,d", "tuned,default")]
    [InlineData("--pin a", "auto")]
    [InlineData("--clients 1", "")]
    [InlineData("--out script", "scripts")]
    public void A_word_is_completed(string typed, string completed)
    {
        using var asked = Command.StartIn(Repo.Root, [], "bash", "-c", $$"""
            source scripts/completion.bash
            COMP_WORDS=(scripts/run-all.sh {{typed}})
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _run_all
            printf '%s\n' "${COMPREPLY[@]}"
            """);
        Assert.Equal(completed, string.Join(' ', asked.Wait().WithCode(0).Out.Order(StringComparer.Ordinal)));
    }
}
