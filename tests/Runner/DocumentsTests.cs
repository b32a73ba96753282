/// <summary>`runner documents`: what people and scripts are told of settings and records is what these declare.
/// </summary>
public sealed class DocumentsTests : InSuiteFolder
{
    [Theory]
    [InlineData("docs/flags.md")]
    [InlineData("docs/records.md")]
    [InlineData("scripts/run-all.help")]
    [InlineData("scripts/run-all.words")]
    [InlineData("scripts/run-all.ps1")]
    public void A_file_is_what_is_declared(string file)
    {
        suite.Run("documents").WithCode(0);
        var isSame = File.ReadAllText(Repo.PathOf(file)) == File.ReadAllText(suite.PathOf(file));
        Assert.True(isSame, $"{file} is not what is declared: run `runner documents`, and commit what it writes.");
    }

    [Fact]
    public void A_file_without_its_marks_is_told_in_one_sentence()
    {
        File.WriteAllText(suite.PathOf("docs", "flags.md"), "# Flags\n");
        var told = suite.Run("documents").WithCode(1).Sentence();
        Assert.StartsWith("runner: docs/flags.md has no lines ", told);
    }
}
