/// <summary>The exit codes of CONTRACT.md.</summary>
static class Exit
{
    public const int Done = 0, Failed = 1, WrongUsage = 2, Unsupported = 3, OutputFailed = 4, Interrupted = 130;
}
