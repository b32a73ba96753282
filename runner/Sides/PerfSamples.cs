/// <summary>Where a side's CPU time goes, native code and the kernel included: as perf of Linux samples it while the
/// window is open. Its text lies beside the side's trace, in which native code has no names.</summary>
sealed class PerfSamples(Child record, string data, string text)
{
    // No divisor of what libraries tick by.
    const string SamplesASecond = "997";
    // A line for each file and symbol.
    const string Columns = "sample,dso,sym";

    /// <summary>Begins to sample a process; null where there is no perf, or it may not.</summary>
    /// <param name="process">Its number.</param>
    /// <param name="text">File for what was seen.</param>
    public static PerfSamples? Begin(int process, string text)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }
        string data = text + ".data";
        // It samples until cat, whose stdin is this process's, has ended; what is said before, when it has begun.
        string[] until = ["sh", "-c", "echo; exec cat"];
        string[] command = ["perf", "record", "-q", "-F", SamplesASecond, "-p", $"{process}", "-o", data, .. until];
        try
        {
            var record = Child.Start(command, readsOutput: true, readsErrors: true);
            return record.Output.ReadLine() == null ? null : new PerfSamples(record, data, text);
        }
        catch (Failure)
        {
            return null;
        }
    }

    /// <summary>Ends it.</summary>
    public void End() => record.CloseInput();

    /// <summary>Writes what was seen.</summary>
    public void Write()
    {
        End();
        record.Wait();
        string[] format = ["--stdio", "-q", "--no-children", "-F", Columns, "-t", "|"];
        Ended seen = Child.Run(["perf", "report", "-i", data, .. format]);
        try
        {
            if (seen.ExitCode == 0)
            {
                File.WriteAllText(text, seen.Output);
            }
            File.Delete(data);
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"perf's samples are left in {data}: {fault.Message}");
        }
    }
}
