/// <summary>The exit codes of docs/cli.md.</summary>
static class Exit
{
    public const int Done = 0;
    public const int Failed = 1;
    public const int WrongUsage = 2;
    public const int Unsupported = 3;
    public const int OutputFailed = 4;
    public const int Interrupted = 130;
}
