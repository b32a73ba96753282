using System.Collections.Concurrent;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>A side on this machine that the runner of another leads: hands its lines on, adds what this
/// machine counts, and ends the side when that runner is silent.</summary>
sealed class LedSide(string library, string verb, string cpus, string[] words)
{
    /// <summary>A side that has ever heard "alive" ends after this long without.</summary>
    public const int SilentSeconds = 20;

    readonly BlockingCollection<SideEvent> events = [];

    /// <summary>Leads it by the lines of a reader, to its end; returns its exit code. What keeps it from starting
    /// is told as a bench tells its faults.</summary>
    public int Lead(TextReader lines)
    {
        Side side;
        try { side = Start(); }
        catch (Failure fault)
        {
            WriteFault(fault);
            throw;
        }
        AppDomain.CurrentDomain.ProcessExit += (_, _) => side.Dispose();
        new Thread(() => Heed(side, lines)) { IsBackground = true }.Start();
        while (events.Take() is { Record: { } record }) Write(record);
        return side.ExitCode;
    }

    Side Start()
    {
        var address = Side.ValueOf(words, "--address") ?? "127.0.0.1";
        // The runner there does not know which port is free here.
        var given = words;
        if (Side.ValueOf(words, "--port") == "0")
        {
            var at = Array.IndexOf(words, "--port") + 1;
            given = [.. words[..at], $"{Address.FreePort(address)}", .. words[(at + 1)..]];
        }
        return Side.Here(verb, library, verb, cpus, given, [], (address, int.Parse(Side.ValueOf(words, "--clients") ?? "1"), false), null, events);
    }

    void WriteFault(Failure fault) => Write(RecordFile.ToJson(new
    {
        V = Contract.Version, Record = "error", Library = library, Side = verb, Kind = "failed", fault.ExitCode,
        Reason = Text.Plain(fault.Message),
    }));

    static void Write(JObject record)
    {
        Buckets.Unpack(record);
        Console.WriteLine(record.ToString(Formatting.None));
    }

    void Heed(Side side, TextReader lines)
    {
        using var silence = new Timer(_ => side.Say(null));
        while (lines.ReadLine() is { } line)
            switch (line)
            {
                case "alive": silence.Change(SilentSeconds * 1000, Timeout.Infinite); break;
                case "still": StandStill(side); break;
                case "go on": side.GoOn(); break;
                case "open": side.LookBefore(); side.Open(); break;
                case "close": side.Close(); side.LookAfter(); break;
                default: side.Say(line); break;
            }
        side.Say(null);
    }

    void StandStill(Side side)
    {
        try { side.StandStill(); }
        catch (Failure fault) { WriteFault(fault); }
    }
}
