/// <summary>A fault said in one sentence, with the exit code that it ends in.</summary>
sealed class Failure(string sentence, int exitCode = Program.Failed) : Exception(sentence)
{
    public int ExitCode => exitCode;
}
