using System.ComponentModel;
using System.Diagnostics;

/// <summary>Looks at the memory of a server that runs here, as one whose memory grows without bound is to be ended
/// before the machine suffers. A sleep and a short file of the system are all that a look takes.</summary>
/// <param name="processId">The server's.</param>
/// <param name="mostMb">That it may have; 0: a part of what the machine has available now.</param>
sealed class MemoryWatch(int processId, int mostMb)
{
    const int LookMilliseconds = 200;
    const int PartsOfMachine = 4;
    const double BytesAMb = 1e6;

    readonly double mostBytes = mostMb > 0
        ? mostMb * BytesAMb
        : (double)(Fit.AvailableBytes() ?? GC.GetGCMemoryInfo().TotalAvailableMemoryBytes) / PartsOfMachine;

    /// <summary>Returns when it has too much, with a sentence that says so, or when it has ended, with null.</summary>
    public string? Look()
    {
        try
        {
            // Of its own, as another thread may ask the other one at the same time.
            using var process = Process.GetProcessById(processId);
            while (process.WorkingSet64 <= mostBytes)
            {
                Thread.Sleep(LookMilliseconds);
                process.Refresh();
                if (process.HasExited)
                {
                    return null;
                }
            }
            string limit = mostMb > 0 ? "" : ", a quarter of what this machine had available when it started";
            return $"The server was ended as its memory grew to {process.WorkingSet64 / BytesAMb:N0} MB: "
                + $"the limit is {mostBytes / BytesAMb:N0} MB{limit}.";
        }
        catch (Exception fault) when (fault is ArgumentException or InvalidOperationException or Win32Exception)
        {
            // It has ended.
            return null;
        }
    }
}
