/// <summary>What a program that ran to its end left: its exit code, and all that it wrote to stdout and to stderr.
/// </summary>
sealed record Ended(int ExitCode, string Output, string Errors);
